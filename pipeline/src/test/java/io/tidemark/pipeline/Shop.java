package io.tidemark.pipeline;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;

/** What the tests sell. */
final class Shop {
  static final int KIND = 1;
  static final int INVOICE = 256;
  static final long FIRST_C = 322_685_000_131_072L;
  static final long FIRST_OW = 322_680_000_131_072L;
  static final RecordType CUSTOMER = RecordType.cdoc("Customer");
  static final RecordType ORDER = RecordType.wdoc("Order");
  static final RecordType LINES = RecordType.odoc("Lines");
  static final RecordType LINE = RecordType.orecord("Line");

  static final SequenceTypes SEQUENCES =
      SequenceTypes.builder()
          .platform(KIND)
          .sequence(KIND, INVOICE, SequenceDefinition.named("invoice").build())
          .build();

  private Shop() {}

  /** An order with an invoice number; its record has the raw id 1. */
  static Command order(long wsid, String what) {
    return Command.named("order", KIND, wsid)
        .create(ORDER, 1, "what", what, "invoice", Draw.of(INVOICE))
        .build();
  }
}
