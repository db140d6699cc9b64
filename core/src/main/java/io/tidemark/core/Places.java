package io.tidemark.core;

import io.tidemark.api.SystemSequences;
import java.util.Arrays;

/**
 * Where in the rows of a {@link FlushQueue} each sequence has its number: the workspace's kind and
 * the sequences of the configuration side by side, so that those of one event mostly share a row.
 * An id that is not defined has a place behind them.
 */
final class Places {
  private static final int UNDEFINED = -1;

  private final int[] byId;
  private final int[] ids;
  private int defined;

  Places(Kind[] kinds) {
    int count = 1;
    int last = SystemSequences.WORKSPACE_KIND;
    for (Kind kind : kinds) {
      count += kind.size;
      for (int seqId : kind.storedIds) {
        last = Math.max(last, seqId);
      }
    }
    ids = new int[count];
    byId = new int[last + 1];
    Arrays.fill(byId, UNDEFINED);
    define(SystemSequences.WORKSPACE_KIND);
    for (Kind kind : kinds) {
      for (int seqId : kind.storedIds) {
        define(seqId);
      }
    }
  }

  private void define(int seqId) {
    if (byId[seqId] == UNDEFINED) {
      byId[seqId] = defined;
      ids[defined++] = seqId;
    }
  }

  /** The place of a sequence. */
  int of(int seqId) {
    if (seqId < byId.length && byId[seqId] != UNDEFINED) {
      return byId[seqId];
    }
    return defined + seqId;
  }

  /** The sequence of a place. */
  int seqId(int place) {
    return place < defined ? ids[place] : place - defined;
  }
}
