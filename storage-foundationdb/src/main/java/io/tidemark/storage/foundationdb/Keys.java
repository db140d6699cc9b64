package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;

/**
 * Where an application's rows are: {@code (prefix, application, …)}, in the tuple encoding. Tables
 * are small numbers, so that keys stay short.
 */
final class Keys {
  private static final int LAYOUT = 0;
  private static final int PARTITION = 1;
  private static final int SEQUENCES = 2;

  private final Subspace root;

  Keys(String prefix, String application) {
    root = new Subspace(Tuple.from(prefix, application));
  }

  byte[] layout() {
    return root.pack(LAYOUT);
  }

  PartitionKeys partition(int partition) {
    return new PartitionKeys(root.subspace(Tuple.from(PARTITION, partition)));
  }

  SequenceKeys sequences() {
    return new SequenceKeys(root.subspace(Tuple.from(SEQUENCES)));
  }

  /** The keys of one partition. Rows that may be large are subspaces of numbered chunks. */
  static final class PartitionKeys {
    private static final int EPOCH = 0;
    private static final int GENERATION = 1;
    private static final int FAILURE = 2;
    private static final int PLOG = 3;
    private static final int WLOG = 4;
    private static final int RECORDS = 5;
    private static final int NUMBERS = 6;
    private static final int NEXT_OFFSET = 7;

    private final byte[] epoch;
    private final byte[] generation;
    private final byte[] failure;
    private final Subspace plog;
    private final Subspace wlog;
    private final Subspace records;
    private final Subspace numbers;
    private final Subspace nextOffsets;

    PartitionKeys(Subspace root) {
      epoch = root.pack(EPOCH);
      generation = root.pack(GENERATION);
      failure = root.pack(FAILURE);
      plog = root.get(PLOG);
      wlog = root.get(WLOG);
      records = root.get(RECORDS);
      numbers = root.get(NUMBERS);
      nextOffsets = root.get(NEXT_OFFSET);
    }

    /** Apart from the other meta keys: appends read it, and nothing but a move of it stops them. */
    byte[] epoch() {
      return epoch;
    }

    byte[] generation() {
      return generation;
    }

    byte[] failure() {
      return failure;
    }

    Subspace plog() {
      return plog;
    }

    Subspace plog(long offset) {
      return plog.get(offset);
    }

    Subspace wlog() {
      return wlog;
    }

    Subspace wlog(long wsid, long wlogOffset) {
      return wlog.subspace(Tuple.from(wsid, wlogOffset));
    }

    Subspace records() {
      return records;
    }

    Subspace record(long wsid, long recordId) {
      return records.subspace(Tuple.from(wsid, recordId));
    }

    Subspace numbers() {
      return numbers;
    }

    byte[] number(long ofGeneration, long wsid, int seqId) {
      return numbers.pack(Tuple.from(ofGeneration, wsid, seqId));
    }

    Subspace nextOffsets() {
      return nextOffsets;
    }

    byte[] nextOffset(long ofGeneration) {
      return nextOffsets.pack(ofGeneration);
    }
  }

  /** The keys of the SQL-like sequences. */
  static final class SequenceKeys {
    private static final int CLAIM = 0;
    private static final int LAST_ID = 1;
    private static final int DEFINITIONS = 2;
    private static final int VALUES = 3;

    private final byte[] claim;
    private final byte[] lastId;
    private final Subspace definitions;
    private final Subspace values;

    SequenceKeys(Subspace root) {
      claim = root.pack(CLAIM);
      lastId = root.pack(LAST_ID);
      definitions = root.get(DEFINITIONS);
      values = root.get(VALUES);
    }

    byte[] claim() {
      return claim;
    }

    byte[] lastId() {
      return lastId;
    }

    Subspace definitions() {
      return definitions;
    }

    byte[] definition(long id) {
      return definitions.pack(id);
    }

    byte[] value(long id) {
      return values.pack(id);
    }
  }
}
