package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.StorageCapability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of an application that this process serves, each with its sequencer and its
 * command processor. They share threads, cache and flusher, so that ten thousand cost little more
 * than one.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once. {@link #deploy} waits for the storage to
 * answer its claim, and for nothing else.
 */
public final class AppPartitions implements AutoCloseable {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  private final IAppStorage storage;
  private final PipelineConfig config;
  private final Sequencers sequencers;
  private final RecordRegistry registry;
  private final boolean atomic;
  private final Map<Integer, Deployed> deployed = new ConcurrentHashMap<>();
  private final Map<Integer, List<Subscription>> subscriptions = new ConcurrentHashMap<>();

  /** Who deploys or undeploys a partition does so alone: a second claim would fence the first. */
  private final Map<Integer, ReentrantLock> gates = new ConcurrentHashMap<>();

  private record Deployed(
      IPartitionStorage storage, ISequencer sequencer, CommandProcessor processor) {}

  /**
   * Prepares to serve an application; deploys nothing yet.
   *
   * @param storage the application's storage; whoever opened it closes it
   * @throws IllegalArgumentException if the application's layout is bound to another trust level
   */
  public AppPartitions(IAppStorage storage, PipelineConfig config) {
    this.storage = requireNonNull(storage, "storage");
    this.config = config;
    TrustLevel bound = storage.layout().trustLevel();
    if (bound != null && bound != config.trustLevel()) {
      throw new IllegalArgumentException(
          "the application's rows are stored for trust level %s, configured is %s"
              .formatted(bound, config.trustLevel()));
    }
    this.atomic = storage.capabilities().contains(StorageCapability.ATOMIC_COMMIT);
    this.registry = new RecordRegistry(config.registryEntries());
    this.sequencers =
        Sequencers.of(
            new OwnedApplication(storage),
            listening(config.sequencer()),
            config.cache(),
            config.environment());
  }

  /**
   * Claims a partition and serves it, taking it over from whoever had it. It takes commands as soon
   * as the log's tail is read; until then they wait.
   *
   * @throws IllegalStateException if this process serves it already
   */
  public CommandProcessor deploy(int partition) {
    storage.layout().requirePartition(partition);
    return alone(
        partition,
        () -> {
          if (deployed.containsKey(partition)) {
            throw new IllegalStateException(
                "partition " + partition + " is deployed already; redeploy takes it over again");
          }
          Deployed fresh = open(storage.claim(partition, config.owner()));
          deployed.put(partition, fresh);
          return fresh.processor;
        });
  }

  private <T> T alone(int partition, Supplier<T> work) {
    ReentrantLock gate = gates.computeIfAbsent(partition, unused -> new ReentrantLock());
    gate.lock();
    try {
      return work.get();
    } finally {
      gate.unlock();
    }
  }

  private Deployed open(IPartitionStorage claimed) {
    int partition = claimed.partition();
    Applier applier = new Applier(claimed, config.trustLevel(), config.projectors());
    AtomicReference<@Nullable GroupCommit> groups = new AtomicReference<>();
    OwnedPartition owned =
        new OwnedPartition(
            claimed,
            applier,
            config.extractor(),
            tail -> {
              GroupCommit known = groups.get();
              if (known != null) { // before the first command there is nothing to decide
                known.reapplied(tail);
              }
            });
    ISequencer sequencer = sequencers.open(owned);
    EventBuilder builder =
        new EventBuilder(sequencer, claimed, registry, config.trustLevel(), config.environment());
    GroupCommit commit =
        new GroupCommit(
            sequencer, owned, applier, builder, config, atomic, () -> wakeSubscriptions(partition));
    groups.set(commit);
    CommandProcessor processor = new CommandProcessor(partition, storage.layout(), config, commit);
    return new Deployed(claimed, sequencer, processor);
  }

  /**
   * Stops serving a partition: the group being written is finished, what waits is refused, numbers
   * are flushed within {@code patience}. Answers whether all was.
   */
  public boolean undeploy(int partition, Duration patience) {
    return alone(
        partition,
        () -> {
          Deployed leaving = deployed.remove(partition);
          return leaving == null || close(leaving, patience);
        });
  }

  private boolean close(Deployed leaving, Duration patience) {
    long deadline = config.environment().nanoTime() + Times.nanos(patience);
    boolean finished = leaving.processor.close(patience);
    long left = Math.max(0, deadline - config.environment().nanoTime());
    boolean flushed = leaving.sequencer.close(Duration.ofNanos(left));
    leaving.processor.giveUp();
    return finished && flushed;
  }

  /** Serves a partition anew, whether it is served, fenced, failed or not deployed at all. */
  public CommandProcessor redeploy(int partition) {
    return alone(
        partition,
        () -> {
          undeploy(partition, CLOSE_PATIENCE);
          return deploy(partition);
        });
  }

  /**
   * Clears a partition's stored failure the way an operator has decided, and serves it. [P-11]
   *
   * @throws IllegalStateException if there is none, or it cannot be resolved this way
   * @throws io.tidemark.api.SequenceViolationException if the foreign row is still there
   */
  public CommandProcessor resolve(int partition, Resolution how) {
    storage.layout().requirePartition(partition);
    return alone(partition, () -> resolveAlone(partition, how));
  }

  private CommandProcessor resolveAlone(int partition, Resolution how) {
    boolean served = deployed.containsKey(partition);
    undeploy(partition, CLOSE_PATIENCE);
    try {
      IPartitionStorage claimed = storage.claim(partition, config.owner());
      new FailureResolver(claimed, config.trustLevel(), config.environment()).resolve(how);
    } catch (RuntimeException e) {
      if (served) {
        deploy(partition); // failed as before, and visible as such
      }
      throw e;
    }
    return deploy(partition);
  }

  /**
   * Clears a partition's stored failure for whoever serves it next: for operators, who need not
   * know the application's sequences. Claims the partition. [P-11]
   *
   * @throws IllegalStateException if there is none, or it cannot be resolved this way
   * @throws io.tidemark.api.SequenceViolationException if the foreign row is still there
   */
  public static void resolve(
      IAppStorage storage, int partition, TrustLevel level, String owner, Resolution how) {
    storage.layout().requirePartition(partition);
    IPartitionStorage claimed = storage.claim(partition, owner);
    new FailureResolver(claimed, level, Environment.system()).resolve(how);
  }

  /** Reads a partition's log from an offset to its end; needs no deployment. */
  public void readPLog(int partition, long from, EventHandler handler) {
    storage
        .reader(partition)
        .readPLog(
            from,
            event -> {
              if (EventReader.isShown(event)) {
                handler.handle(Event.of(event));
              }
              return true;
            });
  }

  /** Reads a workspace's log from an offset to its end; needs no deployment. */
  public void readWLog(long wsid, long from, EventHandler handler) {
    readerFor(wsid)
        .readWLog(
            wsid,
            from,
            row -> {
              handler.handle(Event.of(row));
              return true;
            });
  }

  /** Reads a record; null if there is none. Needs no deployment. */
  public @Nullable StoredRecord readRecord(long wsid, long recordId) {
    RecordRow row = readerFor(wsid).readRecord(wsid, recordId);
    return row == null ? null : RecordRegistry.decode(row);
  }

  private IPartitionReader readerFor(long wsid) {
    return storage.reader(storage.layout().partitionOf(wsid));
  }

  /** Follows a partition's log from an offset on, whoever writes it. */
  public Subscription subscribe(int partition, long from, EventHandler handler) {
    IPartitionReader reader = storage.reader(partition);
    return follow(partition, from, at -> EventReader.plogPage(reader, at), handler);
  }

  /** Follows a workspace's log from an offset on, whoever writes it. */
  public Subscription subscribeWorkspace(long wsid, long from, EventHandler handler) {
    IPartitionReader reader = readerFor(wsid);
    int partition = storage.layout().partitionOf(wsid);
    return follow(partition, from, at -> EventReader.wlogPage(reader, wsid, at), handler);
  }

  private Subscription follow(
      int partition, long from, Subscription.Source source, EventHandler handler) {
    List<Subscription> all =
        subscriptions.computeIfAbsent(partition, unused -> new CopyOnWriteArrayList<>());
    Subscription subscription = new Subscription(config, from, source, handler, all::remove);
    all.add(subscription);
    subscription.wake();
    return subscription;
  }

  private void wakeSubscriptions(int partition) {
    List<Subscription> all = subscriptions.get(partition);
    if (all != null) {
      all.forEach(Subscription::wake);
    }
  }

  /** The sequencer of a deployed partition. Its transactions are the processor's. */
  public ISequencer sequencer(int partition) {
    return require(partition).sequencer;
  }

  /** The command processor of a deployed partition. */
  public CommandProcessor processor(int partition) {
    return require(partition).processor;
  }

  /** The command processor that serves a workspace. */
  public CommandProcessor processorFor(long wsid) {
    return processor(storage.layout().partitionOf(wsid));
  }

  /** The state of a deployed partition. */
  public PartitionStatus status(int partition) {
    Deployed known = require(partition);
    return new PartitionStatus(partition, known.sequencer.status(), known.processor.queued());
  }

  /** The partitions deployed now, in order. */
  public List<Integer> partitions() {
    return deployed.keySet().stream().sorted().toList();
  }

  private Deployed require(int partition) {
    Deployed known = deployed.get(partition);
    if (known == null) {
      throw new IllegalStateException(
          "partition " + partition + " is not deployed here; deploy it first");
    }
    return known;
  }

  /** Ends subscriptions, undeploys all, five seconds at most for each. The storage stays open. */
  @Override
  public void close() {
    subscriptions.values().forEach(all -> all.forEach(Subscription::close));
    for (int partition : partitions()) {
      undeploy(partition, CLOSE_PATIENCE);
    }
  }

  /** The same configuration, with a listener that also wakes the processors. */
  private SequencerConfig listening(SequencerConfig given) {
    return new SequencerConfig(
        given.sequences(),
        given.maxUnflushedValues(),
        given.maxFlushingInterval(),
        given.batcherDelay(),
        given.retryCap(),
        given.readTimeout(),
        new Waking(given.listener()));
  }

  private final class Waking implements SequencerListener {
    private final SequencerListener next;

    Waking(SequencerListener next) {
      this.next = next;
    }

    private void wake(int partition) {
      Deployed known = deployed.get(partition);
      if (known != null) {
        known.processor.wake();
      }
    }

    @Override
    public void flushed(int partition, int values, long nextOffset) {
      wake(partition);
      next.flushed(partition, values, nextOffset);
    }

    @Override
    public void retrying(int partition, String work, Duration delay, Throwable cause) {
      next.retrying(partition, work, delay, cause);
    }

    @Override
    public void actualizing(int partition, long offset, long eventsRead) {
      next.actualizing(partition, offset, eventsRead);
    }

    @Override
    public void ready(int partition, long nextOffset, long eventsRead) {
      wake(partition);
      next.ready(partition, nextOffset, eventsRead);
    }

    @Override
    public void fenced(int partition, Throwable cause) {
      wake(partition);
      next.fenced(partition, cause);
    }

    @Override
    public void failed(int partition, Throwable cause) {
      wake(partition);
      next.failed(partition, cause);
    }
  }
}
