package io.tidemark.api;

/**
 * How far a deployment trusts its own numbers: whether a write checks that its key is free.
 *
 * <table>
 * <caption>Write modes [T-2]</caption>
 * <tr><th>level</th><th>events (PLog, WLog)</th><th>new records</th><th>updated records</th></tr>
 * <tr><td>0</td><td>insert if not exists</td><td>insert if not exists</td><td>put</td></tr>
 * <tr><td>1</td><td>insert if not exists</td><td>put</td><td>put</td></tr>
 * <tr><td>2</td><td>put</td><td>put</td><td>put</td></tr>
 * </table>
 */
public enum TrustLevel {
  /** Checks events and new records; the default. */
  LEVEL_0(WriteMode.INSERT_IF_NOT_EXISTS, WriteMode.INSERT_IF_NOT_EXISTS),
  /** Checks events only. */
  LEVEL_1(WriteMode.INSERT_IF_NOT_EXISTS, WriteMode.PUT),
  /** Checks nothing but ownership. */
  LEVEL_2(WriteMode.PUT, WriteMode.PUT);

  private final WriteMode events;
  private final WriteMode newRecords;

  TrustLevel(WriteMode events, WriteMode newRecords) {
    this.events = events;
    this.newRecords = newRecords;
  }

  /** The level with this number. */
  public static TrustLevel of(int level) {
    if (level < 0 || level > 2) {
      throw new IllegalArgumentException("trust level must be 0, 1 or 2, was " + level);
    }
    return values()[level];
  }

  /** How PLog and WLog events are written. */
  public WriteMode events() {
    return events;
  }

  /** How records that an event creates are written. */
  public WriteMode newRecords() {
    return newRecords;
  }
}
