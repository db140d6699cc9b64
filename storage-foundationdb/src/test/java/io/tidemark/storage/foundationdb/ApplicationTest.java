package io.tidemark.storage.foundationdb;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.foundationdb.Fixture.SEQ;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.created;
import static io.tidemark.storage.foundationdb.Fixture.event;
import static io.tidemark.storage.foundationdb.Fixture.values;
import static io.tidemark.storage.foundationdb.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import io.tidemark.spi.UnknownApplicationException;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import io.tidemark.storage.foundationdb.simulated.SimulatedDatabase;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.Fate;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ApplicationTest {
  private final TestCluster store = TestCluster.start();

  private static IStorageDriver driver() {
    return ServiceLoader.load(IStorageDriver.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(found -> found.scheme().equals("fdb"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Tag("L-14")
  void open_withAnotherLayout_isRefusedAndNamesBoth() {
    store.open("a", Layout.of(10));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.open("a", Layout.of(12)))
        .withMessageContaining("partitions=10")
        .withMessageContaining("partitions=12");
    assertThat(store.open("a", null).layout()).isEqualTo(Layout.of(10));
    assertThat(store.open("a", Layout.of(10)).application()).isEqualTo("a");
  }

  @Test
  void open_ofAnUnknownApplicationWithoutALayout_isRefusedAndCreatesNothing() {
    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(UnknownApplicationException.class)
          .isThrownBy(() -> store.open("typo", null))
          .withMessageContaining("'typo'");
    }
  }

  @Test
  void open_ofABlankName_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> store.open(" ", Layout.of(1)));
  }

  @Test
  @Tag("L-15")
  void applications_withIdenticalIds_neverSeeEachOther() {
    IPartitionStorage a = store.open("a", Layout.of(1)).claim(0, "test");
    IPartitionReader b = store.open("b", Layout.of(1)).reader(0);
    a.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    a.putRecords(List.of(created(1, 1, "x")), WriteMode.PUT);
    a.appendWLog(List.of(wlog(1, 1, "x")), WriteMode.PUT);
    a.writeValuesAndOffset(values(5), 2);

    assertThat(b.logEnd()).isZero();
    assertThat(b.readRecord(WS, 1)).isNull();
    assertThat(wlog(b, WS)).isEmpty();
    assertThat(b.readNumbers(WS, new int[] {SEQ})).containsExactly(0);
    assertThat(b.readNextPLogOffset()).isEqualTo(1);
    assertThat(b.info().epoch().number()).isZero();
  }

  @Test
  void close_ofOneConnection_endsItsHandlesAndNoOthers() {
    IAppStorage first = store.open("a", Layout.of(1));
    IPartitionStorage handle = first.claim(0, "test");
    IAppStorage second = store.open("a", null);
    first.close();
    first.close();

    assertThatIllegalStateException()
        .isThrownBy(handle::logEnd)
        .withMessage("the storage of application 'a' is closed");
    assertThatIllegalStateException().isThrownBy(() -> handle.writeValuesAndOffset(values(1), 2));
    assertThatIllegalStateException().isThrownBy(() -> first.claim(0, "test"));
    assertThat(second.claim(0, "test").epoch().number()).isEqualTo(2);
  }

  @Test
  void driver_withAnUnknownOptionOrScheme_refuses() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> driver().open(StorageUri.parse("fdb:x?cache=1"), null))
        .withMessageContaining("'cache'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> driver().open(StorageUri.parse("sqlite:x"), null))
        .withMessageContaining("sqlite");
  }

  @Test
  void driver_withAGivenDatabase_usesItAndLeavesItOpen() {
    SimulatedDatabase database = new SimulatedCluster().connect();
    FoundationDbStorageConfig config = FoundationDbStorageConfig.builder().prefix("shop").build();
    IAppStorage app =
        new FoundationDbStorageDriver().open(database, config, "orders", Layout.of(16));
    assertThat(app.layout()).isEqualTo(Layout.of(16));
    app.close();

    assertThat(database.isClosed()).isFalse();
    assertThatExceptionOfType(UnknownApplicationException.class)
        .as("another prefix")
        .isThrownBy(
            () ->
                new FoundationDbStorageDriver()
                    .open(database, FoundationDbStorageConfig.builder().build(), "orders", null));
  }

  @Test
  void transactions_carryTheTagsOfTheConfigAlsoWhenRepeated() {
    SimulatedCluster simulation = new SimulatedCluster();
    FoundationDbStorageConfig config =
        FoundationDbStorageConfig.builder().tag("tidemark").tag("orders").build();
    simulation.faults().commit(1020, Fate.LOST);
    TestCluster.simulated(simulation, config).open("orders", Layout.of(1));

    assertThat(simulation.lastTags()).containsExactlyInAnyOrder("tidemark", "orders");
  }
}
