package io.tidemark.spi;

import io.tidemark.api.SystemSequences;

/** Reads the numbers of a logged event, for recovery. */
@FunctionalInterface
public interface SequenceExtractor {
  /** Takes the numbers from the event's header. */
  SequenceExtractor HEADER =
      (event, into) -> {
        EventHeader header = event.header();
        into.add(header.wsid(), SystemSequences.WORKSPACE_KIND, header.wsKind());
        for (SequenceTouch touch : header.touches()) {
          into.add(header.wsid(), touch.seqId(), touch.last());
        }
      };

  /** Adds the event's numbers; the workspace's kind is one of them. */
  void extract(PLogEvent event, SeqValues into);
}
