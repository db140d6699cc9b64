package io.tidemark.storage.memory;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.memory.Fixture.APP;
import static io.tidemark.storage.memory.Fixture.SEQ;
import static io.tidemark.storage.memory.Fixture.WS;
import static io.tidemark.storage.memory.Fixture.created;
import static io.tidemark.storage.memory.Fixture.event;
import static io.tidemark.storage.memory.Fixture.plog;
import static io.tidemark.storage.memory.Fixture.updated;
import static io.tidemark.storage.memory.Fixture.values;
import static io.tidemark.storage.memory.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CrashTest {
  private final MemoryStore lossy = MemoryStore.builder().untilSync().build();
  private final IAppStorage app = lossy.open(APP, Layout.of(1));
  private final IPartitionStorage partition = app.claim(0, "test");

  @Test
  void crash_ofADurableStore_losesNothing() {
    MemoryStore durable = new MemoryStore();
    IPartitionStorage handle = durable.open(APP, Layout.of(1)).claim(0, "test");
    PLogEvent event = event(1);
    handle.append(List.of(event), INSERT_IF_NOT_EXISTS);
    handle.writeValuesAndOffset(values(1), 2);
    durable.crash();

    assertThat(plog(handle)).containsExactly(event);
    assertThat(handle.readNextPLogOffset()).isEqualTo(2);
    handle.append(List.of(event(2)), INSERT_IF_NOT_EXISTS);
  }

  @Test
  void crash_ofAVolatileStore_dropsWhatWasNotSynced() {
    PLogEvent kept = event(1);
    partition.append(List.of(kept), INSERT_IF_NOT_EXISTS);
    partition.putRecords(List.of(created(1, 1, "kept")), WriteMode.PUT);
    partition.appendWLog(List.of(wlog(1, 1, "kept")), WriteMode.PUT);
    partition.writeValuesAndOffset(values(1), 2);
    PartitionInfo info = app.reader(0).info();
    lossy.sync();

    partition.append(List.of(event(2)), INSERT_IF_NOT_EXISTS);
    partition.markCorrupted(1);
    partition.putRecords(List.of(updated(1, 2, "lost"), created(2, 2, "lost")), WriteMode.PUT);
    partition.appendWLog(List.of(wlog(1, 2, "lost"), wlog(2, 2, "lost")), WriteMode.PUT);
    partition.writeValuesAndOffset(values(2).add(WS, 300, 1).add(99, SEQ, 1), 3);
    partition.storeFailure(new PartitionFailure("key", "lost"));
    lossy.removeRecord(APP, WS, 1);
    assertThat(partition.logEnd()).as("what is volatile is seen").isEqualTo(2);
    lossy.crash();

    assertThat(plog(partition)).containsExactly(kept);
    assertThat(partition.readRecord(WS, 1)).isEqualTo(updated(1, 1, "kept"));
    assertThat(partition.readRecord(WS, 2)).isNull();
    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 1, "kept"));
    assertThat(partition.readNumbers(WS, new int[] {SEQ, 300})).containsExactly(1, 0);
    assertThat(partition.readNumbers(99, new int[] {SEQ})).containsExactly(0);
    assertThat(partition.readNextPLogOffset()).isEqualTo(2);
    assertThat(app.reader(0).info()).isEqualTo(info);
    app.reader(0)
        .scanNumbers(
            (wsid, seqId, number) -> {
              assertThat(List.of(wsid, (long) seqId, number)).containsExactly(WS, (long) SEQ, 1L);
              return true;
            });
  }

  @Test
  @Tag("L-6")
  void append_behindWhatACrashLost_isCorrupted() {
    lossy.sync();
    partition.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    lossy.crash();

    assertThatThrownBy(() -> partition.append(List.of(event(2)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Test
  void claim_lostInACrash_isFenced() {
    lossy.sync();
    IPartitionStorage lost = app.claim(0, "lost");
    lossy.crash();

    assertThatThrownBy(() -> lost.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(FencedException.class);
    partition.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    assertThat(app.claim(0, "next").epoch()).isNotEqualTo(lost.epoch());
  }

  @Test
  @Tag("F-5")
  void claim_lostInACrash_isNotMistakenForTheNextOfTheSameNumber() {
    lossy.sync();
    IPartitionStorage lost = app.claim(0, "lost");
    lossy.crash();
    IPartitionStorage next = app.claim(0, "next");
    assertThat(next.epoch().number()).isEqualTo(lost.epoch().number());

    assertThatThrownBy(lost::settle).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> lost.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(FencedException.class);
    next.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
  }

  @Test
  void crash_leavesRequestsOnTheirWay() {
    lossy.sync();
    lossy.script(Outcome.UNKNOWN_LATER);
    assertThatThrownBy(() -> partition.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(OutcomeUnknownException.class);
    lossy.crash();

    assertThat(lossy.deliverLate()).isEqualTo(1);
    assertThat(partition.logEnd()).isEqualTo(1);
  }
}
