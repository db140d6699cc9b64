package io.tidemark.cli;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.SequencerConfig;
import io.tidemark.pipeline.ArgumentObject;
import io.tidemark.pipeline.Command;
import io.tidemark.pipeline.Draw;
import io.tidemark.pipeline.PipelineConfig;
import io.tidemark.pipeline.RecordType;
import io.tidemark.pipeline.Ref;
import java.util.SplittableRandom;

/**
 * The application that demo and torture run: a chain of shops. Each shop is a workspace with
 * orders, their items and invoice numbers of its own.
 */
final class Shop {
  static final int KIND = 1;
  static final int INVOICE = 256;

  /** The field that names a command for ever. */
  static final String TAG = "tag";

  /** The field that holds the invoice number. */
  static final String INVOICE_FIELD = "invoice";

  static final RecordType ORDER = RecordType.wdoc("shop.Order");
  private static final RecordType ITEM = RecordType.wrecord("shop.Item");
  private static final RecordType RECEIPT = RecordType.odoc("shop.Receipt");
  private static final RecordType LINE = RecordType.orecord("shop.Line");
  private static final int MOST_ITEMS = 3;

  private Shop() {}

  /** An order of one to three items, with a receipt as its argument. */
  static Command order(String tag, long wsid, SplittableRandom random) {
    Command.Builder command =
        Command.named("PlaceOrder", KIND, wsid)
            .create(ORDER, 1, TAG, tag, INVOICE_FIELD, Draw.of(INVOICE));
    int items = 1 + random.nextInt(MOST_ITEMS);
    ArgumentObject[] lines = new ArgumentObject[items];
    for (int i = 0; i < items; i++) {
      command.create(ITEM, 2 + i, "order", Ref.to(1), "pieces", 1 + random.nextInt(9));
      lines[i] = ArgumentObject.of(LINE, 0, "item", Ref.to(2 + i));
    }
    return command.argument(ArgumentObject.of(RECEIPT, 0, "order", Ref.to(1)).with(lines)).build();
  }

  static PipelineConfig config(TrustLevel level, String owner, SequencerListener listener) {
    Settings settings = Settings.load();
    SequencerConfig sequencer =
        SequencerConfig.builder(
                SequenceTypes.builder()
                    .platform(KIND)
                    .sequence(KIND, INVOICE, SequenceDefinition.named("invoices").build())
                    .build())
            .maxUnflushedValues(settings.number(Settings.MAX_UNFLUSHED))
            .maxFlushingInterval(settings.duration(Settings.FLUSHING_INTERVAL))
            .readTimeout(settings.duration(Settings.READ_TIMEOUT))
            .listener(listener)
            .build();
    return PipelineConfig.builder(sequencer)
        .trustLevel(level)
        .owner(owner)
        .cache(CacheBudget.of(settings.number(Settings.CACHE)))
        .build();
  }
}
