package io.tidemark.spi;

import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import java.util.List;

/**
 * Writes one partition's logs and records.
 *
 * <p><b>Ownership.</b> Every PLog append, in every mode, is conditional on the handle's epoch [F-5]
 * and on its predecessor being there: the first offset is 1, or the one before it exists [L-6].
 * <br>
 * <b>Failure.</b> An append whose outcome cannot be told is {@link
 * io.tidemark.api.OutcomeUnknownException}; {@link IPartitionStorage#settle} decides it. Only
 * appends may be retried by the storage itself, because they carry a write id. [F-6]
 */
public interface ILogStorage extends ILogReader {

  /** How much one group that starts at {@code firstOffset} may hold; at least one event. [L-7] */
  GroupLimit groupLimit(long firstOffset);

  /**
   * Appends a group with consecutive offsets: all of it or nothing. [L-8]
   *
   * <p>Before anything else the storage looks for its own write id: a repeated append that finds
   * itself is success [L-9], also when the epoch has moved on. A foreign event at one of the
   * offsets is a {@link io.tidemark.api.SequenceViolationException} when inserting [T-3] and
   * overwritten when putting [T-4]; a missing predecessor is a {@link
   * io.tidemark.api.StorageCorruptedException}.
   */
  void append(List<PLogEvent> group, WriteMode mode);

  /**
   * Writes workspace-log rows.
   *
   * <p>Inserting: a row with the same {@code plogOffset} and the same bytes is this event applied
   * again, and is success [L-10]; any other row is a violation [T-5]. Putting: the row with the
   * higher {@code plogOffset} stays [T-6].
   */
  void appendWLog(List<WLogRow> rows, WriteMode mode);

  /**
   * Writes records.
   *
   * <p>The row with the higher {@code plogOffset} always stays, so that an owner that wakes up late
   * undoes nothing. [T-7] A new record that is inserted is a violation where a foreign row with a
   * lower {@code plogOffset}, or with the same one and other bytes, stands [T-8].
   *
   * @param newRecords how records marked {@link RecordRow#isNew} are written; others are put
   * @throws IllegalArgumentException if a (workspace, record) occurs twice [L-11]
   */
  void putRecords(List<RecordRow> rows, WriteMode newRecords);

  /**
   * Writes a group's events, records and workspace-log rows. With {@link
   * StorageCapability#ATOMIC_COMMIT} all of it or nothing, in one transaction [L-12]; otherwise the
   * events first, then what they imply.
   */
  default void commit(CommitGroup group, TrustLevel level) {
    append(group.events(), level.events());
    putRecords(group.records(), level.newRecords());
    appendWLog(group.wlog(), level.events());
  }

  /**
   * Marks a logged event corrupted, conditional on the epoch. The header stays readable: its
   * numbers count. [L-13]
   */
  void markCorrupted(long offset);
}
