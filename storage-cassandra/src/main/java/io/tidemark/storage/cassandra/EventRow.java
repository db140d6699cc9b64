package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;

/**
 * One stored event, not yet read.
 *
 * @param offset its offset
 * @param epoch the number of the epoch that put it; 0 where appends are conditional
 * @param bytes the stored form
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record EventRow(long offset, long epoch, byte[] bytes) {

  static byte[] bytes(Row row, String column) {
    ByteBuffer buffer = row.getByteBuffer(column);
    if (buffer == null) {
      return new byte[0];
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
