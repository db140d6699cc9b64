package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A store, an application with one partition, and sequencers in virtual time. */
final class Fixture {
  static final int KIND = 1;
  static final int OTHER_KIND = 2;
  static final int ORDERS = 256;
  static final int INVOICES = 257;
  static final int TINY = 258;
  static final Duration LONG = Duration.ofMinutes(1);
  static final byte[] EVENT = "event".getBytes(StandardCharsets.UTF_8);

  static final SequenceTypes TYPES =
      SequenceTypes.builder()
          .sequence(KIND, ORDERS, SequenceDefinition.named("orders").build())
          .sequence(KIND, INVOICES, SequenceDefinition.named("invoices").min(200_001L).build())
          .sequence(KIND, TINY, SequenceDefinition.named("tiny").max(5L).increment(2).build())
          .sequence(OTHER_KIND, ORDERS, SequenceDefinition.named("orders").build())
          .build();

  final ManualEnvironment environment = new ManualEnvironment();
  final MemoryStore store = new MemoryStore();
  final IAppStorage application = store.open("shop", Layout.of(1));
  final CacheBudget budget;
  final SequencerConfig config;

  Fixture() {
    this(SequencerConfig.of(TYPES), 1000);
  }

  Fixture(SequencerConfig config, long cacheNumbers) {
    this.config = config;
    this.budget = CacheBudget.of(cacheNumbers);
  }

  static Fixture withMaxUnflushed(int values) {
    return new Fixture(SequencerConfig.builder(TYPES).maxUnflushedValues(values).build(), 1000);
  }

  /** Claims the partition; its sequencer has not actualized yet. */
  LogPartition claim() {
    return Sequencers.of(application, config, budget, environment).claim(0, "test");
  }

  /** Claims the partition and waits until it takes transactions. */
  LogPartition ready() {
    LogPartition partition = claim();
    assertThat(partition.sequencer().awaitReady(LONG)).isTrue();
    return partition;
  }

  /** Logs an event that draws {@code count} orders in the workspace; answers the first number. */
  static long order(LogPartition partition, long wsid, int count) {
    try (Transaction transaction = partition.begin(KIND, wsid)) {
      long first = transaction.next(ORDERS, count);
      transaction.append(EVENT);
      return first;
    }
  }

  /** Draws and gives back: what the next order would be. */
  static long peek(ISequencer sequencer, long wsid) {
    assertThat(sequencer.start(KIND, wsid, LONG))
        .as("offset, refused: %s", sequencer.refusal())
        .isPositive();
    long number = sequencer.next(ORDERS);
    sequencer.cancel();
    return number;
  }

  IPartitionReader reader() {
    return application.reader(0);
  }

  long stored(long wsid, int seqId) {
    return reader().readNumbers(wsid, new int[] {seqId})[0];
  }
}
