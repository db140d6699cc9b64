package io.tidemark.pipeline;

import io.tidemark.api.FencedException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SequencerStatus;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.PLogEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a group from its first transaction to its answers.
 *
 * <p>append -> flush -> records -> projectors -> workspace logs -> answers; where the storage
 * commits atomically, commit -> flush -> projectors -> answers. Whatever fails on the way, the
 * sequencer is made to actualize, which settles the log and applies its last group again; only then
 * is the group answered, so that nobody is told less than is known. [P-8]
 *
 * <p>Used by one thread at a time; {@link #reapplied} is called by the sequencer's background.
 */
final class GroupCommit {
  private static final Logger LOGGER = System.getLogger(GroupCommit.class.getName());

  /** After so many groups a larger one is tried again. */
  private static final int FITTING_GROUPS = 256;

  private final ISequencer sequencer;
  private final OwnedPartition storage;
  private final Applier applier;
  private final EventBuilder builder;
  private final PipelineConfig config;
  private final boolean atomic;
  private final Runnable logged;
  private boolean open;

  /** The most events of a group: less after one was too large for the storage, then more again. */
  private int mostEvents;

  /** How many groups the storage took since. */
  private int fitting;

  /** The group whose fate the actualization in the background decides. */
  private volatile @Nullable Group unresolved;

  /** Whether the actualization that decides it still has to be asked for. */
  private boolean unasked;

  GroupCommit(
      ISequencer sequencer,
      OwnedPartition storage,
      Applier applier,
      EventBuilder builder,
      PipelineConfig config,
      boolean atomic,
      Runnable logged) {
    this.sequencer = sequencer;
    this.storage = storage;
    this.applier = applier;
    this.builder = builder;
    this.config = config;
    this.atomic = atomic;
    this.logged = logged;
    this.mostEvents = config.groupLimit();
  }

  /** What became of a command that was to join a group. */
  enum Joined {
    /** It is in the group. */
    YES,
    /** It was answered. */
    ANSWERED,
    /** There is no room: write the group first. */
    NEXT_GROUP,
    /** The sequencer refuses for now. */
    REFUSED
  }

  Refusal refusal() {
    return sequencer.refusal();
  }

  Joined join(Pending pending, Group group) {
    Command command = pending.command;
    long offset;
    try {
      if (open) {
        sequencer.stage();
        open = false;
      }
      offset = sequencer.start(command.wsKind(), command.wsid());
    } catch (RuntimeException | Error e) { // whatever it is, the command must be answered
      Refusal ended = e instanceof IllegalStateException ? refusalNow() : Refusal.NONE;
      if (ended != Refusal.NONE) {
        return refused(pending, group, ended);
      }
      pending.refuse(e);
      return Joined.ANSWERED;
    }
    if (offset == 0) {
      return refused(pending, group, sequencer.refusal());
    }
    return build(pending, group, offset);
  }

  private Joined refused(Pending pending, Group group, Refusal reason) {
    if (!group.isEmpty()) {
      return Joined.NEXT_GROUP;
    }
    if (reason == Refusal.ACTUALIZING || reason == Refusal.BACKPRESSURE) {
      return Joined.REFUSED;
    }
    pending.refuse(config.busy(reason));
    return Joined.ANSWERED;
  }

  private Joined build(Pending pending, Group group, long offset) {
    BuiltEvent built;
    long most;
    try {
      long first = group.isEmpty() ? offset : group.first().offset();
      built = builder.build(pending.command, offset, first);
      most = storage.groupLimit(first).bytes();
    } catch (RuntimeException | Error e) { // whatever it is, the transaction must not stay open
      boolean ended = !giveBack();
      pending.refuse(ended ? config.busy(refusalNow()) : e);
      return Joined.ANSWERED;
    }
    long size = built.event().size();
    if (group.bytes() + size <= most) {
      group.add(pending, built);
      open = true;
      return Joined.YES;
    }
    giveBack();
    if (!group.isEmpty()) {
      return Joined.NEXT_GROUP;
    }
    pending.refuse(
        new IllegalArgumentException(
            "the command's event has up to %d bytes, the storage takes %d".formatted(size, most)));
    return Joined.ANSWERED;
  }

  /** Cancels the open transaction; false when the sequencer has ended meanwhile. */
  private boolean giveBack() {
    try {
      sequencer.cancel();
      return true;
    } catch (IllegalStateException e) {
      requireEnded(e);
      return false;
    }
  }

  private void requireEnded(IllegalStateException e) {
    if (refusalNow() == Refusal.NONE) {
      throw e;
    }
  }

  private Refusal refusalNow() {
    return switch (sequencer.status().state()) {
      case ACTUALIZING -> Refusal.ACTUALIZING;
      case FENCED -> Refusal.FENCED;
      case FAILED -> Refusal.FAILED;
      case CLOSED -> Refusal.CLOSED;
      case READY, IN_TRANSACTION -> Refusal.NONE;
    };
  }

  /** The most events a group that starts here may have. */
  int limit(Group group) {
    return Math.min(mostEvents, storage.groupLimit(group.first().offset()).events());
  }

  /** Writes the group and answers it, or leaves it to recovery. */
  void commit(Group group) {
    open = false;
    try {
      write(group);
    } catch (RuntimeException | Error e) { // not the storage's: the log still tells what became
      LOGGER.log(Level.WARNING, "a group is left to recovery", e);
      unasked = true;
      unresolved = group;
    }
  }

  private void write(Group group) {
    try {
      if (atomic) {
        storage.commit(group.commitGroup(), config.trustLevel());
      } else {
        storage.append(group.plogEvents(), config.trustLevel().events());
      }
    } catch (SequenceViolationException e) {
      storage.failed(FailureKey.failure(e, group));
      actualize();
      refuseAll(group, e);
      return;
    } catch (FencedException e) {
      actualize();
      refuseAll(group, config.busy(Refusal.FENCED));
      return;
    } catch (StorageUnavailableException | StorageCorruptedException e) {
      actualize();
      refuseAll(group, e);
      return;
    } catch (IllegalArgumentException e) {
      tooLarge(group, e);
      return;
    } catch (RuntimeException | Error e) {
      unresolved = group;
      actualize();
      return;
    }
    sequencer.flush();
    if (mostEvents < config.groupLimit() && ++fitting >= FITTING_GROUPS) {
      mostEvents = Math.min(config.groupLimit(), 2 * mostEvents);
      fitting = 0;
    }
    apply(group);
  }

  /** Answers a group that the storage refused before it sent anything: nothing was logged. */
  private void tooLarge(Group group, IllegalArgumentException cause) {
    if (group.size() == 1) {
      giveBack();
      refuseAll(group, cause);
      return;
    }
    mostEvents = Math.max(1, group.size() / 2);
    fitting = 0;
    actualize();
    refuseAll(group, new StorageUnavailableException("the group was too large; try again", cause));
  }

  private void apply(Group group) {
    try {
      logged.run();
      if (atomic) {
        applier.project(group);
      } else {
        applier.apply(group);
        logged.run();
      }
    } catch (SequenceViolationException e) {
      storage.failed(FailureKey.failure(e, group));
      group.logged = true;
      refuseLogged(group, e);
      unasked = true;
      unresolved = group;
      return;
    } catch (UnappliableException e) {
      storage.failed(e.failure());
      group.logged = true;
      refuseLogged(group, e);
      unasked = true;
      unresolved = group;
      return;
    } catch (RuntimeException | Error e) {
      group.logged = true;
      unasked = true;
      unresolved = group;
      return;
    }
    answer(group);
  }

  private static void answer(Group group) {
    for (int i = 0; i < group.size(); i++) {
      group.commands.get(i).answer(group.events.get(i).reply());
    }
  }

  private static void refuseAll(Group group, RuntimeException cause) {
    for (Pending pending : group.commands) {
      pending.refuse(cause);
    }
  }

  /** Tells each of a logged group what is known: whose row is in the way, who is in the log. */
  private static void refuseLogged(Group group, @Nullable Throwable cause) {
    for (int i = 0; i < group.size(); i++) {
      BuiltEvent built = group.events.get(i);
      Throwable told = unknown(built, group.logged, cause);
      if (cause instanceof SequenceViolationException violation
          && (group.size() == 1 || FailureKey.writes(built, violation.key()))) {
        told = violation;
      }
      group.commands.get(i).refuse(told);
    }
  }

  private static OutcomeUnknownException unknown(
      BuiltEvent built, boolean isLogged, @Nullable Throwable cause) {
    String place = built.event().key();
    return new OutcomeUnknownException(
        isLogged
            ? "the event is in the log at " + place + ", but not applied yet"
            : "whether the event is in the log at " + place + " is not known",
        cause);
  }

  /** Asks the sequencer to settle, read the log and apply its last group again. */
  private void actualize() {
    try {
      sequencer.actualize();
    } catch (IllegalStateException e) {
      requireEnded(e);
    }
  }

  // Recovery

  boolean isRecovering() {
    return unresolved != null;
  }

  /** Whether the background knows that there is something to decide. */
  boolean isAsked() {
    return !unasked;
  }

  /** Called before the sequencer is ready again, with the log's last group, applied. */
  void reapplied(List<PLogEvent> tail) {
    Group group = unresolved;
    if (group != null) {
      group.logged =
          !tail.isEmpty()
              && tail.get(0).header().writeId().equals(group.first().header().writeId());
    }
  }

  /** Goes on with recovery, again and again if it fails; false when its end is to be waited for. */
  boolean recover() {
    try {
      return decide();
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.WARNING, "the recovery of a group is tried again", e);
      return false;
    }
  }

  /** False when the sequencer's listener will hear of the end. */
  private boolean decide() {
    Group group = unresolved;
    if (group == null) {
      return true;
    }
    if (unasked && !ask(group)) {
      return false;
    }
    SequencerStatus status = sequencer.status();
    if (status.state() == SequencerState.ACTUALIZING) {
      return false;
    }
    unresolved = null;
    if (status.state() == SequencerState.FENCED
        || status.state() == SequencerState.FAILED
        || status.state() == SequencerState.CLOSED) {
      refuseLogged(group, status.lastError());
    } else if (group.logged) {
      answer(group);
    } else {
      refuseAll(
          group, new StorageUnavailableException("the event did not reach the log; try again"));
    }
    return true;
  }

  /** Opens a transaction, unless one is, for nothing but to say that something went wrong. */
  private boolean ask(Group group) {
    EventHeader any = group.first().header();
    if (sequencer.status().state() == SequencerState.IN_TRANSACTION
        || sequencer.start(any.wsKind(), any.wsid()) != 0) {
      actualize();
    } else if (sequencer.refusal().temporary()) {
      return false;
    }
    unasked = false;
    return true;
  }

  /** Tells a group in doubt that its outcome is not known in time. */
  void giveUp() {
    Group group = unresolved;
    if (group != null) {
      refuseLogged(group, null);
    }
  }
}
