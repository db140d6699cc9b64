package io.tidemark.storage.memory;

import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One generation of a partition's numbers. Nothing in it is ever lowered, but by {@link RawRows}.
 * Needs the lock.
 */
final class SeqDataTable {
  private final Journal journal;
  private final Map<Long, Numbers> byWorkspace = new HashMap<>();
  private final List<Numbers> inOrder = new ArrayList<>();
  private long nextOffset = 1;

  SeqDataTable(Journal journal) {
    this.journal = journal;
  }

  long nextOffset() {
    return nextOffset;
  }

  long[] read(long wsid, int[] seqIds) {
    long[] answer = new long[seqIds.length];
    Numbers numbers = byWorkspace.get(wsid);
    if (numbers != null) {
      for (int i = 0; i < seqIds.length; i++) {
        answer[i] = numbers.get(seqIds[i]);
      }
    }
    return answer;
  }

  void write(SeqValues batch, long offset) {
    for (int i = 0; i < batch.size(); i++) {
      Numbers numbers = byWorkspace.computeIfAbsent(batch.wsid(i), this::added);
      int seqId = batch.seqId(i);
      long old = numbers.get(seqId);
      if (batch.number(i) > old) {
        numbers.set(seqId, batch.number(i));
        journal.changed(() -> numbers.set(seqId, old));
      }
    }
    long oldOffset = nextOffset;
    if (offset > oldOffset) {
      nextOffset = offset;
      journal.changed(() -> nextOffset = oldOffset);
    }
  }

  /** Sets a number behind everybody's back; a lower one too. */
  void force(long wsid, int seqId, long number) {
    Numbers numbers = byWorkspace.computeIfAbsent(wsid, this::added);
    long old = numbers.get(seqId);
    numbers.set(seqId, number);
    journal.changed(() -> numbers.set(seqId, old));
  }

  /** Sets the offset behind everybody's back; a lower one too. */
  void forceOffset(long offset) {
    long old = nextOffset;
    nextOffset = offset;
    journal.changed(() -> nextOffset = old);
  }

  private Numbers added(long wsid) {
    Numbers numbers = new Numbers(wsid);
    inOrder.add(numbers);
    return numbers;
  }

  /**
   * The numbers of some workspaces, from the {@code first}th on; null after the last.
   *
   * <p>Workspaces keep their place, in the order of their first write, so that pages neither
   * overlap nor skip.
   */
  @Nullable SeqValues page(int first) {
    if (first >= inOrder.size()) {
      return null;
    }
    SeqValues page = new SeqValues();
    for (Numbers numbers : inOrder.subList(first, Math.min(first + Table.PAGE, inOrder.size()))) {
      numbers.addTo(page);
    }
    return page;
  }

  /** One workspace's numbers, by ascending sequence; 0 is absent. */
  private static final class Numbers {
    private final long wsid;
    private int[] seqIds = new int[4];
    private long[] last = new long[4];
    private int size;

    Numbers(long wsid) {
      this.wsid = wsid;
    }

    long get(int seqId) {
      int at = Arrays.binarySearch(seqIds, 0, size, seqId);
      return at < 0 ? 0 : last[at];
    }

    void set(int seqId, long number) {
      int at = Arrays.binarySearch(seqIds, 0, size, seqId);
      if (at < 0) {
        at = -at - 1;
        insert(at, seqId);
      }
      last[at] = number;
    }

    private void insert(int at, int seqId) {
      if (size == seqIds.length) {
        seqIds = Arrays.copyOf(seqIds, size * 2);
        last = Arrays.copyOf(last, size * 2);
      }
      System.arraycopy(seqIds, at, seqIds, at + 1, size - at);
      System.arraycopy(last, at, last, at + 1, size - at);
      seqIds[at] = seqId;
      size++;
    }

    void addTo(SeqValues page) {
      for (int i = 0; i < size; i++) {
        if (last[i] != 0) {
          page.add(wsid, seqIds[i], last[i]);
        }
      }
    }
  }
}
