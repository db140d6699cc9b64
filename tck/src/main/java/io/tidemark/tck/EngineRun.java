package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.tck.EngineHistory.broken;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SequencerStatus;
import io.tidemark.api.StorageException;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The real engine over the storage under test: commands, crashes, takeovers, and faults. */
final class EngineRun implements AutoCloseable {
  static final int KIND = 1;
  static final int INVOICES = 256;
  static final int ORDERS = 257;

  private static final int[] SEQUENCES = {INVOICES, ORDERS};
  private static final int MAX_UNFLUSHED = 4;
  private static final int CACHE_NUMBERS = 6;
  private static final int GROUP = 3;

  /** A storage that answers is ready long before; the kit's own tests need not wait for others. */
  private static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("tidemark.tck.patience", 60));

  private final Scene scene;
  private final Faults faults;
  private final EngineHistory history;
  private final IAppStorage app;
  private final CacheBudget budget = CacheBudget.of(CACHE_NUMBERS);
  private final SequencerConfig config = config();
  private final List<Owner> owners = new ArrayList<>();

  EngineRun(Scene scene, long seed) {
    this.scene = scene;
    this.faults = new Faults(seed);
    this.history = new EngineHistory(scene.reader());
    this.app = new FaultyApp(scene.app(), faults, history);
  }

  static SequencerConfig config() {
    return SequencerConfig.builder(
            SequenceTypes.builder()
                .sequence(KIND, INVOICES, SequenceDefinition.named("invoices").build())
                .sequence(KIND, ORDERS, SequenceDefinition.named("orders").build())
                .build())
        .maxUnflushedValues(MAX_UNFLUSHED)
        .maxFlushingInterval(Duration.ofMillis(20))
        .retryCap(Duration.ofMillis(20))
        .batcherDelay(Duration.ofMillis(1))
        .build();
  }

  Faults faults() {
    return faults;
  }

  EngineHistory history() {
    return history;
  }

  /** An owner with its sequencer. */
  record Owner(FaultyHandle handle, ISequencer sequencer) {}

  Owner claim() {
    FaultyHandle handle = (FaultyHandle) app.claim(scene.partition(), "engine");
    ISequencer sequencer = Sequencers.of(app, config, budget, Environment.system()).open(handle);
    Owner owner = new Owner(handle, sequencer);
    owners.add(owner);
    return owner;
  }

  /** Leaves no engine behind, also where a rule was found broken. */
  @Override
  public void close() {
    for (Owner owner : owners) {
      owner.handle().kill();
      owner.sequencer().close(Duration.ofMillis(1));
    }
  }

  /** Terms of owners under faults, then calm and a last owner. */
  void run(int terms, int commands) {
    Owner owner = claim();
    for (int term = 0; term < terms; term++) {
      serve(owner, commands);
      history.check();
      Owner old = owner;
      boolean killed = faults.choose(2) == 0;
      if (killed) {
        old.handle().kill();
      }
      owner = claim();
      if (!killed) {
        serve(old, 2);
      }
      old.handle().deliverLateAppends();
      faults.deliverSome();
      old.sequencer().close(Duration.ofMillis(killed ? 1 : 500));
      history.check();
    }
    faults.calm();
    faults.deliverAll();
    serve(owner, 3);
    rest(owner);
  }

  /** Closes in calm, and checks what is stored then. */
  void rest(Owner owner) {
    faults.calm();
    faults.deliverAll();
    if (!owner.sequencer().awaitReady(PATIENCE)) {
      throw broken("I16", "not ready when faults had stopped: %s", owner.sequencer().status());
    }
    if (!owner.sequencer().close(PATIENCE)) {
      throw broken(
          "I16", "close did not flush when faults had stopped: %s", owner.sequencer().status());
    }
    history.checkAtRest();
  }

  /** Runs commands until they are done or the owner has come to its end. */
  void serve(Owner owner, int commands) {
    ISequencer sequencer = owner.sequencer();
    List<PLogEvent> group = new ArrayList<>();
    serve(owner, commands, group);
    if (!group.isEmpty() && !isFinal(sequencer)) {
      append(owner, group);
    }
  }

  private void serve(Owner owner, int commands, List<PLogEvent> group) {
    ISequencer sequencer = owner.sequencer();
    for (int left = commands; left > 0 && !isFinal(sequencer); left--) {
      long wsid = scene.workspace(faults.choose(2));
      long offset = sequencer.start(KIND, wsid, PATIENCE);
      if (offset == 0) {
        if (!group.isEmpty() && !isFinal(sequencer)) {
          append(owner, group); // the group itself is what presses back
          continue;
        }
        if (!isFinal(sequencer)) {
          throw broken("I16", "start was refused for %s: %s", PATIENCE, sequencer.status());
        }
        return;
      }
      PLogEvent event = build(sequencer, offset, wsid, group);
      checkMemory(sequencer.status());
      int what = faults.choose(6);
      if (what == 0 && group.isEmpty()) {
        sequencer.cancel();
      } else {
        group.add(event);
        long first = group.get(0).offset();
        boolean room = LogRules.fitting(owner.handle(), first - 1, GROUP) > group.size();
        if (what < 3 && left > 1 && room) {
          sequencer.stage();
        } else {
          append(owner, group);
        }
      }
    }
  }

  private static PLogEvent build(
      ISequencer sequencer, long offset, long wsid, List<PLogEvent> group) {
    List<Drawn> drawn = new ArrayList<>();
    for (int seqId : SEQUENCES) {
      drawn.add(new Drawn(seqId, sequencer.next(seqId)));
    }
    drawn.add(new Drawn(ORDERS, sequencer.next(ORDERS)));
    List<SequenceTouch> touches = new ArrayList<>();
    sequencer.drawn(
        (seqId, count, last, observed) ->
            touches.add(new SequenceTouch(seqId, count, last, observed)));
    long first = group.isEmpty() ? offset : group.get(0).offset();
    EventHeader header = new EventHeader(UUID.randomUUID(), first, wsid, KIND, 0, false, touches);
    return new PLogEvent(offset, header, Drawn.write(drawn));
  }

  private void append(Owner owner, List<PLogEvent> group) {
    List<PLogEvent> events = List.copyOf(group);
    group.clear();
    try {
      owner.handle().append(events, INSERT_IF_NOT_EXISTS);
    } catch (StorageException notKnownToBeIn) {
      if (!isFinal(owner.sequencer())) {
        owner.sequencer().actualize();
      }
      return;
    }
    try {
      owner.sequencer().flush();
    } catch (RuntimeException e) {
      throw broken("I20", "flush failed: %s", e);
    }
  }

  private void checkMemory(SequencerStatus status) {
    int group = GROUP * (SEQUENCES.length + 1);
    if (status.waitingValues() + status.inFlightValues() > 2 * MAX_UNFLUSHED + group) {
      throw broken("I14", "too many values are held: %s", status);
    }
    if (budget.used() > budget.capacity()) {
      throw broken("I14", "the cache holds %d of %d numbers", budget.used(), budget.capacity());
    }
  }

  private static boolean isFinal(ISequencer sequencer) {
    SequencerState state = sequencer.status().state();
    return state != SequencerState.ACTUALIZING
        && state != SequencerState.READY
        && state != SequencerState.IN_TRANSACTION;
  }
}
