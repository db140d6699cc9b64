package io.tidemark.tck;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Decides, from a seed, what goes wrong with each call, and keeps what is still on its way. */
final class Faults {
  private static final int PER_CENT = 15;

  private final Random random;
  private final List<Runnable> late = new ArrayList<>();
  private boolean calm;
  private boolean down;

  Faults(long seed) {
    random = new Random(seed);
  }

  /** No call goes wrong from now on. */
  synchronized void calm() {
    calm = true;
    down = false;
  }

  /** Every call is refused, or no longer. */
  synchronized void down(boolean isDown) {
    down = isDown;
  }

  synchronized boolean isQuiet() {
    return calm && !down;
  }

  synchronized boolean chance(int perCent) {
    return !calm && random.nextInt(100) < perCent;
  }

  synchronized int choose(int bound) {
    return random.nextInt(bound);
  }

  /** Lets a read through or refuses it. */
  void read(String call) {
    if (isDown() || chance(PER_CENT / 3)) {
      throw new StorageUnavailableException("the kit let the " + call + " fail");
    }
  }

  private synchronized boolean isDown() {
    return down;
  }

  /** Does a write that may be repeated and may arrive late, or lets it go wrong. */
  void write(String call, Runnable request) {
    write(call, request, () -> add(request));
  }

  /**
   * Does a write, or lets it go wrong.
   *
   * @param postpone keeps the write for later
   */
  void write(String call, Runnable request, Runnable postpone) {
    if (isDown()) {
      throw new StorageUnavailableException("the kit took the storage down for the " + call);
    }
    if (!chance(PER_CENT)) {
      request.run();
      return;
    }
    switch (choose(5)) {
      case 0 -> throw new StorageUnavailableException("the kit refused the " + call);
      case 1 -> throw new OutcomeUnknownException("the kit lost the " + call);
      case 2 -> {
        request.run();
        throw new OutcomeUnknownException("the kit lost the answer of the " + call);
      }
      case 3 -> {
        postpone.run();
        throw new OutcomeUnknownException("the kit delays the " + call);
      }
      default -> {
        request.run();
        request.run();
      }
    }
  }

  private synchronized void add(Runnable request) {
    late.add(request);
  }

  /** Lets some of what is on its way arrive. */
  void deliverSome() {
    List<Runnable> arriving = new ArrayList<>();
    synchronized (this) {
      late.removeIf(request -> random.nextBoolean() && arriving.add(request));
    }
    arriving.forEach(Faults::deliver);
  }

  /** Lets all that is on its way arrive. */
  void deliverAll() {
    List<Runnable> arriving;
    synchronized (this) {
      arriving = List.copyOf(late);
      late.clear();
    }
    arriving.forEach(Faults::deliver);
  }

  /** Answers whether the storage took it; nobody waits for the answer. */
  static boolean deliver(Runnable request) {
    try {
      request.run();
      return true;
    } catch (StorageException refused) {
      return false;
    }
  }
}
