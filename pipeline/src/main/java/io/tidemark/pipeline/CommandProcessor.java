package io.tidemark.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.Refusal;
import io.tidemark.core.Environment;
import io.tidemark.core.Environment.Lane;
import io.tidemark.core.Environment.Signal;
import io.tidemark.core.Environment.Timer;
import io.tidemark.pipeline.GroupCommit.Joined;
import io.tidemark.spi.Layout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of one partition, one group at a time.
 *
 * <p>What waits is written together, at most one command per workspace, and answered one by one; a
 * command that finds the partition idle is written at once. [P-7]
 *
 * <p><b>Threads.</b> Safe for use by many threads at once. No thread belongs to a partition: {@link
 * #execute} does the work itself when nobody else does, otherwise the environment's threads do.
 * <br>
 * <b>Failure.</b> A command that is not taken is {@link io.tidemark.api.BusyException}; a bad one
 * {@link IllegalArgumentException}, naming the field, or what its sequences throw; in both cases
 * nothing was logged. [P-5] {@link io.tidemark.api.StorageUnavailableException}: nothing was
 * logged. {@link io.tidemark.api.SequenceViolationException}: somebody else's row stands in the
 * way, and the partition is not served until an operator resolves it. {@link
 * OutcomeUnknownException}: the partition could not find out in time; the log tells.
 */
public final class CommandProcessor {
  /** So many groups in a row, then other partitions have their turn. */
  private static final int ROUNDS = 8;

  private static final long UNTIL_WOKEN = Long.MAX_VALUE;
  private static final long POLL_NANOS = 5_000_000;

  private final int partition;
  private final Layout layout;
  private final PipelineConfig config;
  private final Environment environment;
  private final GroupCommit groups;
  private final Signal idle;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final CommandQueue queue = new CommandQueue();

  /** Whether somebody has the right to run groups. */
  @GuardedBy("lock")
  private boolean running;

  /** Whether the one who runs groups must look again before it stops. */
  @GuardedBy("lock")
  private boolean woken;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private @Nullable Timer timer;

  private volatile @Nullable Thread runner;

  /** Why the last command had to wait; NONE once a group was written. */
  private Refusal waitedFor = Refusal.NONE;

  private long inDoubtSince;
  private boolean inDoubt;

  CommandProcessor(int partition, Layout layout, PipelineConfig config, GroupCommit groups) {
    this.partition = partition;
    this.layout = layout;
    this.config = config;
    this.environment = config.environment();
    this.groups = groups;
    this.idle = environment.newSignal();
  }

  /** Runs a command and waits for its reply. */
  public CommandReply execute(Command command) {
    if (runner == Thread.currentThread()) {
      throw new IllegalStateException(
          "execute was called from a projector or an answer's callback of the same partition: "
              + "use submit there");
    }
    Pending pending = pending(command);
    if (enqueue(pending)) {
      run(1);
    }
    if (!pending.await(environment)) {
      pending.cancel(false);
      if (pending.taken) {
        throw new OutcomeUnknownException("interrupted while the command was being written");
      }
      throw new CancellationException("interrupted before the command was taken");
    }
    try {
      return pending.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Runs a command in the background. Cancelling the future withdraws it if it still waits. */
  public CompletableFuture<CommandReply> submit(Command command) {
    Pending pending = pending(command);
    if (enqueue(pending)) {
      environment.execute(Lane.COMMAND, () -> run(ROUNDS));
    }
    return pending;
  }

  /** How many commands wait. */
  public int queued() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  private Pending pending(Command command) {
    int home = layout.partitionOf(command.wsid());
    if (home != partition) {
      throw new IllegalArgumentException(
          "workspace %s belongs to partition %d, not %d"
              .formatted(Long.toUnsignedString(command.wsid()), home, partition));
    }
    Duration patience = command.patience();
    Duration granted = patience == null ? config.patience() : patience;
    return new Pending(command, environment.nanoTime(), granted);
  }

  /** Puts a command in line; true when the caller has got the right to run groups. */
  private boolean enqueue(Pending pending) {
    Refusal reason = Refusal.NONE;
    lock.lock();
    try {
      if (closed) {
        reason = Refusal.CLOSED;
      } else if (queue.size() >= config.queueLimit()) {
        reason = Refusal.QUEUE_FULL;
      } else {
        queue.add(pending);
        if (!running) {
          running = true;
          return true;
        }
        woken = true;
      }
    } finally {
      lock.unlock();
    }
    if (reason != Refusal.NONE) {
      pending.refuse(config.busy(reason));
    }
    return false;
  }

  /** Looks again: the sequencer's state has changed, or time is up. */
  void wake() {
    lock.lock();
    try {
      if (running) {
        woken = true;
        return;
      }
      if (queue.size() == 0 && !groups.isRecovering()) {
        return;
      }
      running = true;
    } finally {
      lock.unlock();
    }
    environment.execute(Lane.COMMAND, () -> run(ROUNDS));
  }

  private void run(int rounds) {
    boolean again = true;
    try {
      for (int i = 0; i < rounds && again; i++) {
        again = mayGoOn(markedRound());
      }
    } catch (RuntimeException | Error e) {
      if (mayGoOn(POLL_NANOS)) {
        environment.execute(Lane.COMMAND, () -> run(ROUNDS));
      }
      throw e;
    }
    if (again) {
      environment.execute(Lane.COMMAND, () -> run(ROUNDS));
    }
  }

  /** The mark goes before the right to run does: afterwards it may be another thread's. */
  private long markedRound() {
    runner = Thread.currentThread();
    try {
      return round();
    } finally {
      runner = null;
    }
  }

  /** Gives the right to run groups back, unless there is more to do at once. */
  private boolean mayGoOn(long pause) {
    boolean last;
    lock.lock();
    try {
      boolean more = pause == 0 && (queue.size() > 0 || groups.isRecovering());
      if (woken || more) {
        woken = false;
        return true;
      }
      running = false;
      last = closed;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
      if (pause != 0 && pause != UNTIL_WOKEN && !closed) {
        timer = environment.schedule(Duration.ofNanos(pause), Lane.COMMAND, this::wake);
      }
    } finally {
      lock.unlock();
    }
    if (last) {
      refuseWaiting(); // who came into line after close looked has nobody else to answer it
    }
    idle.raise();
    return false;
  }

  /** Runs one group; answers how long to wait before the next, 0 for not at all. */
  private long round() {
    if (groups.isRecovering() && !groups.recover()) {
      return pauseInDoubt();
    }
    inDoubt = false;
    Group group = new Group();
    int limit = 1;
    boolean full = false;
    while (!full && group.size() < limit) {
      Pending pending = take();
      if (pending == null) {
        break;
      }
      switch (join(pending, group)) {
        case YES -> limit = group.size() == 1 ? groups.limit(group) : limit;
        case ANSWERED -> release(pending);
        case NEXT_GROUP -> {
          putBack(pending);
          full = true;
        }
        case REFUSED -> {
          putBack(pending);
          return pauseRefused(groups.refusal());
        }
      }
    }
    if (!group.isEmpty()) {
      waitedFor = Refusal.NONE;
      groups.commit(group);
      group.commands.forEach(this::release);
    }
    return 0;
  }

  private Joined join(Pending pending, Group group) {
    pending.taken = true;
    if (pending.isDone()) {
      return Joined.ANSWERED; // withdrawn
    }
    if (pending.isExpired(environment.nanoTime())) {
      pending.refuse(config.busy(waitedFor == Refusal.NONE ? Refusal.DEADLINE : waitedFor));
      return Joined.ANSWERED;
    }
    return groups.join(pending, group);
  }

  /** Refuses whom waiting does not help in time; answers when to look again. */
  private long pauseRefused(Refusal reason) {
    waitedFor = reason;
    long now = environment.nanoTime();
    List<Pending> expired;
    long pause;
    lock.lock();
    try {
      expired = queue.takeExpired(now);
      pause = queue.nanosToFirstDeadline(now);
    } finally {
      lock.unlock();
    }
    expired.forEach(pending -> pending.refuse(config.busy(reason)));
    return reason == Refusal.ACTUALIZING ? pause : Math.min(pause, POLL_NANOS);
  }

  /** The same while a group in doubt is being decided. */
  private long pauseInDoubt() {
    long now = environment.nanoTime();
    if (!inDoubt) {
      inDoubt = true;
      inDoubtSince = now;
    }
    long left = inDoubtSince + Times.nanos(config.patience()) - now;
    if (left <= 0) {
      groups.giveUp();
    }
    long pause = Math.min(pauseRefused(Refusal.ACTUALIZING), left > 0 ? left : UNTIL_WOKEN);
    return groups.isAsked() ? pause : Math.min(pause, POLL_NANOS);
  }

  private @Nullable Pending take() {
    lock.lock();
    try {
      return queue.take();
    } finally {
      lock.unlock();
    }
  }

  private void putBack(Pending pending) {
    lock.lock();
    try {
      pending.taken = false;
      queue.putBack(pending);
    } finally {
      lock.unlock();
    }
  }

  private void release(Pending pending) {
    lock.lock();
    try {
      queue.release(pending);
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more commands, refuses those that wait, lets the group being written finish. */
  boolean close(Duration patience) {
    long deadline = environment.nanoTime() + Times.nanos(patience);
    lock.lock();
    try {
      closed = true;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      lock.unlock();
    }
    refuseWaiting();
    while (true) {
      long ticket = idle.ticket();
      lock.lock();
      try {
        if (!running) {
          return true;
        }
      } finally {
        lock.unlock();
      }
      long left = deadline - environment.nanoTime();
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      idle.await(ticket, left);
    }
  }

  private void refuseWaiting() {
    Pending pending = take();
    while (pending != null) {
      release(pending);
      pending.refuse(config.busy(Refusal.CLOSED));
      pending = take();
    }
  }

  /** Tells a group in doubt that nobody here will find out any more. */
  void giveUp() {
    groups.giveUp();
  }
}
