package io.tidemark.api;

import java.util.Map;
import java.util.TreeMap;

/**
 * The sequences of each workspace kind: kind -&gt; sequence id -&gt; definition. Only these are
 * drawn from; every workspace of a kind has its own numbers.
 *
 * <p>A partition's sequences count upwards from 1 or more and never cycle; anything else is
 * refused, naming the field. The initial value is {@code min}: a floor, whatever is stored. [E-8]
 *
 * @param kinds the definitions
 */
public record SequenceTypes(Map<Integer, Map<Integer, SequenceDefinition>> kinds) {

  /** Copies and checks. */
  public SequenceTypes {
    Map<Integer, Map<Integer, SequenceDefinition>> copy = new TreeMap<>();
    kinds.forEach((kind, sequences) -> copy.put(requireKind(kind), Map.copyOf(sequences)));
    copy.values().forEach(sequences -> sequences.forEach(SequenceTypes::require));
    kinds = Map.copyOf(copy);
  }

  /** Begins an empty set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whether workspaces of this kind have this sequence. */
  public boolean defines(int wsKind, int seqId) {
    return kinds.getOrDefault(wsKind, Map.of()).containsKey(seqId);
  }

  /** Refuses a workspace kind outside 1..65535. */
  public static int requireKind(int wsKind) {
    if (wsKind < 1 || wsKind > SystemSequences.MAX_ID) {
      throw new IllegalArgumentException("wsKind must be 1..65535, was " + wsKind);
    }
    return wsKind;
  }

  private static void require(int seqId, SequenceDefinition definition) {
    if (seqId < 1 || seqId > SystemSequences.MAX_ID) {
      throw new IllegalArgumentException("seqId must be 1..65535, was " + seqId);
    }
    boolean drawable =
        seqId == SystemSequences.WLOG_OFFSET
            || seqId == SystemSequences.CRECORD_ID
            || seqId == SystemSequences.OWRECORD_ID;
    if (seqId < SystemSequences.FIRST_CUSTOM && !drawable) {
      throw new IllegalArgumentException(
          "seqId " + seqId + " is reserved; custom sequences start at 256");
    }
    if (definition.increment() < 1) {
      throw refused(definition, "increment", "increment must be >= 1", definition.increment());
    }
    if (definition.min() < 1) {
      throw refused(definition, "range", "min must be >= 1", definition.min());
    }
    if (definition.start() != definition.min()) {
      throw refused(definition, "start", "start must equal min", definition.start());
    }
    if (definition.cycle()) {
      throw new InvalidSequenceException(
          "cycle", "partition sequence " + definition.name() + ": cycle is not allowed");
    }
  }

  private static InvalidSequenceException refused(
      SequenceDefinition definition, String field, String rule, long value) {
    return new InvalidSequenceException(
        field, "partition sequence " + definition.name() + ": " + rule + ", was " + value);
  }

  /** Collects definitions. */
  public static final class Builder {
    private final Map<Integer, Map<Integer, SequenceDefinition>> kinds = new TreeMap<>();

    Builder() {}

    /** Gives a kind the platform's sequences: WLog offsets and both kinds of record ids. */
    public Builder platform(int wsKind) {
      return sequence(wsKind, SystemSequences.WLOG_OFFSET, SystemSequences.wlogOffset())
          .sequence(wsKind, SystemSequences.CRECORD_ID, SystemSequences.crecordId())
          .sequence(wsKind, SystemSequences.OWRECORD_ID, SystemSequences.owrecordId());
    }

    /** Gives a kind one sequence. */
    public Builder sequence(int wsKind, int seqId, SequenceDefinition definition) {
      kinds.computeIfAbsent(wsKind, kind -> new TreeMap<>()).put(seqId, definition);
      return this;
    }

    /** The set, checked. */
    public SequenceTypes build() {
      return new SequenceTypes(kinds);
    }
  }
}
