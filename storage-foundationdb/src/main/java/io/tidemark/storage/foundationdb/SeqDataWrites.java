package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.foundationdb.Keys.PartitionKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers on their way to SeqData: BYTE_MAX on big-endian numbers never lowers one, reads nothing
 * and conflicts with nobody. Filled into as few transactions as their limit allows; a partition's
 * offset comes after its values, so never in an earlier transaction.
 */
final class SeqDataWrites {
  @SuppressWarnings("ArrayRecordComponent") // never leaves the adapter
  private record Maximum(byte[] key, byte[] number) {}

  private final List<Maximum> maxima = new ArrayList<>();

  SeqDataWrites add(PartitionKeys keys, long generation, SeqValues batch, long nextOffset) {
    FoundationDbLogReader.requireOffset("nextOffset", nextOffset);
    for (int i = 0; i < batch.size(); i++) {
      long number = batch.number(i);
      if (number < 0) {
        throw new IllegalArgumentException("number must be >= 0, was " + number);
      }
      if (number > 0) {
        byte[] key = keys.number(generation, batch.wsid(i), batch.seqId(i));
        maxima.add(new Maximum(key, MetaCodec.number(number)));
      }
    }
    maxima.add(new Maximum(keys.nextOffset(generation), MetaCodec.number(nextOffset)));
    return this;
  }

  void write(String what, Transactions transactions, int perTransaction) {
    for (int from = 0; from < maxima.size(); from += perTransaction) {
      List<Maximum> part = maxima.subList(from, Math.min(maxima.size(), from + perTransaction));
      transactions.write(what, transaction -> write(transaction, part));
    }
  }

  private static void write(Transaction transaction, List<Maximum> part) {
    for (Maximum maximum : part) {
      transaction.mutate(MutationType.BYTE_MAX, maximum.key(), maximum.number());
    }
  }
}
