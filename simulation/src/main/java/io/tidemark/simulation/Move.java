package io.tidemark.simulation;

import io.tidemark.storage.memory.StorageCall;
import org.jspecify.annotations.Nullable;

/**
 * What may happen next in a walk: a step of an actor, a late write that arrives, a crash, a birth,
 * or time that passes.
 *
 * @param kind what happens
 * @param id the same in every run that comes to this state, up to names
 * @param process whose step it is; the network's and the world's own are no process
 * @param access what of the store it reads and writes
 * @param key what it is in this run
 * @param actor whose step it is, if it is one
 * @param index which late write or process
 */
record Move(
    Kind kind, long id, int process, int access, Object key, @Nullable Actor actor, int index) {
  enum Kind {
    STEP,
    DELIVER,
    KILL,
    BIRTH,
    TIME
  }

  static final int NO_PROCESS = -1;

  private static final int EPOCH = 1;
  private static final int LOG = 2;
  private static final int NUMBERS = 4;
  private static final int WRITE = 3; // bits to shift a read by
  private static final int ALL = 63;

  static Move step(Actor actor, int process, long id) {
    return new Move(Kind.STEP, id, process, access(actor), actor, actor, 0);
  }

  static Move deliver(Object late, int index, long id) {
    return new Move(Kind.DELIVER, Mix.of(2, id), NO_PROCESS, ALL, late, null, index);
  }

  static Move kill(int process) {
    return new Move(Kind.KILL, Mix.of(3, process), process, ALL, Kind.KILL, null, process);
  }

  static Move birth(Object of, int index, int commands) {
    return new Move(Kind.BIRTH, Mix.of(4, commands), NO_PROCESS, 0, of, null, index);
  }

  static Move time() {
    return new Move(Kind.TIME, 5, NO_PROCESS, ALL, Kind.TIME, null, 0);
  }

  boolean isLocal() {
    return access == 0;
  }

  boolean writes() {
    return written() != 0;
  }

  /**
   * Whether the two lead to the same state in either order, and neither shows the checker a store
   * that it would not see in the other order. Steps of one process share its memory. Of two
   * processes they share the store alone: two writes are kept in both orders, as the checker looks
   * after each; a read and a write are if they touch the same rows; two reads never are.
   */
  boolean commutesWith(Move other) {
    if (process == other.process || kind == Kind.TIME || other.kind == Kind.TIME) {
      return false;
    }
    return !(writes() && other.writes())
        && (written() & other.access) == 0
        && (other.written() & access) == 0;
  }

  private int written() {
    return access >> WRITE;
  }

  /** What a step touches: known before it is taken, as an actor waits where it calls. */
  private static int access(Actor actor) {
    StorageCall call = actor.pending();
    if (call == null) { // a scan that was held back goes on with what it has, or reads on
      return actor.lane.equals("replay") && actor.isStarted() ? LOG : 0;
    }
    return switch (call) {
      case READ_SEQ_DATA -> NUMBERS;
      case READ_LOG -> LOG;
      case WRITE_SEQ_DATA -> NUMBERS << WRITE;
      case APPEND -> EPOCH | LOG | LOG << WRITE;
      case CLAIM, SETTLE -> EPOCH | EPOCH << WRITE;
      default -> ALL;
    };
  }
}
