package io.tidemark.storage.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Makes the driver's connections. One may be opened beforehand, so that what is wrong is said at
 * once and in the server's own words; whoever asks first gets that one, because a connection costs
 * the server a process.
 */
final class OpenedSource extends PGSimpleDataSource {
  private static final long serialVersionUID = 1;

  private final transient AtomicReference<@Nullable Connection> opened = new AtomicReference<>();

  void open() throws SQLException {
    opened.set(super.getConnection());
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection first = opened.getAndSet(null);
    return first != null ? first : super.getConnection();
  }
}
