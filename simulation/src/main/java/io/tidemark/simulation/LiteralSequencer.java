package io.tidemark.simulation;

import io.tidemark.api.DrawVisitor;
import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SequencerStatus;
import io.tidemark.api.StorageException;
import io.tidemark.api.SystemSequences;
import io.tidemark.core.Environment;
import io.tidemark.core.Environment.Lane;
import io.tidemark.core.Environment.Signal;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The algorithm exactly as the newest source document words it, kept as a known bug: it shows what
 * the engine had to get right beyond the text.
 *
 * <p>It keeps <em>next</em> values in memory and storage while replay brings <em>last used</em>
 * ones, loads a whole workspace over what still waits, forgets the queue when it actualizes, and
 * settles nothing. It has no groups, no cancel and no observed numbers; those verbs do the nearest
 * thing.
 */
final class LiteralSequencer implements ISequencer {
  private static final int MAX_UNFLUSHED = 3;
  private static final int CACHE = 6;
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final ISeqStorage storage;
  private final Environment environment;
  private final Signal changed;
  private final Signal flusherSignal;
  private final Map<Long, Long> lru =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > CACHE;
        }
      };
  private final Map<Long, Long> inproc = new HashMap<>();
  private final Map<Long, Long> toBeFlushed = new HashMap<>();
  private long toBeFlushedOffset;
  private long nextOffset;
  private long wsid;
  private int flusherGeneration;
  private SequencerState state = SequencerState.ACTUALIZING;
  private Refusal refusal = Refusal.NONE;

  LiteralSequencer(ISeqStorage storage, Environment environment) {
    this.storage = storage;
    this.environment = environment;
    this.changed = environment.newSignal();
    this.flusherSignal = environment.newSignal();
    environment.execute(Lane.REPLAY, this::actualizer);
  }

  private static long key(long wsid, int seqId) {
    return wsid << 16 | seqId;
  }

  @Override
  public long start(int wsKind, long workspace) {
    refusal =
        switch (state) {
          case ACTUALIZING -> Refusal.ACTUALIZING;
          case CLOSED -> Refusal.CLOSED;
          default -> toBeFlushed.size() >= MAX_UNFLUSHED ? Refusal.BACKPRESSURE : Refusal.NONE;
        };
    if (refusal != Refusal.NONE) {
      return 0;
    }
    wsid = workspace;
    state = SequencerState.IN_TRANSACTION;
    return nextOffset;
  }

  @Override
  public long start(int wsKind, long workspace, Duration patience) {
    long deadline = environment.nanoTime() + patience.toNanos();
    while (true) {
      long ticket = changed.ticket();
      long offset = start(wsKind, workspace);
      long left = deadline - environment.nanoTime();
      if (offset != 0 || left <= 0 || state == SequencerState.CLOSED) {
        return offset;
      }
      changed.await(ticket, left);
    }
  }

  @Override
  public long next(int seqId) {
    long key = key(wsid, seqId);
    Long value = lru.get(key);
    if (value == null) {
      value = inproc.get(key);
    }
    if (value == null) {
      value = toBeFlushed.get(key);
    }
    if (value == null) {
      value = load(seqId);
    }
    lru.put(key, value + 1);
    inproc.put(key, value + 1);
    return value;
  }

  private long load(int seqId) {
    long asked = 1;
    long[] numbers = readNumbers();
    for (int i = 0; i < numbers.length; i++) {
      long value = numbers[i] == 0 ? 1 : numbers[i];
      lru.put(key(wsid, Cluster.SEQUENCES[i]), value);
      if (Cluster.SEQUENCES[i] == seqId) {
        asked = value;
      }
    }
    return asked;
  }

  private long[] readNumbers() {
    while (true) {
      try {
        return storage.readNumbers(wsid, Cluster.SEQUENCES);
      } catch (StorageException e) {
        environment.newSignal().await(0, INTERVAL.toNanos());
      }
    }
  }

  @Override
  public void flush() {
    toBeFlushed.putAll(inproc);
    toBeFlushed.put(key(wsid, SystemSequences.WORKSPACE_KIND), (long) Cluster.KIND);
    inproc.clear();
    toBeFlushedOffset = ++nextOffset;
    state = SequencerState.READY;
    flusherSignal.raise();
  }

  @Override
  public void actualize() {
    state = SequencerState.ACTUALIZING;
    lru.clear();
    inproc.clear();
    toBeFlushed.clear();
    environment.execute(Lane.REPLAY, this::actualizer);
  }

  private void actualizer() {
    int generation = ++flusherGeneration;
    toBeFlushed.clear();
    environment.execute(Lane.FLUSH, () -> flusher(generation));
    while (state == SequencerState.ACTUALIZING) {
      try {
        nextOffset = storage.readNextPLogOffset();
        toBeFlushedOffset = nextOffset;
        storage.actualizeSequencesFromPLog(nextOffset, Cancellation.NEVER, this::batcher);
        state = SequencerState.READY;
      } catch (StorageException e) {
        environment.newSignal().await(0, INTERVAL.toNanos());
      }
    }
    changed.raise();
  }

  private void batcher(SeqValues values, long offset) {
    while (toBeFlushed.size() >= MAX_UNFLUSHED && state != SequencerState.CLOSED) {
      flusherSignal.raise();
      environment.newSignal().await(0, Duration.ofMillis(5).toNanos());
    }
    nextOffset = offset + 1;
    for (int i = 0; i < values.size(); i++) {
      toBeFlushed.merge(key(values.wsid(i), values.seqId(i)), values.number(i), Math::max);
    }
    toBeFlushedOffset = offset + 1;
  }

  private void flusher(int generation) {
    while (generation == flusherGeneration && state != SequencerState.CLOSED) {
      flusherSignal.await(flusherSignal.ticket(), INTERVAL.toNanos());
      if (!toBeFlushed.isEmpty()) {
        writeOnce();
      }
    }
  }

  private void writeOnce() {
    long offset = toBeFlushedOffset;
    Map<Long, Long> copy = new HashMap<>(toBeFlushed);
    SeqValues batch = new SeqValues();
    copy.forEach((key, value) -> batch.add(key >> 16, (int) (key & 0xFFFF), value));
    try {
      storage.writeValuesAndOffset(batch, offset);
      copy.forEach(toBeFlushed::remove);
      changed.raise();
    } catch (StorageException e) {
      environment.newSignal().await(0, INTERVAL.toNanos());
    }
  }

  @Override
  public Refusal refusal() {
    return refusal;
  }

  @Override
  public long next(int seqId, int count) {
    long first = next(seqId);
    for (int i = 1; i < count; i++) {
      next(seqId);
    }
    return first;
  }

  @Override
  public void observe(int seqId, long number) {
    lru.put(key(wsid, seqId), number + 1);
    inproc.put(key(wsid, seqId), number + 1);
  }

  @Override
  public void drawn(DrawVisitor visitor) {
    inproc.forEach((key, value) -> visitor.visit((int) (key & 0xFFFF), 1, value - 1, true));
  }

  @Override
  public void stage() {
    throw new IllegalStateException("the literal algorithm has no groups");
  }

  @Override
  public void cancel() {
    actualize();
  }

  @Override
  public SequencerStatus status() {
    return new SequencerStatus(state, nextOffset, toBeFlushedOffset, toBeFlushed.size(), 0, null);
  }

  @Override
  public boolean awaitReady(Duration patience) {
    changed.await(changed.ticket(), patience.toNanos());
    return state == SequencerState.READY;
  }

  @Override
  public boolean close(Duration patience) {
    state = SequencerState.CLOSED;
    flusherGeneration++;
    changed.raise();
    return true; // the text knows no flush at the end, so nothing is said about one
  }
}
