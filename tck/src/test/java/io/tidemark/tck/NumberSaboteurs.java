package io.tidemark.tck;

import static io.tidemark.tck.Saboteur.who;

import io.tidemark.api.FencedException;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.StorageCapability;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Ways to get SeqData wrong. */
final class NumberSaboteurs {
  private NumberSaboteurs() {}

  static List<Saboteur> all() {
    return List.of(
        who("promises more than it has", "C-1")
            .capabilities(
                real -> {
                  Set<StorageCapability> more = EnumSet.copyOf(real);
                  more.add(StorageCapability.DURABLE);
                  return more;
                }),
        who("answers numbers by ascending id", "S-4")
            .beside("I")
            .handles((app, real) -> new SortedAnswers(real)),
        who("reads numbers from a snapshot of the connection's first read", "S-5")
            .beside("S-12", "L-17", "I")
            .readers(
                (app, partition, real) ->
                    new DelegatingReader(real) {
                      @Override
                      public long[] readNumbers(long wsid, int[] seqIds) {
                        String key = partition + "/" + wsid + Arrays.toString(seqIds);
                        return (long[])
                            app.memory.computeIfAbsent(
                                key, unused -> real.readNumbers(wsid, seqIds));
                      }
                    }),
        who("starts a fresh partition at offset 0", "S-6")
            .beside("*")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public long readNextPLogOffset() {
                        long stored = real.readNextPLogOffset();
                        return stored == 1 ? 0 : stored;
                      }
                    }),
        who("stores all values of a batch but the last", "S-7")
            .beside("S-4", "S-8", "L-17", "I")
            .handles((app, real) -> new LosesTheLast(real)),
        who("lets the last write win", "S-8", "S-10", "S-1")
            .beside("S-5", "S-7", "S-9", "S-11", "S-12", "F-8", "I")
            .handles((app, real) -> new LastWriteWins(app, real)),
        who("merges numbers by offset", "S-8")
            .beside("S-1", "S-5", "S-10", "S-11", "I")
            .handles((app, real) -> new MergesByOffset(app, real)),
        who("keeps numbers as doubles", "S-8")
            .beside("S-5", "S-7", "S-10")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
                        SeqValues rounded = new SeqValues();
                        for (int i = 0; i < batch.size(); i++) {
                          rounded.add(
                              batch.wsid(i),
                              batch.seqId(i),
                              Math.max(1, (batch.number(i) >> 11) << 11));
                        }
                        boolean large = batch.size() > 0 && batch.number(0) > 1L << 53;
                        boolean extreme = batch.size() > 1 && batch.number(1) > 1L << 53;
                        real.writeValuesAndOffset(large || extreme ? rounded : batch, nextOffset);
                      }
                    }),
        who("takes an empty batch for nothing to do", "S-9")
            .beside("I")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
                        if (!batch.isEmpty()) {
                          real.writeValuesAndOffset(batch, nextOffset);
                        }
                      }
                    }),
        who("forgets the last partition of a group write", "S-10")
            .beside("I")
            .batches(all -> all.size() > 1 ? all.subList(0, all.size() - 1) : all),
        who("merges by reading and then writing", "S-1")
            .beside("S-8", "S-5", "I", "F-8", "S-11", "S-12")
            .handles((app, real) -> new ReadsThenWrites(app, real)),
        who("begins every rebuild anew", "S-11")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public ISeqGeneration rebuild() {
                        ISeqGeneration generation = real.rebuild();
                        return new DelegatingGeneration(generation) {
                          @Override
                          public long nextOffset() {
                            return 1;
                          }
                        };
                      }
                    }),
        who("builds into the generation in use", "S-12")
            .beside("S-11", "F-8")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public ISeqGeneration rebuild() {
                        ISeqGeneration generation = real.rebuild();
                        return new DelegatingGeneration(generation) {
                          @Override
                          public void write(SeqValues batch, long nextOffset) {
                            generation.write(batch, nextOffset);
                            real.writeValuesAndOffset(batch, nextOffset);
                          }
                        };
                      }
                    }),
        who("switches generations for anybody", "S-12")
            .beside("S-11", "F-8")
            .handles((app, real) -> new SwitchesForAnybody(app, real)),
        who("answers 0 for a generation that was replaced", "F-8")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public long[] readNumbers(long wsid, int[] seqIds) {
                        try {
                          return real.readNumbers(wsid, seqIds);
                        } catch (FencedException e) {
                          return new long[seqIds.length];
                        }
                      }
                    }));
  }

  private static final class SortedAnswers extends DelegatingHandle {
    SortedAnswers(IPartitionStorage real) {
      super(real);
    }

    @Override
    public long[] readNumbers(long wsid, int[] seqIds) {
      return real.readNumbers(wsid, Arrays.stream(seqIds).sorted().toArray());
    }
  }

  private static final class LosesTheLast extends DelegatingHandle {
    LosesTheLast(IPartitionStorage real) {
      super(real);
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      SeqValues cut = new SeqValues();
      for (int i = 0; i < Math.max(1, batch.size() - 1) && i < batch.size(); i++) {
        cut.add(batch.wsid(i), batch.seqId(i), batch.number(i));
      }
      real.writeValuesAndOffset(cut, nextOffset);
    }
  }

  private static final class LastWriteWins extends DelegatingHandle {
    private final SabotagedApp app;

    LastWriteWins(SabotagedApp app, IPartitionStorage real) {
      super(real);
      this.app = app;
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      for (int i = 0; i < batch.size(); i++) {
        app.forceNumber(partition(), batch.wsid(i), batch.seqId(i), batch.number(i));
      }
      app.forceOffset(partition(), nextOffset);
    }
  }

  private static final class MergesByOffset extends DelegatingHandle {
    private final SabotagedApp app;

    MergesByOffset(SabotagedApp app, IPartitionStorage real) {
      super(real);
      this.app = app;
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      if (nextOffset <= real.readNextPLogOffset()) {
        return;
      }
      for (int i = 0; i < batch.size(); i++) {
        app.forceNumber(partition(), batch.wsid(i), batch.seqId(i), batch.number(i));
      }
      app.forceOffset(partition(), nextOffset);
    }
  }

  private static final class ReadsThenWrites extends DelegatingHandle {
    private final SabotagedApp app;

    ReadsThenWrites(SabotagedApp app, IPartitionStorage real) {
      super(real);
      this.app = app;
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      for (int i = 0; i < batch.size(); i++) {
        long stored = real.readNumbers(batch.wsid(i), new int[] {batch.seqId(i)})[0];
        LockSupport.parkNanos(200_000);
        long merged = Math.max(stored, batch.number(i));
        app.forceNumber(partition(), batch.wsid(i), batch.seqId(i), merged);
      }
      real.writeValuesAndOffset(new SeqValues(), nextOffset);
    }
  }

  private static final class SwitchesForAnybody extends DelegatingHandle {
    private final SabotagedApp app;

    SwitchesForAnybody(SabotagedApp app, IPartitionStorage real) {
      super(real);
      this.app = app;
    }

    @Override
    public ISeqGeneration rebuild() {
      ISeqGeneration generation = real.rebuild();
      return new DelegatingGeneration(generation) {
        @Override
        public void activate() {
          try {
            generation.activate();
          } catch (FencedException e) {
            app.real.claim(partition(), "thief").rebuild().activate();
          }
        }
      };
    }
  }
}
