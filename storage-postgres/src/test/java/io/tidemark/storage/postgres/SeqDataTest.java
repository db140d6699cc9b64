package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SeqDataTest {
  private final IAppStorage app = Fixture.openNew();

  @AfterEach
  void close() {
    app.close();
  }

  @Test
  @Tag("S-10")
  void writeSeqData_ofManyPartitions_isOneStatement() {
    CountingSource counting = Fixture.countingSource();
    IAppStorage counted =
        Fixture.DRIVER.open(counting.source(), "tidemark", app.application(), app.layout());
    List<SeqDataBatch> batches = new ArrayList<>();
    for (int partition = 0; partition < 4; partition++) {
      SeqValues values = new SeqValues().add(9, 3, 30 + partition).add(-1, 4, 40 + partition);
      batches.add(new SeqDataBatch(counted.claim(partition, "test"), values, 5 + partition));
    }
    long before = counting.executed();
    counted.writeSeqData(batches);
    assertThat(counting.executed() - before).isEqualTo(1);
    for (int partition = 0; partition < 4; partition++) {
      IPartitionReader reader = app.reader(partition);
      assertThat(reader.readNumbers(9, new int[] {4, 3})).containsExactly(0, 30 + partition);
      assertThat(reader.readNumbers(-1, new int[] {4})).containsExactly(40 + partition);
      assertThat(reader.readNextPLogOffset()).isEqualTo(5 + partition);
    }
  }

  @Test
  @Tag("S-8")
  void write_ofLowerNumbers_lowersNothing() {
    IPartitionStorage owner = app.claim(0, "test");
    owner.writeValuesAndOffset(new SeqValues().add(1, 3, 100).add(1, 4, 7), 8);
    owner.writeValuesAndOffset(new SeqValues().add(1, 3, 5).add(1, 4, 9), 4);
    assertThat(owner.readNumbers(1, new int[] {3, 4})).containsExactly(100, 9);
    assertThat(owner.readNextPLogOffset()).isEqualTo(8);
  }

  /** Unsorted, 183 of 240 such writes ended in a deadlock. */
  @Test
  @Tag("S-1")
  void write_fromManyThreads_neverDeadlocks() throws Exception {
    List<IPartitionStorage> owners = new ArrayList<>();
    for (int partition = 0; partition < 4; partition++) {
      owners.add(app.claim(partition, "test"));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(thread);
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 30; i++) {
                    List<SeqDataBatch> batches = new ArrayList<>();
                    for (IPartitionStorage owner : owners) {
                      batches.add(new SeqDataBatch(owner, shuffled(random), i + 1));
                    }
                    Collections.shuffle(batches, random);
                    app.writeSeqData(batches);
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(app.reader(3).readNextPLogOffset()).isEqualTo(30);
  }

  private static SeqValues shuffled(Random random) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      keys.add(i);
    }
    Collections.shuffle(keys, random);
    SeqValues values = new SeqValues();
    keys.forEach(key -> values.add(key % 20, 3 + key / 20, 1 + random.nextInt(1_000_000)));
    return values;
  }

  @Test
  @Tag("F-8")
  @Tag("S-12")
  void readNumbers_ofAReplacedGeneration_isFenced() {
    IPartitionStorage old = app.claim(0, "old");
    old.writeValuesAndOffset(new SeqValues().add(1, 3, 5), 2);
    IPartitionStorage rebuilder = app.claim(0, "rebuilder");
    ISeqGeneration generation = rebuilder.rebuild();
    generation.write(new SeqValues().add(1, 3, 6), 3);
    assertThat(rebuilder.rebuild().generation()).isEqualTo(generation.generation());
    assertThat(rebuilder.rebuild().nextOffset()).isEqualTo(3);
    assertThat(app.reader(0).readNumbers(1, new int[] {3})).containsExactly(5);
    generation.activate();
    generation.activate();
    assertThatThrownBy(() -> old.readNumbers(1, new int[] {3}))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("claim the partition again");
    assertThatThrownBy(old::readNextPLogOffset).isInstanceOf(FencedException.class);
    old.writeValuesAndOffset(new SeqValues().add(1, 3, 999), 99);
    assertThat(app.claim(0, "next").readNumbers(1, new int[] {3})).containsExactly(6);
    assertThat(app.reader(0).readNextPLogOffset()).isEqualTo(3);
  }

  @Test
  void scanNumbers_ofMoreThanAPage_visitsEach() {
    IPartitionStorage owner = app.claim(0, "test");
    SeqValues values = new SeqValues();
    for (int i = 0; i < 1000; i++) {
      values.add(i - 500, 3, i + 1);
    }
    owner.writeValuesAndOffset(values, 2);
    List<Long> numbers = new ArrayList<>();
    app.reader(0).scanNumbers((wsid, seqId, number) -> numbers.add(number));
    assertThat(numbers).hasSize(1000).doesNotHaveDuplicates();
  }
}
