package io.tidemark.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.memory.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random histories of two partitions, several owners and two applications, call by call on the
 * reference storage and on SQLite: both answer the same and hold the same in the end.
 */
final class SameAsMemoryTest {
  private static final int STEPS = 60;
  private static final long[] WORKSPACES = {0, 1, Long.MIN_VALUE, -1};

  private static Path file;

  @BeforeContainer
  static void newFile() throws Exception {
    Files.createDirectories(Path.of("target"));
    file = Files.createTempDirectory(Path.of("target"), "same").resolve("same.db");
  }

  @Property(tries = 40, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
  void anyHistory_onBoth_answersAndHoldsTheSame(@ForAll long seed) {
    String name = "app " + UUID.randomUUID();
    MemoryStore store = new MemoryStore();
    try (IAppStorage memory = store.open(name, Layout.of(2));
        IAppStorage sqlite =
            SqliteStorageDriver.open(
                SqliteStorageConfig.of(file, name).withTimeout(Fixture.PATIENCE), Layout.of(2))) {
      new History(seed, memory, sqlite).run();
    }
  }

  /** The same thing in both storages. */
  private record Pair<T>(T memory, T sqlite) {}

  private static final class History {
    private final Random random;
    private final Pair<IAppStorage> apps;
    private final List<Pair<IPartitionStorage>> handles = new ArrayList<>();
    private final List<Pair<ISeqGeneration>> generations = new ArrayList<>();
    private final List<List<PLogEvent>> groups = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();

    History(long seed, IAppStorage memory, IAppStorage sqlite) {
      random = new Random(seed);
      apps = new Pair<>(memory, sqlite);
    }

    void run() {
      claim();
      for (int i = 0; i < STEPS; i++) {
        step();
      }
      for (int partition = 0; partition < 2; partition++) {
        int number = partition;
        both("dump " + number, apps, app -> dump(app.reader(number)));
      }
    }

    private void step() {
      Pair<IPartitionStorage> handle = pick(handles);
      switch (random.nextInt(16)) {
        case 0 -> claim();
        case 1 -> both("settle", handle, h -> did(h::settle));
        case 2, 3, 4 -> {
          List<PLogEvent> group = group(handle.memory());
          WriteMode mode = pick(List.of(WriteMode.values()));
          both("append " + mode + group, handle, h -> did(() -> h.append(group, mode)));
        }
        case 5, 6, 7 -> {
          CommitGroup commit = new CommitGroup(group(handle.memory()), records(), wlog());
          TrustLevel level = pick(List.of(TrustLevel.values()));
          both("commit " + level + commit, handle, h -> did(() -> h.commit(commit, level)));
        }
        case 8 -> {
          List<WLogRow> rows = wlog();
          WriteMode mode = pick(List.of(WriteMode.values()));
          both("wlog " + mode + rows, handle, h -> did(() -> h.appendWLog(rows, mode)));
        }
        case 9 -> {
          List<RecordRow> rows = records();
          WriteMode mode = pick(List.of(WriteMode.values()));
          both("records " + mode + rows, handle, h -> did(() -> h.putRecords(rows, mode)));
        }
        case 10 -> {
          SeqValues values = values();
          long offset = 1L + random.nextInt(9);
          both(
              "numbers " + values + offset,
              handle,
              h -> did(() -> h.writeValuesAndOffset(values, offset)));
        }
        case 11 -> writeMany();
        case 12 -> {
          PartitionFailure failure = random.nextBoolean() ? null : new PartitionFailure("k", "c");
          both("failure " + failure, handle, h -> did(() -> h.storeFailure(failure)));
          both("failure", handle, IPartitionStorage::failure);
        }
        case 13 -> {
          long offset = 1L + random.nextInt(5);
          both("mark " + offset, handle, h -> did(() -> h.markCorrupted(offset)));
        }
        case 14 -> rebuild(handle);
        default -> build();
      }
      Pair<IPartitionStorage> reader = pick(handles);
      long wsid = workspace();
      int[] seqIds = {random.nextInt(3) + 1, 65535, random.nextInt(3) + 1};
      both(
          "read numbers " + wsid + Arrays.toString(seqIds),
          reader,
          h -> Arrays.toString(h.readNumbers(wsid, seqIds)));
      both("read offset", reader, IPartitionStorage::readNextPLogOffset);
      both("read log", reader, SameAsMemoryTest::log);
    }

    private void claim() {
      int partition = random.nextInt(2);
      String owner = "owner " + steps.size();
      handles.add(
          new Pair<>(apps.memory().claim(partition, owner), apps.sqlite().claim(partition, owner)));
      steps.add("claim " + partition);
    }

    private void rebuild(Pair<IPartitionStorage> handle) {
      List<ISeqGeneration> made = new ArrayList<>();
      both("rebuild", handle, h -> made.add(h.rebuild()));
      if (made.size() == 2) {
        generations.add(new Pair<>(made.get(0), made.get(1)));
      }
    }

    private void build() {
      if (generations.isEmpty()) {
        return;
      }
      Pair<ISeqGeneration> generation = pick(generations);
      SeqValues values = values();
      long offset = 1L + random.nextInt(9);
      both("build " + values, generation, g -> did(() -> g.write(values, offset)));
      both("built", generation, ISeqGeneration::nextOffset);
      if (random.nextBoolean()) {
        both("activate", generation, g -> did(g::activate));
      }
    }

    private void writeMany() {
      SeqValues values = values();
      List<Pair<IPartitionStorage>> owners = List.of(pick(handles), pick(handles));
      Pair<Runnable> writes =
          new Pair<>(
              () -> write(apps.memory(), owners.stream().map(Pair::memory).toList(), values),
              () -> write(apps.sqlite(), owners.stream().map(Pair::sqlite).toList(), values));
      both("numbers of many " + values, writes, SameAsMemoryTest::did);
    }

    private static void write(IAppStorage app, List<IPartitionStorage> owners, SeqValues values) {
      app.writeSeqData(owners.stream().map(owner -> new SeqDataBatch(owner, values, 5)).toList());
    }

    /** A new group near the log's end, or one that was tried before. */
    private List<PLogEvent> group(IPartitionStorage handle) {
      if (!groups.isEmpty() && random.nextInt(4) == 0) {
        return pick(groups);
      }
      long first = Math.max(1, handle.logEnd() + 1 + (random.nextInt(3) == 0 ? nearby() : 0));
      List<PLogEvent> group = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        UUID writeId = new UUID(random.nextLong(), random.nextLong());
        EventHeader header =
            new EventHeader(
                writeId,
                first,
                workspace(),
                1,
                1,
                false,
                List.of(new SequenceTouch(1, 1, 1, false)));
        group.add(new PLogEvent(first + i, header, data()));
      }
      groups.add(group);
      return group;
    }

    private int nearby() {
      return random.nextInt(5) - 3;
    }

    private List<WLogRow> wlog() {
      List<WLogRow> rows = new ArrayList<>();
      for (int i = 0; i < random.nextInt(3); i++) {
        rows.add(new WLogRow(workspace(), 1 + random.nextInt(3), 1 + random.nextInt(3), data()));
      }
      return rows;
    }

    private List<RecordRow> records() {
      List<RecordRow> rows = new ArrayList<>();
      for (int i = 0; i < random.nextInt(3); i++) {
        int plogOffset = 1 + random.nextInt(3);
        rows.add(
            new RecordRow(
                workspace(), 1 + random.nextInt(3), plogOffset, random.nextBoolean(), data()));
      }
      return rows;
    }

    private SeqValues values() {
      SeqValues values = new SeqValues();
      for (int seqId = 1; seqId < 4; seqId++) {
        if (random.nextBoolean()) {
          values.add(
              workspace(), seqId, random.nextInt(8) == 0 ? Long.MAX_VALUE : 1 + random.nextInt(9));
        }
      }
      return values;
    }

    private byte[] data() {
      return random.nextInt(4) == 0 ? new byte[0] : new byte[] {(byte) random.nextInt(2)};
    }

    private long workspace() {
      return WORKSPACES[random.nextInt(WORKSPACES.length)];
    }

    private <T> T pick(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private <T> void both(String step, Pair<T> on, Function<T, Object> call) {
      String expected = answer(on.memory(), call);
      String found = answer(on.sqlite(), call);
      steps.add(step + " -> " + expected);
      assertThat(found).as(() -> String.join("\n", steps)).isEqualTo(expected);
    }

    private static <T> String answer(T target, Function<T, Object> call) {
      try {
        return String.valueOf(call.apply(target));
      } catch (SequenceViolationException e) {
        return "violation at " + e.key();
      } catch (RuntimeException e) {
        return e.getClass().getSimpleName();
      }
    }
  }

  private static String did(Runnable call) {
    call.run();
    return "done";
  }

  private static String log(ILogReader reader) {
    StringBuilder text = new StringBuilder();
    for (PLogEvent event : Fixture.plog(reader)) {
      text.append(event.offset()).append(event.header()).append(Arrays.toString(event.payload()));
    }
    return text.toString();
  }

  private static String dump(IPartitionReader reader) {
    List<String> rows = new ArrayList<>();
    reader.scanNumbers((wsid, seqId, number) -> rows.add(wsid + "/" + seqId + "=" + number));
    reader.scanWLog(row -> rows.add(text("wlog", row)));
    reader.scanRecords(row -> rows.add(text(row)));
    rows.sort(null);
    for (long wsid : WORKSPACES) {
      reader.readWLog(wsid, 2, row -> rows.add(text("wlog of workspace", row)));
      RecordRow record = reader.readRecord(wsid, 2);
      rows.add(record == null ? "no record" : text(record));
    }
    PartitionInfo info = reader.info();
    rows.add("meta " + info.epoch().number() + info.owner() + info.failure());
    rows.add("next " + reader.readNextPLogOffset() + ", end " + reader.logEnd());
    return String.join("\n", rows) + log(reader);
  }

  private static String text(String table, WLogRow row) {
    return "%s %d %d %d %s"
        .formatted(
            table, row.wsid(), row.wlogOffset(), row.plogOffset(), Arrays.toString(row.payload()));
  }

  private static String text(RecordRow row) {
    return "record %d %d %d %b %s"
        .formatted(
            row.wsid(), row.recordId(), row.plogOffset(), row.isNew(), Arrays.toString(row.data()));
  }
}
