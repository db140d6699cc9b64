package io.tidemark.tck;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.MemoryTransaction;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One way to get a storage wrong.
 *
 * @param name what it does wrong
 * @param breaks the rule it is after: each must be found broken
 * @param neighbours the rules that may be found broken beside it; I stands for every invariant of
 *     the engine, an asterisk for any rule
 */
record Saboteur(
    String name,
    Set<String> breaks,
    Set<String> neighbours,
    Opener opener,
    Claims claims,
    Handles handles,
    Readers readers,
    Sequences sequences,
    UnaryOperator<List<SeqDataBatch>> batches,
    UnaryOperator<Set<StorageCapability>> capabilities,
    UnaryOperator<Layout> layouts) {

  interface Opener {
    IAppStorage open(MemoryStore store, String application, @Nullable Layout layout);
  }

  interface Claims {
    IPartitionStorage claim(SabotagedApp app, int partition, String owner);
  }

  interface Handles {
    IPartitionStorage wrap(SabotagedApp app, IPartitionStorage real);
  }

  interface Readers {
    IPartitionReader wrap(SabotagedApp app, int partition, IPartitionReader real);
  }

  interface Sequences {
    ISequenceStorage<MemoryTransaction> wrap(
        SabotagedApp app, Supplier<ISequenceStorage<MemoryTransaction>> real);
  }

  static Saboteur who(String name, String... breaks) {
    return new Saboteur(
        name,
        Set.of(breaks),
        Set.of(),
        MemoryStore::open,
        (app, partition, owner) -> app.real.claim(partition, owner),
        (app, real) -> real,
        (app, partition, real) -> real,
        (app, real) -> real.get(),
        batches -> batches,
        capabilities -> capabilities,
        layout -> layout);
  }

  /** Rules that cannot but break too. */
  Saboteur beside(String... rules) {
    return new Saboteur(
        name,
        breaks,
        Set.of(rules),
        opener,
        claims,
        handles,
        readers,
        sequences,
        batches,
        capabilities,
        layouts);
  }

  Saboteur opens(Opener value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        value,
        claims,
        handles,
        readers,
        sequences,
        batches,
        capabilities,
        layouts);
  }

  Saboteur claims(Claims value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        value,
        handles,
        readers,
        sequences,
        batches,
        capabilities,
        layouts);
  }

  Saboteur handles(Handles value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        claims,
        value,
        readers,
        sequences,
        batches,
        capabilities,
        layouts);
  }

  Saboteur readers(Readers value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        claims,
        handles,
        value,
        sequences,
        batches,
        capabilities,
        layouts);
  }

  Saboteur sequences(Sequences value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        claims,
        handles,
        readers,
        value,
        batches,
        capabilities,
        layouts);
  }

  Saboteur batches(UnaryOperator<List<SeqDataBatch>> value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        claims,
        handles,
        readers,
        sequences,
        value,
        capabilities,
        layouts);
  }

  Saboteur capabilities(UnaryOperator<Set<StorageCapability>> value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        claims,
        handles,
        readers,
        sequences,
        batches,
        value,
        layouts);
  }

  Saboteur layouts(UnaryOperator<Layout> value) {
    return new Saboteur(
        name,
        breaks,
        neighbours,
        opener,
        claims,
        handles,
        readers,
        sequences,
        batches,
        capabilities,
        value);
  }

  /** Whether a check that was found broken is this saboteur's doing, as listed. */
  boolean accountsFor(CheckResult broken) {
    return neighbours.contains("*")
        // The pipeline stands on every other rule: whatever is broken may show there too.
        || broken.chapter().equals("PipelineRules")
        || broken.rules().stream()
            .anyMatch(
                rule ->
                    breaks.contains(rule)
                        || neighbours.contains(rule)
                        || (rule.matches("I\\d+") && neighbours.contains("I")));
  }
}
