package io.tidemark.storage.cassandra;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.PLogEvent;
import java.util.List;

/** The log of one partition: conditional at levels 0 and 1, ordered by epoch at level 2. */
interface PartitionLog {

  /** The last offset in the log, under what the meta row says. */
  long end(Meta meta);

  /** At most {@code limit} rows of the log from {@code from} to {@code to}, within one bucket. */
  List<EventRow> page(long from, long to, int limit);

  /** What the meta row must say of the log's end when its epoch moves on. */
  long endToStore(Meta meta);

  /** The meta row once the log that earlier epochs left has an end; decides it if need be. */
  Meta decided(Meta meta);

  /**
   * Makes {@code epoch}, or a later one, the one whose appends the bucket takes. When it returns,
   * each append under an earlier epoch is in the log or never will be.
   */
  void fence(long bucket, Epoch epoch);

  /** An owner's way to append. */
  Appender appender(Meta claimed);

  /** Appends for one handle. */
  interface Appender {
    /** Appends a group that lies in one bucket. */
    void append(Term sent, List<PLogEvent> group);

    /** The bucket that the handle last appended to, or may have. */
    long lastBucket();

    /** The handle has a new epoch, under which the meta row said this. */
    void moved(Meta meta);
  }
}
