package io.tidemark.core;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.spi.SeqValues;
import org.jspecify.annotations.Nullable;

/** All workspace kinds of a configuration, found by number. Shared by all its sequencers. */
final class Kinds {
  private final Kind[] all;
  private final @Nullable Kind[] byNumber;
  private final Places places;

  Kinds(SequenceTypes types) {
    all = Kind.all(types);
    places = new Places(all);
    byNumber = new Kind[all.length == 0 ? 0 : all[all.length - 1].wsKind + 1];
    for (Kind kind : all) {
      byNumber[kind.wsKind] = kind;
    }
  }

  int count() {
    return all.length;
  }

  Places places() {
    return places;
  }

  /** The largest number of sequences a kind has. */
  int widest() {
    int widest = 0;
    for (Kind kind : all) {
      widest = Math.max(widest, kind.size);
    }
    return widest;
  }

  Kind require(int wsKind) {
    Kind kind = find(wsKind);
    if (kind == null) {
      SequenceTypes.requireKind(wsKind);
      throw new IllegalArgumentException("workspace kind " + wsKind + " is not defined");
    }
    return kind;
  }

  private @Nullable Kind find(long wsKind) {
    return wsKind > 0 && wsKind < byNumber.length ? byNumber[(int) wsKind] : null;
  }

  /**
   * Adds the numbers of one replayed event that count. A number outside its sequence's range, such
   * as an id of another register, must not move the sequence; numbers of sequences that are not
   * defined now are kept, because they may be defined again.
   */
  void addReplayed(SeqValues values, SeqValues to) {
    Kind kind = null;
    for (int i = 0; i < values.size(); i++) {
      if (values.seqId(i) == SystemSequences.WORKSPACE_KIND) {
        kind = find(values.number(i));
        break;
      }
    }
    for (int i = 0; i < values.size(); i++) {
      if (counts(kind, values.seqId(i), values.number(i))) {
        to.add(values.wsid(i), values.seqId(i), values.number(i));
      }
    }
  }

  private boolean counts(@Nullable Kind kind, int seqId, long number) {
    if (number < 1) {
      return false;
    }
    if (kind != null) {
      SequenceDefinition definition = kind.definition(seqId);
      return definition == null ? isId(seqId) : definition.contains(number);
    }
    boolean defined = false;
    for (Kind candidate : all) {
      SequenceDefinition definition = candidate.definition(seqId);
      if (definition != null && definition.contains(number)) {
        return true;
      }
      defined |= definition != null;
    }
    return !defined && isId(seqId);
  }

  private static boolean isId(int seqId) {
    return seqId >= 1 && seqId <= SystemSequences.MAX_ID;
  }
}
