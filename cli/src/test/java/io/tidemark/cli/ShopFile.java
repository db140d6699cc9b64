package io.tidemark.cli;

import io.tidemark.api.SequencerListener;
import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.StorageUri;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A small SQLite storage with orders in it, and ways to damage it behind Tidemark's back. */
final class ShopFile {
  static final int PARTITIONS = 2;
  static final int ORDERS = 60;

  private final Path file;

  private ShopFile(Path file) {
    this.file = file;
  }

  static ShopFile in(Path folder) {
    ShopFile shop = new ShopFile(folder.resolve("shop.db"));
    try (IAppStorage app = shop.open(Layout.of(PARTITIONS));
        AppPartitions partitions =
            new AppPartitions(
                app, Shop.config(TrustLevel.LEVEL_0, "test", SequencerListener.NONE))) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        partitions.deploy(partition);
      }
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < ORDERS; i++) {
        long wsid = 1L + i % 6;
        partitions.processorFor(wsid).execute(Shop.order("tag-" + i, wsid, random));
      }
    }
    return shop;
  }

  String uri() {
    return "sqlite:" + file;
  }

  IAppStorage open(@Nullable Layout layout) {
    StorageUri parsed = StorageUri.parse(uri());
    return Storages.driver(parsed).open(parsed, layout);
  }

  /** Runs a statement that must change something. */
  void damage(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      if (statement.executeUpdate() == 0) {
        throw new IllegalStateException("no row was changed by " + sql);
      }
    }
  }

  /** Rewrites a logged event of partition 0, readable as before. */
  void rewrite(long offset, UnaryOperator<PLogEvent> change) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        PreparedStatement read =
            connection.prepareStatement(
                "SELECT event FROM tidemark_plog WHERE part = 0 AND plog_offset = " + offset);
        ResultSet row = read.executeQuery();
        PreparedStatement write =
            connection.prepareStatement(
                "UPDATE tidemark_plog SET event = ? WHERE part = 0 AND plog_offset = " + offset)) {
      if (!row.next()) {
        throw new IllegalStateException("no event at " + offset);
      }
      PLogEvent event = PLogEvent.fromBytes(offset, row.getBytes(1));
      write.setBytes(1, change.apply(event).toBytes());
      write.executeUpdate();
    }
  }
}
