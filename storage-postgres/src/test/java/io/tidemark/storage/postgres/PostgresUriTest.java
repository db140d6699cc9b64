package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spi.StorageUri;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PostgresUriTest {
  private static PostgresStorageConfig parse(String text) {
    return PostgresUri.parse(StorageUri.parse(text));
  }

  @Test
  void parse_everything_isRead() {
    PostgresStorageConfig config =
        parse(
            "postgres://al%40ice:s%3Ae%2Fc%40ret+1@db.example.org:6543/shop?app=orders&schema=tide"
                + "&poolSize=3&timeoutSeconds=7&sslmode=verify-full&sslrootcert=%2Fca.pem");
    assertThat(config.user()).isEqualTo("al@ice");
    assertThat(config.password()).isEqualTo("s:e/c@ret+1");
    assertThat(config.host()).isEqualTo("db.example.org");
    assertThat(config.port()).isEqualTo(6543);
    assertThat(config.database()).isEqualTo("shop");
    assertThat(config.schema()).isEqualTo("tide");
    assertThat(config.poolSize()).isEqualTo(3);
    assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(config.tls()).isEqualTo(Map.of("sslmode", "verify-full", "sslrootcert", "/ca.pem"));
  }

  @Test
  void parse_theLeast_takesTheDefaults() {
    PostgresStorageConfig config = parse("postgres://alice@[::1]/shop");
    assertThat(config.host()).isEqualTo("[::1]");
    assertThat(config.port()).isEqualTo(5432);
    assertThat(config.password()).isNull();
    assertThat(config.schema()).isEqualTo("tidemark");
  }

  /** The driver would take most of these for a server on this machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres:",
        "postgres:shop",
        "postgres://",
        "postgres:///shop",
        "postgres://host/shop",
        "postgres://alice:sesame@/shop",
        "postgres://alice:sesame@host",
        "postgres://alice:sesame@host/",
        "postgres://alice:sesame@host/shop/more",
        "postgres://alice:sesame@host:/shop",
        "postgres://alice:sesame@host:port/shop",
        "postgres://alice:sesame@host:0/shop",
        "postgres://alice:sesame@host:65536/shop",
        "postgres://alice:sesame@ho st/shop",
        "postgres://alice:sesame@host,other/shop",
        "postgres://alice:se@same@host/shop",
        "postgres://alice:sesame@host/shop?schema=Tide",
        "postgres://alice:sesame@host/shop?schema=pg_tide",
        "postgres://alice:sesame@host/shop?schema=a%22b",
        "postgres://alice:sesame@host/shop?poolSize=0",
        "postgres://alice:sesame@host/shop?poolSize=many",
        "postgres://alice:sesame@host/shop?timeoutSeconds=0",
        "postgres://alice:sesame@host/shop?colour=red",
      })
  void parse_whatCannotBeMeant_isRefusedWithoutThePassword(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("sesame")
        .doesNotContain("same@");
  }

  @ParameterizedTest
  @CsvSource({
    "reWriteBatchedInserts, hides conflicts",
    "preferQueryMode, prepared by the server",
    "socketFactory, DataSource",
    "sslfactory, sslrootcert",
    "loggerFile, java.util.logging",
    "autosave, leave it out",
    "password, before the @",
  })
  void parse_aBarredOption_namesTheRemedy(String option, String remedy) {
    assertThatThrownBy(() -> parse("postgres://alice@host/shop?" + option + "=simple"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option)
        .hasMessageContaining(remedy);
  }

  @Test
  void toString_ofTheConfig_hidesThePassword() {
    PostgresStorageConfig config = parse("postgres://alice:sesame@host/shop?sslpassword=sesame");
    assertThat(config.toString()).contains("alice@host:5432/shop").doesNotContain("sesame");
  }
}
