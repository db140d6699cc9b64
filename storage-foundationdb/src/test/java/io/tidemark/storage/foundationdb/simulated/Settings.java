package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.OptionConsumer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A transaction's options, and what of it outlives an attempt. An option not known is refused. */
final class Settings implements OptionConsumer {
  private static final int NEXT_WRITE_NO_WRITE_CONFLICT_RANGE = 30;
  private static final int READ_YOUR_WRITES_DISABLE = 51;
  private static final int TIMEOUT = 500;
  private static final int RETRY_LIMIT = 501;
  private static final int MAX_RETRY_DELAY = 502;
  private static final int SIZE_LIMIT = 503;
  private static final int SNAPSHOT_RYW_ENABLE = 600;
  private static final int SNAPSHOT_RYW_DISABLE = 601;
  private static final int TAG = 800;
  private static final int AUTO_THROTTLE_TAG = 801;
  private static final long FIRST_BACKOFF_MILLIS = 10;

  private static final Set<Integer> RETRYABLE =
      Set.of(1007, 1009, 1020, 1021, 1037, 1038, 1039, 1042, 1051, 1078, 1213, 1223, 1235);

  private final long beganMicros;
  private final Set<String> tags = new TreeSet<>();
  private long timeoutMillis;
  private long retryLimit = -1;
  private long maxRetryDelayMillis = 1_000;
  private long sizeLimit = 10_000_000;
  private boolean readYourWritesDisabled;
  private boolean snapshotWithoutOwnWrites;
  private boolean nextWriteWithoutConflict;
  private long retries;

  Settings(long beganMicros) {
    this.beganMicros = beganMicros;
  }

  @Override
  public void setOption(int code, byte @Nullable [] parameter) {
    switch (code) {
      case NEXT_WRITE_NO_WRITE_CONFLICT_RANGE -> nextWriteWithoutConflict = true;
      case READ_YOUR_WRITES_DISABLE -> readYourWritesDisabled = true;
      case TIMEOUT -> timeoutMillis = number(parameter);
      case RETRY_LIMIT -> retryLimit = number(parameter);
      case MAX_RETRY_DELAY -> maxRetryDelayMillis = number(parameter);
      case SIZE_LIMIT -> sizeLimit = number(parameter);
      case SNAPSHOT_RYW_ENABLE -> snapshotWithoutOwnWrites = false;
      case SNAPSHOT_RYW_DISABLE -> snapshotWithoutOwnWrites = true;
      case TAG, AUTO_THROTTLE_TAG -> addTag(parameter);
      default -> throw new UnsupportedOperationException("option " + code + " is not simulated");
    }
  }

  private void addTag(byte @Nullable [] parameter) {
    byte[] tag = parameter == null ? new byte[0] : parameter;
    if (tag.length > 16 || tags.size() >= 5) {
      throw SimulatedTransaction.error(2006, "Option set with an invalid value");
    }
    tags.add(new String(tag, StandardCharsets.UTF_8));
  }

  private static long number(byte @Nullable [] parameter) {
    byte[] bytes = Arrays.copyOf(parameter == null ? new byte[0] : parameter, Long.BYTES);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  Set<String> tags() {
    return tags;
  }

  long sizeLimit() {
    return sizeLimit;
  }

  boolean readYourWritesDisabled() {
    return readYourWritesDisabled;
  }

  boolean snapshotWithoutOwnWrites() {
    return snapshotWithoutOwnWrites;
  }

  boolean takeNextWriteWithoutConflict() {
    boolean taken = nextWriteWithoutConflict;
    nextWriteWithoutConflict = false;
    return taken;
  }

  void requireTime(long nowMicros) {
    if (timeoutMillis > 0 && nowMicros - beganMicros >= timeoutMillis * 1_000) {
      throw SimulatedTransaction.error(1031, "Operation aborted because the transaction timed out");
    }
  }

  /** The settings of the next attempt, after the wait; throws where there is none. */
  Settings afterError(SimulatedCluster cluster, FDBException failure) {
    if (!RETRYABLE.contains(failure.getCode()) || (retryLimit >= 0 && retries >= retryLimit)) {
      throw failure;
    }
    long backoff = Math.min(maxRetryDelayMillis, FIRST_BACKOFF_MILLIS << Math.min(retries, 20));
    cluster.advance(Duration.ofMillis(backoff));
    requireTime(cluster.micros());
    Settings next = new Settings(beganMicros);
    next.timeoutMillis = timeoutMillis;
    next.retryLimit = retryLimit;
    next.maxRetryDelayMillis = maxRetryDelayMillis;
    next.sizeLimit = sizeLimit;
    next.retries = retries + 1;
    return next;
  }
}
