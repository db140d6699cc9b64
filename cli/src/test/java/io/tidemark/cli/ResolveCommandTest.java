package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.spi.IAppStorage;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.SplittableRandom;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResolveCommandTest {
  private static final String FOREIGN =
      "INSERT INTO tidemark_wlog SELECT app, part, wsid, 11, 1, x'01' FROM tidemark_wlog"
          + " WHERE wsid = 2 AND id = 1";

  @TempDir private Path folder;

  private static void order(ShopFile shop, String tag) {
    try (IAppStorage app = shop.open(null);
        AppPartitions partitions =
            new AppPartitions(
                app, Shop.config(TrustLevel.LEVEL_0, "test", SequencerListener.NONE))) {
      partitions.deploy(0);
      partitions.processor(0).execute(Shop.order(tag, 2, new SplittableRandom(1)));
    }
  }

  private Ran resolve(ShopFile shop, String how) {
    return Ran.tidemark("resolve", "--storage", shop.uri(), "--partition", "0", how);
  }

  @Test
  void retry_onceTheForeignRowIsGone_letsThePartitionBeServedAgain() throws SQLException {
    ShopFile shop = ShopFile.in(folder);
    shop.damage(FOREIGN);
    Assertions.assertThatExceptionOfType(SequenceViolationException.class)
        .isThrownBy(() -> order(shop, "refused"));

    Ran inspected = Ran.tidemark("inspect", "--storage", shop.uri());
    assertThat(inspected.code()).isEqualTo(1);
    assertThat(inspected.out()).contains("FAILED at WLog offset 11 of workspace 2");
    Ran early = resolve(shop, "--retry");
    assertThat(early.code()).isEqualTo(1);
    assertThat(early.err()).contains("WLog offset 11 of workspace 2");
    shop.damage("DELETE FROM tidemark_wlog WHERE wsid = 2 AND id = 11");
    assertThat(resolve(shop, "--retry").code()).isZero();

    order(shop, "taken");
    assertThat(Ran.tidemark("verify", "--storage", shop.uri()).code()).isZero();
  }

  @Test
  void skip_ofAForeignRow_passesOverItsNumber() throws SQLException {
    ShopFile shop = ShopFile.in(folder);
    shop.damage(FOREIGN);
    Assertions.assertThatExceptionOfType(SequenceViolationException.class)
        .isThrownBy(() -> order(shop, "refused"));

    assertThat(resolve(shop, "--skip").code()).isZero();

    order(shop, "taken");
    assertThat(Ran.tidemark("inspect", "--storage", shop.uri()).code()).isZero();
  }

  @Test
  void resolve_ofAHealthyPartition_isRefused() {
    Ran ran = resolve(ShopFile.in(folder), "--retry");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("partition 0 has not failed");
  }
}
