package io.tidemark.core;

import io.tidemark.spi.EventHeader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.util.List;
import java.util.UUID;

/** Events as another owner would have logged them. */
final class Events {
  private Events() {}

  static PLogEvent drawn(long offset, long wsid, int seqId, long number) {
    EventHeader header =
        new EventHeader(
            UUID.nameUUIDFromBytes(new byte[] {(byte) offset, (byte) wsid, (byte) number}),
            offset,
            wsid,
            Fixture.KIND,
            0,
            false,
            List.of(new SequenceTouch(seqId, 1, number, false)));
    return new PLogEvent(offset, header, Fixture.EVENT);
  }
}
