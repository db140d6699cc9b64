package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.tuple.Tuple;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PartitionFailure;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of small rows: a tuple that starts with a format version. Numbers that only grow
 * are big-endian instead, because BYTE_MAX compares them as bytes.
 */
final class MetaCodec {
  private static final long VERSION = 1;
  private static final String ANY_LEVEL = "";
  private static final int MOST_CHARACTERS = 20_000;
  private static final int VALUE_BYTES = 2 * Long.BYTES + 1;

  private MetaCodec() {}

  /**
   * Who owns, and since when.
   *
   * @param epoch the term
   * @param owner the diagnostic text of its claim
   */
  record Ownership(Epoch epoch, String owner) {
    static final Ownership NONE = new Ownership(Epoch.NONE, "");
  }

  /**
   * The SeqData generations of a partition.
   *
   * @param inUse the one that is read
   * @param building the one under construction; 0 = none
   * @param last the highest number ever given, never given again
   */
  record Generations(long inUse, long building, long last) {
    static final Generations FIRST = new Generations(1, 0, 1);
  }

  static byte[] layout(Layout layout) {
    TrustLevel level = layout.trustLevel();
    return Tuple.from(
            VERSION,
            layout.partitions(),
            layout.logBucketEvents(),
            layout.seqDataBuckets(),
            level == null ? ANY_LEVEL : level.name())
        .pack();
  }

  static Layout layout(byte[] stored) {
    return decode(
        "the layout",
        stored,
        tuple -> {
          String level = tuple.getString(4);
          return new Layout(
              Math.toIntExact(tuple.getLong(1)),
              Math.toIntExact(tuple.getLong(2)),
              Math.toIntExact(tuple.getLong(3)),
              level.equals(ANY_LEVEL) ? null : TrustLevel.valueOf(level));
        });
  }

  static byte[] ownership(Epoch epoch, String owner) {
    return Tuple.from(VERSION, epoch.number(), epoch.claimId(), cut(owner)).pack();
  }

  static Ownership ownership(byte @Nullable [] stored) {
    return stored == null
        ? Ownership.NONE
        : decode(
            "the epoch",
            stored,
            tuple ->
                new Ownership(new Epoch(tuple.getLong(1), tuple.getUUID(2)), tuple.getString(3)));
  }

  static byte[] generations(Generations generations) {
    return Tuple.from(VERSION, generations.inUse, generations.building, generations.last).pack();
  }

  static Generations generations(byte @Nullable [] stored) {
    return stored == null
        ? Generations.FIRST
        : decode(
            "the generations",
            stored,
            tuple -> new Generations(tuple.getLong(1), tuple.getLong(2), tuple.getLong(3)));
  }

  static byte[] failure(PartitionFailure failure) {
    return Tuple.from(VERSION, cut(failure.key()), cut(failure.cause())).pack();
  }

  static @Nullable PartitionFailure failure(byte @Nullable [] stored) {
    return stored == null
        ? null
        : decode(
            "the failure",
            stored,
            tuple -> new PartitionFailure(tuple.getString(1), tuple.getString(2)));
  }

  static byte[] definition(SequenceDefinition definition) {
    return Tuple.from(
            VERSION,
            definition.name(),
            definition.start(),
            definition.min(),
            definition.max(),
            definition.increment(),
            definition.cycle())
        .pack();
  }

  static SequenceDefinition definition(byte[] stored) {
    return decode(
        "a sequence's definition",
        stored,
        tuple ->
            new SequenceDefinition(
                tuple.getString(1),
                tuple.getLong(2),
                tuple.getLong(3),
                tuple.getLong(4),
                tuple.getLong(5),
                tuple.getBoolean(6)));
  }

  static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(0, number).array();
  }

  static long number(String what, byte @Nullable [] stored, long absent) {
    if (stored == null) {
      return absent;
    }
    if (stored.length != Long.BYTES) {
      throw new StorageCorruptedException(
          what + " must have 8 bytes, was " + stored.length + "; rebuild or restore it");
    }
    return ByteBuffer.wrap(stored).getLong();
  }

  /** The version first, so that of two values the one with the higher version is the larger. */
  static byte[] value(VersionedValue value) {
    return ByteBuffer.allocate(VALUE_BYTES)
        .putLong(value.version())
        .putLong(value.value())
        .put((byte) (value.issued() ? 1 : 0))
        .array();
  }

  static VersionedValue value(byte[] stored) {
    if (stored.length != VALUE_BYTES) {
      throw new StorageCorruptedException(
          "a sequence's value must have 17 bytes, was " + stored.length + "; restore it");
    }
    ByteBuffer in = ByteBuffer.wrap(stored);
    return new VersionedValue(in.getLong(), in.getLong(), in.get() != 0);
  }

  private static <T> T decode(String what, byte[] stored, Function<Tuple, T> read) {
    try {
      Tuple tuple = Tuple.fromBytes(stored);
      long version = tuple.getLong(0);
      if (version != VERSION) {
        throw new StorageCorruptedException(
            what + " has format version " + version + ", this release reads " + VERSION);
      }
      return read.apply(tuple);
    } catch (IllegalArgumentException
        | ArithmeticException
        | ClassCastException
        | IndexOutOfBoundsException
        | NullPointerException e) {
      throw new StorageCorruptedException(what + " cannot be read; restore it", e);
    }
  }

  /** Texts are for operators: a very long one is cut rather than refused by the cluster. */
  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
  }
}
