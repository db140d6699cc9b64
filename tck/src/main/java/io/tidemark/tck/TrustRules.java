package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.tck.Made.created;
import static io.tidemark.tck.Made.event;
import static io.tidemark.tck.Made.plog;
import static io.tidemark.tck.Made.updated;
import static io.tidemark.tck.Made.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Rules T-1 and T-3 to T-8, L-10 and L-11: what a foreign row at a key means at each level. */
interface TrustRules extends StorageHarness {

  @Rule({"T-1", "T-3", "I12"})
  @NeedsRawAccess
  @Property(tries = 4)
  default void append_insertedOverAForeignEvent_isAViolationThatNamesTheOffset(
      @ForAll @IntRange(min = 1, max = 3) int offset) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    for (long before = 1; before < offset; before++) {
      owner.append(List.of(event(wsid, before)), INSERT_IF_NOT_EXISTS);
    }
    PLogEvent foreign = event(wsid, offset, offset, "foreign");
    scene.plantPLog(offset, foreign.toBytes());
    SequenceViolationException violation =
        catchThrowableOfType(
            SequenceViolationException.class,
            () -> owner.append(List.of(event(wsid, offset)), INSERT_IF_NOT_EXISTS));
    assertThat(violation)
        .as("inserted PLog offset %d where a foreign event stands", offset)
        .isNotNull();
    assertThat(violation.key()).as("the key the violation names").contains("" + offset);
    assertThat(plog(owner, offset)).as("the foreign event stays").containsExactly(foreign);
  }

  @Rule({"T-4", "I12"})
  @NeedsRawAccess
  @Example
  default void append_putOverAForeignEvent_overwritesIt() {
    Scene scene = Scene.of(this, TrustLevel.LEVEL_2);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    owner.append(List.of(event(wsid, 1)), PUT);
    scene.plantPLog(2, event(wsid, 2, 2, "foreign").toBytes());
    PLogEvent own = event(wsid, 2);
    owner.append(List.of(own), PUT);
    assertThat(plog(owner, 2)).as("put over a foreign event at 2").containsExactly(own);
  }

  @Rule({"T-1", "T-5", "I12"})
  @NeedsRawAccess
  @Property(tries = 6)
  default void appendWLog_insertedOverAForeignRow_isAViolationAndWritesNothing(
      @ForAll @IntRange(max = 2) int where, @ForAll boolean higher) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(1);
    WLogRow foreign = wlog(wsid, 1 + where, higher ? 90 : 1, "foreign");
    scene.plantWLog(foreign);
    WLogRow row = wlog(wsid, 1 + where, 5, "own");
    SequenceViolationException violation =
        catchThrowableOfType(
            SequenceViolationException.class,
            () -> owner.appendWLog(List.of(row), INSERT_IF_NOT_EXISTS));
    assertThat(violation)
        .as("inserted %s where a row of PLog offset %d stands", row.key(), foreign.plogOffset())
        .isNotNull();
    assertThat(violation.key()).as("the key the violation names").contains("" + (1 + where));
    assertThat(wlog(owner, wsid)).as("the foreign row stays").containsExactly(foreign);
  }

  @Rule("T-6")
  @Property(tries = 10)
  default void appendWLog_putInAnyOrder_keepsTheRowOfTheHighestPLogOffset(
      @ForAll @Size(min = 2, max = 5) List<@IntRange(min = 1, max = 9) Integer> offsets) {
    Scene scene = Scene.of(this, TrustLevel.LEVEL_2);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    int highest = 0;
    for (int offset : offsets) {
      owner.appendWLog(List.of(wlog(wsid, 1, offset, "of " + offset)), PUT);
      highest = Math.max(highest, offset);
      assertThat(wlog(owner, wsid))
          .as("put rows of PLog offsets %s in this order, the last was %d", offsets, offset)
          .containsExactly(wlog(wsid, 1, highest, "of " + highest));
    }
  }

  @Rule("L-10")
  @Example
  default void appendWLog_insertedAgain_isSuccess() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    WLogRow row = wlog(wsid, 1, 7, "own");
    owner.appendWLog(List.of(row), INSERT_IF_NOT_EXISTS);
    owner.appendWLog(List.of(row), INSERT_IF_NOT_EXISTS);
    assertThat(wlog(owner, wsid)).as("a row inserted twice").containsExactly(row);
  }

  @Rule("L-10")
  @Example
  default void appendWLog_insertedAgainWithOtherBytes_isAViolation() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    WLogRow row = wlog(wsid, 1, 7, "own");
    owner.appendWLog(List.of(row), INSERT_IF_NOT_EXISTS);
    assertThatThrownBy(
            () -> owner.appendWLog(List.of(wlog(wsid, 1, 7, "other")), INSERT_IF_NOT_EXISTS))
        .as("inserted other bytes under the same PLog offset")
        .isInstanceOf(SequenceViolationException.class);
    assertThat(wlog(owner, wsid)).as("the first row stays").containsExactly(row);
  }

  @Rule("T-7")
  @Property(tries = 10)
  default void putRecords_updatedInAnyOrder_keepsTheVersionOfTheHighestPLogOffset(
      @ForAll @Size(min = 2, max = 5) List<@IntRange(min = 1, max = 9) Integer> offsets) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    int highest = 0;
    for (int offset : offsets) {
      owner.putRecords(List.of(updated(wsid, 12, offset, "of " + offset)), INSERT_IF_NOT_EXISTS);
      highest = Math.max(highest, offset);
      assertThat(owner.readRecord(wsid, 12))
          .as("put versions of PLog offsets %s in this order, the last was %d", offsets, offset)
          .isEqualTo(updated(wsid, 12, highest, "of " + highest));
    }
  }

  @Rule("T-7")
  @Property(tries = 6)
  default void putRecords_newOnesPutInAnyOrder_keepTheVersionOfTheHighestPLogOffset(
      @ForAll @Size(min = 2, max = 5) List<@IntRange(min = 1, max = 9) Integer> offsets) {
    Scene scene = Scene.of(this, TrustLevel.LEVEL_1);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    int highest = 0;
    for (int offset : offsets) {
      owner.putRecords(List.of(created(wsid, 12, offset, "of " + offset)), PUT);
      highest = Math.max(highest, offset);
      assertThat(owner.readRecord(wsid, 12))
          .as("put new records of PLog offsets %s, the last was %d", offsets, offset)
          .isEqualTo(updated(wsid, 12, highest, "of " + highest));
    }
  }

  @Rule({"T-1", "T-8", "I12"})
  @NeedsRawAccess
  @Property(tries = 6)
  default void putRecords_newOneInsertedOverAForeignRow_isAViolationAndWritesNothing(
      @ForAll boolean sameOffset) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    RecordRow foreign = updated(wsid, 77, sameOffset ? 5 : 3, "foreign");
    scene.plantRecord(foreign);
    SequenceViolationException violation =
        catchThrowableOfType(
            SequenceViolationException.class,
            () ->
                owner.putRecords(
                    List.of(created(wsid, 77, 5, "own"), created(wsid, 78, 5, "own")),
                    INSERT_IF_NOT_EXISTS));
    assertThat(violation)
        .as("inserted record 77 at PLog offset 5 over one of %d", foreign.plogOffset())
        .isNotNull();
    assertThat(violation.key()).as("the key the violation names").contains("77");
    assertThat(owner.readRecord(wsid, 77)).as("the foreign record stays").isEqualTo(foreign);
    assertThat(owner.readRecord(wsid, 78)).as("nothing else of the call").isNull();
  }

  @Rule("T-8")
  @NeedsRawAccess
  @Example
  default void putRecords_newOnePutOverAForeignRow_overwritesIt() {
    Scene scene = Scene.of(this, TrustLevel.LEVEL_1);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    scene.plantRecord(updated(wsid, 77, 3, "foreign"));
    owner.putRecords(List.of(created(wsid, 77, 5, "own")), PUT);
    assertThat(owner.readRecord(wsid, 77))
        .as("put a new record at PLog offset 5 over a foreign one of 3")
        .isEqualTo(updated(wsid, 77, 5, "own"));
  }
}
