package io.tidemark.spi;

import java.util.Arrays;

/**
 * One row of a workspace's log. Arrays are not copied: neither side changes them.
 *
 * @param wsid the workspace
 * @param wlogOffset the offset in its log
 * @param plogOffset the offset of the event that wrote it
 * @param payload the event's payload
 */
@SuppressWarnings("ArrayRecordComponent") // rows pass between layers uncopied, on purpose
public record WLogRow(long wsid, long wlogOffset, long plogOffset, byte[] payload) {
  @Override
  public boolean equals(Object other) {
    return other instanceof WLogRow row
        && wsid == row.wsid
        && wlogOffset == row.wlogOffset
        && plogOffset == row.plogOffset
        && Arrays.equals(payload, row.payload);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(wsid * 31 + wlogOffset) * 31 + Arrays.hashCode(payload);
  }

  /** The row's key, as an operator would name it. */
  public String key() {
    return "WLog offset " + wlogOffset + " of workspace " + Long.toUnsignedString(wsid);
  }
}
