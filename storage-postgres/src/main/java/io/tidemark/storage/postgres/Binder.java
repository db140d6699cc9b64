package io.tidemark.storage.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Binds parameters one after the other; arrays as primitives, which the driver sends in binary. */
final class Binder {
  private final PreparedStatement statement;
  private int next = 1;

  Binder(PreparedStatement statement) {
    this.statement = statement;
  }

  Binder number(int value) throws SQLException {
    statement.setInt(next++, value);
    return this;
  }

  Binder bigint(long value) throws SQLException {
    statement.setLong(next++, value);
    return this;
  }

  Binder bytes(byte[] value) throws SQLException {
    statement.setBytes(next++, value);
    return this;
  }

  Binder flag(boolean value) throws SQLException {
    statement.setBoolean(next++, value);
    return this;
  }

  Binder text(String value) throws SQLException {
    statement.setString(next++, value);
    return this;
  }

  /** A UUID or an array of primitives. */
  Binder object(Object value) throws SQLException {
    statement.setObject(next++, value);
    return this;
  }

  <T> Binder bigints(List<T> rows, ToLongFunction<T> column) throws SQLException {
    long[] values = new long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(rows.get(i));
    }
    return object(values);
  }

  <T> Binder byteArrays(List<T> rows, Function<T, byte[]> column) throws SQLException {
    byte[][] values = new byte[rows.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return object(values);
  }
}
