package io.tidemark.core;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many numbers all sequencers of a process keep in memory together.
 *
 * <p>Each sequencer has a cache of its own under its own lock and asks here for room. Without room,
 * a sequencer that would be above its fair share makes some itself; another one takes from a richer
 * one, if that one's lock is free at the moment.
 */
public final class CacheBudget {
  /** The default: 100,000 numbers. */
  public static final long DEFAULT_NUMBERS = 100_000;

  /** How many others are asked for room before a sequencer makes its own. */
  private static final int MOST_ASKED = 16;

  /** A share less this part of it counts as used up. */
  private static final int NEARLY = 16;

  private final long capacity;
  private final AtomicLong used = new AtomicLong();
  private final CopyOnWriteArrayList<NumberCache> members = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  private CacheBudget(long capacity) {
    this.capacity = capacity;
  }

  /** A budget of this many numbers. */
  public static CacheBudget of(long numbers) {
    if (numbers < 1) {
      throw new IllegalArgumentException("a cache budget must be >= 1 number, was " + numbers);
    }
    return new CacheBudget(numbers);
  }

  /** How many numbers are in memory now. */
  public long used() {
    return used.get();
  }

  /** The most numbers kept in memory. */
  public long capacity() {
    return capacity;
  }

  void join(NumberCache cache) {
    members.add(cache);
  }

  void leave(NumberCache cache) {
    members.remove(cache);
  }

  /** Takes room for an entry of {@code cache}, evicting where it must; false if there is none. */
  boolean acquire(NumberCache cache, int numbers) {
    if (numbers > capacity) {
      return false;
    }
    while (!tryAcquire(numbers)) {
      if (isAtItsShare(cache, numbers) && cache.evictOne()) {
        continue;
      }
      if (!evictFromRicher() && !cache.evictOne()) {
        return false;
      }
    }
    return true;
  }

  /** Whether its next entry would be above its share; a share of few entries it may use up. */
  private boolean isAtItsShare(NumberCache cache, int numbers) {
    long share = capacity / members.size();
    return cache.used() + numbers > share && cache.used() >= share - share / NEARLY;
  }

  void release(long numbers) {
    used.addAndGet(-numbers);
  }

  private boolean tryAcquire(int numbers) {
    long now = used.get();
    while (now + numbers <= capacity) {
      long seen = used.compareAndExchange(now, now + numbers);
      if (seen == now) {
        return true;
      }
      now = seen;
    }
    return false;
  }

  private boolean evictFromRicher() {
    int count = members.size();
    long share = capacity / count;
    for (int i = 0; i < Math.min(count, MOST_ASKED); i++) {
      NumberCache other = member(turn.getAndIncrement());
      if (other != null && other.used() > share && other.tryEvictOne()) {
        return true;
      }
    }
    return false;
  }

  private @Nullable NumberCache member(int turnOf) {
    try {
      return members.get(Math.floorMod(turnOf, members.size()));
    } catch (IndexOutOfBoundsException | ArithmeticException e) { // somebody left meanwhile
      return null;
    }
  }
}
