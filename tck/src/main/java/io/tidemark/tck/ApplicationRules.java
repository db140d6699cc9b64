package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.created;
import static io.tidemark.tck.Made.event;
import static io.tidemark.tck.Made.plog;
import static io.tidemark.tck.Made.updated;
import static io.tidemark.tck.Made.value;
import static io.tidemark.tck.Made.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.UnknownApplicationException;
import java.util.List;
import net.jqwik.api.Example;

/** Rules L-14 and L-15: layouts are fixed, applications never meet. */
interface ApplicationRules extends StorageHarness {

  @Rule("L-14")
  @Example
  default void open_withAnotherLayout_isRefusedAndNamesBoth() {
    String name = Scenes.of(this).newName();
    Layout stored = layout(3, TrustLevel.LEVEL_0);
    Layout asked = layout(4, TrustLevel.LEVEL_0);
    open(name, stored).close();
    assertThatThrownBy(() -> open(name, asked).close())
        .as("stored with 3 partitions, opened with 4")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partitions=3")
        .hasMessageContaining("partitions=4");
    try (IAppStorage app = open(name, stored)) {
      assertThat(app.layout().partitions()).as("opened again as it was stored").isEqualTo(3);
    }
  }

  @Rule("L-14")
  @Example
  default void open_withoutALayout_adoptsTheStoredOne() {
    String name = Scenes.of(this).newName();
    Layout stored;
    try (IAppStorage app = open(name, layout(5, TrustLevel.LEVEL_0))) {
      stored = app.layout();
      assertThat(stored.partitions()).as("partitions as asked").isEqualTo(5);
      assertThat(app.application()).as("the application's id").isEqualTo(name);
    }
    try (IAppStorage app = open(name, null)) {
      assertThat(app.layout()).as("the layout adopted").isEqualTo(stored);
    }
  }

  @Rule("L-14")
  @Example
  default void open_ofAnUnknownApplicationWithoutALayout_createsNothing() {
    String name = Scenes.of(this).newName();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> open(name, null).close())
          .as("opened an application nobody created, without a layout, time %d", i + 1)
          .isInstanceOf(UnknownApplicationException.class);
    }
  }

  @Rule("L-15")
  @Example
  default void applications_withIdenticalIds_neverSeeEachOther() {
    Layout layout = layout(2, TrustLevel.LEVEL_0);
    String name = Scenes.of(this).newName();
    try (IAppStorage one = open(name, layout);
        IAppStorage two = open(name + "x", layout)) {
      long wsid = 5;
      IPartitionStorage first = one.claim(1, "one");
      IPartitionStorage second = two.claim(1, "two");
      PLogEvent event = event(wsid, 1, 1, "of one");
      first.append(List.of(event), INSERT_IF_NOT_EXISTS);
      first.appendWLog(List.of(wlog(wsid, 1, 1, "of one")), INSERT_IF_NOT_EXISTS);
      first.putRecords(List.of(created(wsid, 9, 1, "of one")), INSERT_IF_NOT_EXISTS);
      first.writeValuesAndOffset(value(wsid, SEQ, 44), 2);
      assertThat(second.logEnd()).as("log end of an application nobody wrote to").isZero();
      assertThat(wlog(second, wsid)).as("its WLog").isEmpty();
      assertThat(second.readRecord(wsid, 9)).as("its record").isNull();
      assertThat(second.readNumbers(wsid, new int[] {SEQ})).as("its number").containsExactly(0);
      assertThat(second.readNextPLogOffset()).as("its next offset").isEqualTo(1);

      second.append(List.of(event(wsid, 1, 1, "of two")), INSERT_IF_NOT_EXISTS);
      second.appendWLog(List.of(wlog(wsid, 1, 1, "of two")), INSERT_IF_NOT_EXISTS);
      second.putRecords(List.of(created(wsid, 9, 1, "of two")), INSERT_IF_NOT_EXISTS);
      second.writeValuesAndOffset(value(wsid, SEQ, 66), 9);
      two.claim(1, "two again");
      assertThat(plog(first)).as("the first one's log").containsExactly(event);
      assertThat(wlog(first, wsid)).as("its WLog").containsExactly(wlog(wsid, 1, 1, "of one"));
      assertThat(first.readRecord(wsid, 9)).isEqualTo(updated(wsid, 9, 1, "of one"));
      assertThat(first.readNumbers(wsid, new int[] {SEQ})).as("its number").containsExactly(44);
      assertThat(first.readNextPLogOffset()).as("its next offset").isEqualTo(2);
      first.append(List.of(event(wsid, 2)), INSERT_IF_NOT_EXISTS);
      assertThat(first.logEnd()).as("it was not fenced by the other's claim").isEqualTo(2);
    }
  }

  @Rule("L-15")
  @Example
  default void partitions_ofOneApplication_neverSeeEachOther() {
    List<Scene> scenes = Scene.several(this, 2);
    IPartitionStorage one = scenes.get(0).claim();
    IPartitionStorage two = scenes.get(1).claim();
    PLogEvent event = event(scenes.get(0).workspace(0), 1, 1, "of one");
    one.append(List.of(event), INSERT_IF_NOT_EXISTS);
    one.writeValuesAndOffset(value(scenes.get(0).workspace(0), SEQ, 1), 2);
    assertThat(two.logEnd()).as("log end of the other partition").isZero();
    assertThat(two.readNextPLogOffset()).as("its next offset").isEqualTo(1);
    two.append(List.of(event(scenes.get(1).workspace(0), 1)), INSERT_IF_NOT_EXISTS);
    assertThat(plog(one)).as("the first one's log").containsExactly(event);
  }
}
