package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The engine's lock among real threads. */
@SuppressWarnings("LockNotBeforeTry") // nothing between the two can throw
final class ShortLockTest {
  private final ShortLock lock = new ShortLock();
  private long counter;

  @Test
  void threads_countingUnderTheLock_loseNothing() throws InterruptedException {
    int each = 100_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < each; n++) {
                  lock.lock();
                  counter++;
                  lock.unlock();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counter).isEqualTo(4L * each);
  }

  @Test
  void waiter_entersOnlyAfterTheHolderLeft() throws InterruptedException {
    AtomicBoolean left = new AtomicBoolean();
    AtomicBoolean leftBefore = new AtomicBoolean();
    CountDownLatch waiting = new CountDownLatch(1);
    lock.lock();
    Thread waiter =
        new Thread(
            () -> {
              waiting.countDown();
              lock.lock();
              leftBefore.set(left.get());
              lock.unlock();
            });
    waiter.start();
    waiting.await();
    while (waiter.getState() != Thread.State.TIMED_WAITING) { // past its spinning
      Thread.onSpinWait();
    }
    assertThat(lock.tryLock()).as("it is held").isFalse();
    left.set(true);
    lock.unlock();
    waiter.join();
    assertThat(leftBefore).isTrue();
    assertThat(lock.tryLock()).isTrue();
  }

  @Test
  void whatItDoesNotOffer_isRefused() {
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
