package io.tidemark.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commands that wait, in the order they came; of each workspace only the first is in line, and the
 * next one joins the end of the line once {@link #release released}. So one group never takes two
 * of a workspace, and taking a command costs the same however many wait. For one thread at a time.
 */
final class CommandQueue {
  private static final int MOST_KEPT = 16;

  private @Nullable ArrayDeque<Pending> line;
  private @Nullable Map<Long, Pending> last;
  private int size;
  private int most;

  int size() {
    return size;
  }

  void add(Pending pending) {
    if (line == null || last == null) {
      line = new ArrayDeque<>();
      last = new HashMap<>();
    }
    Pending before = last.put(pending.command.wsid(), pending);
    if (before == null) {
      line.add(pending);
    } else {
      before.next = pending;
    }
    most = Math.max(most, ++size);
  }

  /** Takes the first in line; its workspace is out of line until it is released or put back. */
  @Nullable Pending take() {
    Pending first = line == null ? null : line.poll();
    if (first != null) {
      size--;
    }
    return first;
  }

  /** Puts a command that was taken back to the front. */
  void putBack(Pending pending) {
    if (line != null) {
      line.addFirst(pending);
      size++;
    }
  }

  /** Lets the next command of a taken one's workspace join the line. */
  void release(Pending taken) {
    Pending next = taken.next;
    taken.next = null;
    if (next != null && line != null) {
      line.add(next);
    } else if (last != null) {
      last.remove(taken.command.wsid());
      if (last.isEmpty() && most > MOST_KEPT) { // a burst's room is not kept for ever
        last = null;
        line = null;
        most = 0;
      }
    }
  }

  /** Takes everybody whose time is up, and lets who waits behind them join the line. */
  List<Pending> takeExpired(long now) {
    List<Pending> expired = new ArrayList<>();
    List<Pending> heads = new ArrayList<>();
    if (line != null) {
      for (Iterator<Pending> each = line.iterator(); each.hasNext(); ) {
        Pending head = each.next();
        if (head.deadline - now <= 0) {
          each.remove();
          size--;
          expired.add(head);
          heads.add(head);
        }
        unlinkExpired(head, now, expired);
      }
    }
    heads.forEach(this::release);
    return expired;
  }

  private void unlinkExpired(Pending head, long now, List<Pending> expired) {
    Pending before = head;
    for (Pending each = head.next; each != null; each = before.next) {
      if (each.deadline - now > 0) {
        before = each;
        continue;
      }
      before.next = each.next;
      each.next = null;
      size--;
      expired.add(each);
    }
    if (last != null) {
      last.put(head.command.wsid(), before);
    }
  }

  /** How long until the first of all who wait runs out of time. */
  long nanosToFirstDeadline(long now) {
    long least = Long.MAX_VALUE;
    if (line != null) {
      for (Pending head : line) {
        for (Pending each = head; each != null; each = each.next) {
          least = Math.min(least, each.deadline - now);
        }
      }
    }
    return least;
  }
}
