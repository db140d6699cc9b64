package io.tidemark.spi;

import org.jspecify.annotations.Nullable;

/**
 * Reads one partition's logs and records.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once.<br>
 * <b>Memory.</b> A scan holds a bounded part of the log, whatever its length. [L-1]
 */
public interface ILogReader {

  /** The last offset in the log; 0 when it is empty. Sees every acknowledged append. [L-2] */
  long logEnd();

  /**
   * Visits the events from {@code from} to the log's end, in order, until the visitor answers
   * false. A hole or an unreadable event is a {@link io.tidemark.api.StorageCorruptedException}.
   * [L-3]
   */
  void readPLog(long from, PLogVisitor visitor);

  /**
   * Visits a workspace's log from {@code from}, in order, until the visitor answers false. [L-4]
   */
  void readWLog(long wsid, long from, WLogVisitor visitor);

  /** The record, or null. [L-5] */
  @Nullable RecordRow readRecord(long wsid, long recordId);

  /** Visits events of the partition log. */
  @FunctionalInterface
  interface PLogVisitor {
    /** Takes one event; false ends the scan. */
    boolean visit(PLogEvent event);
  }

  /** Visits rows of a workspace log. */
  @FunctionalInterface
  interface WLogVisitor {
    /** Takes one row; false ends the scan. */
    boolean visit(WLogRow row);
  }

  /** Visits records. */
  @FunctionalInterface
  interface RecordVisitor {
    /** Takes one record; false ends the scan. */
    boolean visit(RecordRow row);
  }
}
