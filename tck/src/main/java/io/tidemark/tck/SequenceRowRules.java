package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.ISequenceStorage.CatalogEntry;
import io.tidemark.spi.StorageCapability;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Rules: the rows of SQL-like sequences. */
interface SequenceRowRules extends StorageHarness {

  @Rule("Q-5")
  @RequiresCapability(StorageCapability.FENCED_SEQUENCES)
  @Example
  default void sequences_claimedAgain_fenceTheFirstClaim() {
    Scene scene = Scene.of(this);
    ISequenceStorage<?> first = scene.app().sequences("first");
    long id = create(first, definition("fenced"));
    put(first, id, 1, 10);
    ISequenceStorage<?> second = scene.app().sequences("second");
    assertThatThrownBy(() -> put(first, id, 2, 20))
        .as("the first claim puts a value after a second claim")
        .isInstanceOf(FencedException.class);
    assertThat(second.getLatest(id))
        .as("the latest value after the fenced put")
        .isEqualTo(new VersionedValue(1, 10, true));
    put(second, id, 2, 30);
    assertThat(second.getLatest(id)).isEqualTo(new VersionedValue(2, 30, true));
  }

  @Rule("Q-8")
  @Property(tries = 4)
  default void create_afterDropsAndClaims_neverGivesAnIdTwice(
      @ForAll @Size(min = 2, max = 6) List<Boolean> drops) {
    Scene scene = Scene.of(this);
    Set<Long> given = new HashSet<>();
    for (boolean drop : drops) {
      ISequenceStorage<?> sequences = scene.app().sequences("owner");
      long id = create(sequences, definition("again"));
      assertThat(given.add(id)).as("id %d was given before; given so far: %s", id, given).isTrue();
      if (drop) {
        drop(sequences, id);
      }
    }
  }

  @Rule("Q-9")
  @RequiresCapability(StorageCapability.TRANSACTIONAL_SEQUENCES)
  @Example
  default void put_inATransactionThatFails_isNotDurable() {
    rollsBack(Scene.of(this).app().sequences("owner"));
  }

  private static <T> void rollsBack(ISequenceStorage<T> sequences) {
    long id = create(sequences, definition("rolled back"));
    put(sequences, id, 1, 10);
    IllegalStateException own = new IllegalStateException("the caller's own");
    List<T> leaked = new ArrayList<>();
    AtomicLong created = new AtomicLong();
    assertThatThrownBy(
            () ->
                sequences.transact(
                    transaction -> {
                      leaked.add(transaction);
                      sequences.put(transaction, id, new VersionedValue(2, 20, true));
                      created.set(sequences.create(transaction, definition("never")));
                      throw own;
                    }))
        .as("what the caller's work throws reaches the caller")
        .isSameAs(own);
    assertThat(sequences.getLatest(id))
        .as("put version 2 in a transaction that was rolled back")
        .isEqualTo(new VersionedValue(1, 10, true));
    assertThat(sequences.catalog())
        .as("created sequence %d in the same transaction", created.get())
        .noneMatch(entry -> entry.id() == created.get());
    assertThatThrownBy(() -> sequences.put(leaked.get(0), id, new VersionedValue(3, 30, true)))
        .as("put with a finished transaction")
        .isInstanceOf(IllegalStateException.class);
    assertThat(create(sequences, definition("next")))
        .as("an id after %d was rolled back", created.get())
        .isNotEqualTo(created.get());
  }

  @Rule("Q-9")
  @Example
  default void put_onceDurable_isSeenThroughAnotherClaim() {
    Scene scene = Scene.of(this);
    ISequenceStorage<?> first = scene.app().sequences("first");
    long id = create(first, definition("durable"));
    put(first, id, 1, Long.MIN_VALUE);
    try (var app = scene.openAgain()) {
      ISequenceStorage<?> second = app.sequences("second");
      assertThat(second.getLatest(id))
          .as("put version 1, read through another connection")
          .isEqualTo(new VersionedValue(1, Long.MIN_VALUE, true));
      second.prune(id);
      assertThat(second.getLatest(id).version()).as("the version after prune").isEqualTo(1);
    }
  }

