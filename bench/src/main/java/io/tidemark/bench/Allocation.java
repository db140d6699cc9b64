package io.tidemark.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts bytes by thread. The JVM counts exactly, the unfilled part of a thread's buffer included,
 * so 0 means 0.
 */
final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** What the calling thread has allocated so far. */
  static long ofThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** What all living threads have allocated so far; asking costs some bytes itself. */
  static long ofAllThreads() {
    long sum = 0;
    for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }
}
