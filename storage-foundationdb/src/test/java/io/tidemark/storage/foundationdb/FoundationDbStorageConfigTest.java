package io.tidemark.storage.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.spi.StorageUri;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoundationDbStorageConfigTest {

  private static FoundationDbStorageConfig parse(String uri) {
    return FoundationDbStorageConfig.of(StorageUri.parse(uri));
  }

  @Test
  void of_aUriWithEveryOption_readsThem() {
    assertThat(
            parse(
                "fdb:/etc/fdb.cluster?prefix=x&app=a&timeout=250&retryLimit=3&tags=one,two"
                    + "&transactionBytes=200000"))
        .isEqualTo(
            new FoundationDbStorageConfig(
                Path.of("/etc/fdb.cluster"),
                "x",
                Duration.ofMillis(250),
                3,
                List.of("one", "two"),
                200_000));
  }

  @Test
  void of_aBareUri_isTheDefaults() {
    assertThat(parse("fdb:")).isEqualTo(FoundationDbStorageConfig.builder().build());
    assertThat(parse("fdb:").clusterFile()).isNull();
    assertThat(parse("fdb:").prefix()).isEqualTo("tm");
    assertThat(parse("fdb:").timeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @CsvSource({
    "fdb:x?cache=1, 'cache'",
    "fdb:x?timeout=soon, timeout must be a number",
    "fdb:x?timeout=0, timeout must be 1 ms..10 min",
    "fdb:x?timeout=-5, timeout must be 1 ms..10 min",
    "fdb:x?retryLimit=-1, retryLimit must be >= 0",
    "fdb:x?prefix=, prefix must have 1..64 bytes",
    "fdb:x?transactionBytes=10, transactionBytes must be 100000..9000000",
    "fdb:x?transactionBytes=10000000, transactionBytes must be 100000..9000000",
    "fdb:x?tags=seventeen-letters, tag must have 1..16 bytes",
    "'fdb:x?tags=a,b,c,d,e,f', tags must be at most 5"
  })
  void of_whatTheClusterWouldRefuse_isRefusedAndNamed(String uri, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse(uri))
        .withMessageContaining(message);
  }
}