  @Rule({"Q-10", "Q-11"})
  @Property(tries = 6)
  default void put_versionsInAnyOrder_keepsTheHighest(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 9) Integer> versions,
      @ForAll boolean prune) {
    Scene scene = Scene.of(this);
    ISequenceStorage<?> sequences = scene.app().sequences("owner");
    long id = create(sequences, definition("versions"));
    assertThat(sequences.getLatest(id).version()).as("version before any put").isZero();
    long highest = 0;
    for (int i = 0; i < versions.size(); i++) {
      int version = versions.get(i);
      boolean repeated = versions.subList(0, i).contains(version);
      put(sequences, id, version, version * 100L);
      highest = Math.max(highest, version);
      if (prune) {
        sequences.prune(id);
      }
      assertThat(sequences.getLatest(id))
          .as(
              "put versions %s in this order, the last was %d%s",
              versions, version, repeated ? ", again" : "")
          .isEqualTo(new VersionedValue(highest, highest * 100, true));
    }
  }

  @Rule("Q-10")
  @Example
  default void put_equalVersionWithAnotherValue_changesNothing() {
    ISequenceStorage<?> sequences = Scene.of(this).app().sequences("owner");
    long id = create(sequences, definition("equal"));
    put(sequences, id, 4, 40);
    put(sequences, id, 4, 99);
    assertThat(sequences.getLatest(id))
        .as("put version 4 as 40, then version 4 as 99")
        .isEqualTo(new VersionedValue(4, 40, true));
    assertThatThrownBy(() -> put(sequences, id, 0, 1))
        .as("put version 0")
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Rule("Q-10")
  @RequiresCapability(StorageCapability.TRANSACTIONAL_SEQUENCES)
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  default void put_inOverlappingTransactions_bothCommit_stochastic(@ForAll boolean higherFirst) {
    overlaps(Scene.of(this).app().sequences("owner"), higherFirst);
  }

  private static <T> void overlaps(ISequenceStorage<T> sequences, boolean higherFirst) {
    long id = create(sequences, definition("overlapping"));
    CountDownLatch firstHasPut = new CountDownLatch(1);
    CountDownLatch secondIsIn = new CountDownLatch(1);
    Crew crew = new Crew();
    crew.add(
        () ->
            sequences.transact(
                transaction -> {
                  sequences.put(transaction, id, version(higherFirst ? 6 : 5));
                  firstHasPut.countDown();
                  // A storage that locks lets the second in only when the first is done.
                  Crew.awaitBriefly(secondIsIn);
                }));
    crew.add(
        () -> {
          Crew.await(firstHasPut);
          sequences.transact(
              transaction -> {
                sequences.put(transaction, id, version(higherFirst ? 5 : 6));
                secondIsIn.countDown();
              });
        });
    crew.work();
    assertThat(sequences.getLatest(id))
        .as("two overlapping transactions put versions 5 and 6")
        .isEqualTo(version(6));
  }

  @Rule("Q-12")
  @Example
  default void catalog_afterCreateAlterAndDrop_answersWhatIsStored() {
    ISequenceStorage<?> sequences = Scene.of(this).app().sequences("owner");
    SequenceDefinition odd =
        SequenceDefinition.named("odd \"name\" – ü")
            .min(Long.MIN_VALUE)
            .max(Long.MAX_VALUE)
            .start(-5L)
            .increment(-3)
            .cycle(true)
            .build();
    long kept = create(sequences, odd);
    long altered = create(sequences, definition("before"));
    long dropped = create(sequences, definition("dropped"));
    alter(sequences, altered, definition("after"));
    drop(sequences, dropped);
    List<CatalogEntry> catalog = new ArrayList<>(sequences.catalog());
    assertThat(catalog).as("a definition as it was created").contains(new CatalogEntry(kept, odd));
    assertThat(catalog)
        .as("a definition that was altered")
        .contains(new CatalogEntry(altered, definition("after")))
        .doesNotContain(new CatalogEntry(altered, definition("before")));
    assertThat(catalog).as("a dropped sequence").noneMatch(entry -> entry.id() == dropped);
  }

  private static VersionedValue version(long version) {
    return new VersionedValue(version, version * 100, true);
  }

  private static SequenceDefinition definition(String name) {
    return SequenceDefinition.named(name).build();
  }

  private static <T> long create(ISequenceStorage<T> sequences, SequenceDefinition definition) {
    AtomicLong id = new AtomicLong();
    sequences.transact(transaction -> id.set(sequences.create(transaction, definition)));
    return id.get();
  }

  private static <T> void alter(
      ISequenceStorage<T> sequences, long id, SequenceDefinition definition) {
    sequences.transact(transaction -> sequences.alter(transaction, id, definition));
  }

  private static <T> void drop(ISequenceStorage<T> sequences, long id) {
    sequences.transact(transaction -> sequences.drop(transaction, id));
  }

  private static <T> void put(ISequenceStorage<T> sequences, long id, long version, long value) {
    sequences.transact(
        transaction -> sequences.put(transaction, id, new VersionedValue(version, value, true)));
  }
}
