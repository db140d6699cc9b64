package io.tidemark.storage.postgres;

import static io.tidemark.storage.postgres.Fixture.event;
import static io.tidemark.storage.postgres.Fixture.record;
import static io.tidemark.storage.postgres.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.postgres.CuttingProxy.Cut;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection breaks while a reply is waited for. */
@Tag("F-2")
final class LostReplyTest {
  private final CuttingProxy proxy = newProxy();
  private final IAppStorage app =
      Fixture.DRIVER.open(
          KeptSource.over(Connections.driver(Fixture.config(proxy.port()))),
          "tidemark",
          Fixture.newName("cut"),
          Layout.of(1));
  private final IPartitionStorage owner = app.claim(0, "test");

  private static CuttingProxy newProxy() {
    try {
      return new CuttingProxy(Fixture.SERVER.port());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    app.close();
    proxy.close();
  }

  private static CommitGroup group() {
    return new CommitGroup(
        List.of(event(1), event(2)),
        List.of(record(1, 1, true, "a"), record(2, 2, true, "b")),
        List.of(wlog(1, 1, "a"), wlog(2, 2, "b")));
  }

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  @Tag("F-9")
  @Tag("L-9")
  void commit_whoseReplyIsLost_isUnknownThenThere(TrustLevel level) {
    CommitGroup group = group();
    proxy.cut(Cut.REPLY);
    assertThatThrownBy(() -> owner.commit(group, level))
        .isInstanceOf(OutcomeUnknownException.class);
    proxy.cut(Cut.NOTHING);
    owner.settle();
    assertThat(owner.logEnd()).isEqualTo(2);
    owner.commit(group, level);
    assertThat(owner.logEnd()).isEqualTo(2);
    assertThat(owner.readRecord(7, 2).plogOffset()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  @Tag("F-9")
  void commit_whoseRequestIsLost_isUnknownThenAbsent(TrustLevel level) {
    CommitGroup group = group();
    proxy.cut(Cut.REQUEST);
    assertThatThrownBy(() -> owner.commit(group, level))
        .isInstanceOf(OutcomeUnknownException.class);
    proxy.cut(Cut.NOTHING);
    owner.settle();
    assertThat(owner.logEnd()).isZero();
    assertThat(owner.readRecord(7, 2)).isNull();
    owner.commit(group, level);
    assertThat(owner.logEnd()).isEqualTo(2);
  }

  @Test
  @Tag("F-9")
  void settle_whoseReplyIsLost_findsItsOwnMove() {
    long before = owner.epoch().number();
    proxy.cut(Cut.REPLY);
    assertThatThrownBy(owner::settle).isInstanceOf(OutcomeUnknownException.class);
    proxy.cut(Cut.NOTHING);
    assertThatThrownBy(() -> owner.commit(group(), TrustLevel.LEVEL_0))
        .as("the move has arrived, and the handle does not know")
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("settle again");
    owner.settle();
    assertThat(owner.epoch().number())
        .as("it moves on from where it had arrived")
        .isEqualTo(before + 2);
    owner.commit(group(), TrustLevel.LEVEL_0);
  }

  @Test
  @Tag("F-1")
  void read_whoseReplyIsLost_isUnavailable() {
    proxy.cut(Cut.REPLY);
    assertThatThrownBy(owner::logEnd).isInstanceOf(StorageUnavailableException.class);
    proxy.cut(Cut.NOTHING);
    assertThat(owner.logEnd()).isZero();
  }
}
