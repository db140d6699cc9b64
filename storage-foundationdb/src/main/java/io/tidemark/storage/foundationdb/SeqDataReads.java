package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.ReadTransaction;
import io.tidemark.api.FencedException;
import io.tidemark.storage.foundationdb.MetaCodec.Generations;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;

/** Reads numbers, together with the generation in use: those of a replaced one are gone. */
final class SeqDataReads {
  private SeqDataReads() {}

  /** The numbers of {@code generation}. */
  static long[] numbers(FoundationDbLogReader reader, long generation, long wsid, int[] seqIds) {
    return numbers(reader, wsid, seqIds, inUse -> requireNotReplaced(reader, generation, inUse));
  }

  /** The numbers of the generation in use. */
  static long[] numbers(FoundationDbLogReader reader, long wsid, int[] seqIds) {
    return numbers(reader, wsid, seqIds, inUse -> inUse);
  }

  /** The next offset of {@code generation}. */
  static long nextOffset(FoundationDbLogReader reader, long generation) {
    return nextOffset(reader, inUse -> requireNotReplaced(reader, generation, inUse));
  }

  /** The next offset of the generation in use. */
  static long nextOffset(FoundationDbLogReader reader) {
    return nextOffset(reader, inUse -> inUse);
  }

  static Generations generations(FoundationDbLogReader reader, ReadTransaction transaction) {
    return MetaCodec.generations(transaction.get(reader.keys.generation()).join());
  }

  private static long requireNotReplaced(
      FoundationDbLogReader reader, long generation, long inUse) {
    if (generation < inUse) {
      throw new FencedException(
          "SeqData generation %d of %s was replaced by %d: claim the partition again"
              .formatted(generation, reader.name, inUse));
    }
    return generation;
  }

  private static long[] numbers(
      FoundationDbLogReader reader, long wsid, int[] seqIds, LongUnaryOperator chosen) {
    return reader
        .app
        .transactions()
        .read(
            "read numbers of " + reader.name,
            transaction -> {
              long inUse = generations(reader, transaction).inUse();
              long generation = chosen.applyAsLong(inUse);
              return numbers(reader, transaction, generation, wsid, seqIds);
            });
  }

  private static long[] numbers(
      FoundationDbLogReader reader,
      ReadTransaction transaction,
      long generation,
      long wsid,
      int[] seqIds) {
    CompletableFuture<?>[] reads = new CompletableFuture<?>[seqIds.length];
    for (int i = 0; i < seqIds.length; i++) {
      reads[i] = transaction.get(reader.keys.number(generation, wsid, seqIds[i]));
    }
    long[] numbers = new long[seqIds.length];
    for (int i = 0; i < seqIds.length; i++) {
      String what = "number " + seqIds[i] + " of workspace " + Long.toUnsignedString(wsid);
      numbers[i] = MetaCodec.number(what, (byte[]) reads[i].join(), 0);
    }
    return numbers;
  }

  private static long nextOffset(FoundationDbLogReader reader, LongUnaryOperator chosen) {
    return reader
        .app
        .transactions()
        .read(
            "read the next offset of " + reader.name,
            transaction -> {
              long inUse = generations(reader, transaction).inUse();
              byte[] key = reader.keys.nextOffset(chosen.applyAsLong(inUse));
              return MetaCodec.number("the next offset", transaction.get(key).join(), 1);
            });
  }
}
