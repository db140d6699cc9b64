package io.tidemark.cli;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.pipeline.Event;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which rows a logged event implies. */
@FunctionalInterface
interface Implications {

  /**
   * The rows of one event.
   *
   * @param wlog its row in the workspace's log, or null
   * @param records the records it wrote
   */
  record Rows(@Nullable WLogRow wlog, List<RecordRow> records) {
    static final Rows NONE = new Rows(null, List.of());
  }

  /** Events that a pipeline wrote; a floor or an event taken out of application implies nothing. */
  Implications PIPELINE =
      logged -> {
        if (logged.header().corrupted() || logged.header().wlogOffset() == 0) {
          return Rows.NONE;
        }
        try {
          Event event = Event.of(logged);
          WLogRow row =
              new WLogRow(event.wsid(), event.wlogOffset(), logged.offset(), logged.payload());
          return new Rows(row, event.recordRows());
        } catch (StorageCorruptedException e) {
          return null;
        }
      };

  /** The rows, or null when the payload is not the pipeline's and nothing can be said. */
  @Nullable Rows of(PLogEvent event);
}
