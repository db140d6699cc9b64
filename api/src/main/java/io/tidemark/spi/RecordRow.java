package io.tidemark.spi;

import java.util.Arrays;

/**
 * One version of a record. Arrays are not copied: neither side changes them.
 *
 * @param wsid the workspace
 * @param recordId the record
 * @param plogOffset the offset of the event that wrote this version
 * @param isNew whether that event created the record; not stored, false when read
 * @param data the content
 */
@SuppressWarnings("ArrayRecordComponent") // rows pass between layers uncopied, on purpose
public record RecordRow(long wsid, long recordId, long plogOffset, boolean isNew, byte[] data) {
  @Override
  public boolean equals(Object other) {
    return other instanceof RecordRow row
        && wsid == row.wsid
        && recordId == row.recordId
        && plogOffset == row.plogOffset
        && isNew == row.isNew
        && Arrays.equals(data, row.data);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(wsid * 31 + recordId) * 31 + Arrays.hashCode(data);
  }

  /** The row's key, as an operator would name it. */
  public String key() {
    return "record " + recordId + " of workspace " + Long.toUnsignedString(wsid);
  }
}
