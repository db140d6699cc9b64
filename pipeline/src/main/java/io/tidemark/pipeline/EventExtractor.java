package io.tidemark.pipeline;

import io.tidemark.api.SystemSequences;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceExtractor;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads an event's numbers from its payload: of new records and of the argument the highest id per
 * sequence, and what fields drew; updates count for nothing. [P-15]
 *
 * <p>Recovery takes them from the header by default, which says the same for less work; this is for
 * proving that it does. An event without readable content, such as a floor, speaks through its
 * header.
 */
public final class EventExtractor implements SequenceExtractor {
  /** Makes one; it keeps nothing. */
  public EventExtractor() {}

  @Override
  public void extract(PLogEvent event, SeqValues into) {
    EventHeader header = event.header();
    if (header.wlogOffset() == 0 || header.corrupted()) {
      HEADER.extract(event, into);
      return;
    }
    Map<Integer, Long> highest = new HashMap<>();
    highest.put(SystemSequences.WORKSPACE_KIND, (long) header.wsKind());
    highest.put(SystemSequences.WLOG_OFFSET, header.wlogOffset());
    EventContent content = Event.of(event).content();
    for (Cud cud : content.cuds()) {
      if (cud.isNew()) {
        take(cud.type(), cud.id(), highest);
      }
      takeDrawn(cud.fields(), highest);
    }
    ArgumentObject argument = content.argument();
    if (argument != null) {
      for (PayloadCodec.Placed placed : PayloadCodec.flatten(argument)) {
        take(placed.object().type(), placed.object().id(), highest);
        takeDrawn(placed.object().fields(), highest);
      }
    }
    highest.forEach((seqId, number) -> into.add(header.wsid(), seqId, number));
  }

  private static void take(RecordType type, long id, Map<Integer, Long> highest) {
    if (RecordIds.sequence(id) == type.kind().sequence()) { // a singleton moves no sequence
      highest.merge(type.kind().sequence(), id, Math::max);
    }
  }

  private static void takeDrawn(Fields fields, Map<Integer, Long> highest) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.value(i) instanceof Drawn drawn) {
        highest.merge(drawn.seqId(), drawn.number(), Math::max);
      }
    }
  }
}
