package io.tidemark.pipeline;

import io.tidemark.spi.RecordRow;
import java.util.ArrayList;
import java.util.List;

/** What an event's content means for the records; the same for a new event and a logged one. */
final class AppliedRows {
  private AppliedRows() {}

  static List<RecordRow> records(long plogOffset, long wsid, EventContent content, ByteWriter out) {
    List<RecordRow> rows = new ArrayList<>(content.cuds().size());
    for (Cud cud : content.cuds()) {
      byte[] data = new StoredRecord(cud.type(), cud.fields()).toBytes(out);
      rows.add(new RecordRow(wsid, cud.id(), plogOffset, cud.isNew(), data));
    }
    return rows;
  }
}
