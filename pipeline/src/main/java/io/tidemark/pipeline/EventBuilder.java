package io.tidemark.pipeline;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.Environment;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an event of a command, within an open transaction: checks it, draws its numbers, puts ids
 * in the place of raw ids. Whatever it refuses, nothing is logged and the caller cancels. [P-5]
 *
 * <p>Records are looked up for explicit ids and updates only, and only at trust level 0. [P-6]
 */
final class EventBuilder {
  private final ISequencer sequencer;
  private final ILogReader storage;
  private final RecordRegistry registry;
  private final boolean looksUp;
  private final Environment environment;
  private final ByteWriter writer = new ByteWriter();

  EventBuilder(
      ISequencer sequencer,
      ILogReader storage,
      RecordRegistry registry,
      TrustLevel level,
      Environment environment) {
    this.sequencer = sequencer;
    this.storage = storage;
    this.registry = registry;
    this.looksUp = level == TrustLevel.LEVEL_0;
    this.environment = environment;
  }

  /**
   * Builds the event at {@code offset}, in the group that starts at {@code groupFirst}.
   *
   * @throws IllegalArgumentException for a command that cannot be done, naming what is wrong
   */
  BuiltEvent build(Command command, long offset, long groupFirst) {
    long wlogOffset = sequencer.next(SystemSequences.WLOG_OFFSET);
    IdPlan plan = new IdPlan(command, sequencer);
    plan.place();
    lookUp(command, plan);
    EventContent content =
        new EventContent(command.name(), plan.placedCuds(), plan.placedArgument());
    List<SequenceTouch> touches = new ArrayList<>(4);
    sequencer.drawn(
        (seqId, count, last, observed) ->
            touches.add(new SequenceTouch(seqId, count, last, observed)));
    EventHeader header =
        new EventHeader(
            environment.randomId(),
            groupFirst,
            command.wsid(),
            command.wsKind(),
            wlogOffset,
            false,
            touches);
    return new BuiltEvent(
        new PLogEvent(offset, header, PayloadCodec.encode(content, writer)),
        content,
        AppliedRows.records(offset, command.wsid(), content, writer),
        new CommandReply(offset, wlogOffset, plan.newIds(), plan.drawn()));
  }

  private void lookUp(Command command, IdPlan plan) {
    if (!looksUp) {
      return;
    }
    List<Cud> cuds = command.cuds();
    for (int i = 0; i < cuds.size(); i++) {
      Cud cud = cuds.get(i);
      if (cud.id() <= RecordIds.MAX_RAW || (!cud.isNew() && plan.creates(cud.id()))) {
        continue;
      }
      RecordType stored = registry.type(storage, command.wsid(), cud.id());
      if (cud.isNew() && stored != null) {
        throw IdPlan.refused(i, cud, "id " + cud.id() + " is taken by a stored " + stored);
      }
      if (!cud.isNew() && stored == null) {
        throw IdPlan.refused(i, cud, "there is no record " + cud.id() + " to update");
      }
      if (!cud.isNew() && !cud.type().equals(stored)) {
        throw IdPlan.refused(i, cud, "record " + cud.id() + " is a " + stored);
      }
    }
  }
}
