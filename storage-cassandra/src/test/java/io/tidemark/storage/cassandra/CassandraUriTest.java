package io.tidemark.storage.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.StorageUri;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraUriTest {
  private static CassandraStorageConfig config(String uri) {
    return CassandraUri.config(StorageUri.parse(uri));
  }

  @Test
  void uri_withItsLeast_getsTheDefaults() {
    CassandraStorageConfig config = config("cassandra://db/shop?dc=east");

    assertThat(config.contactPoints())
        .containsExactly(InetSocketAddress.createUnresolved("db", 9042));
    assertThat(config.keyspace()).isEqualTo("shop");
    assertThat(config.dataCentre()).isEqualTo("east");
    assertThat(config.replication()).isEqualTo(Map.of("east", 3));
    assertThat(config.consistency()).isEqualTo(Consistency.QUORUM);
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.createSchema()).isTrue();
    assertThat(config.tls()).isFalse();
    assertThat(config.user()).isNull();
  }

  @Test
  void uri_withEverything_isRead() {
    CassandraStorageConfig config =
        config(
            "cassandra://a:1,b:2/shop?dc=east&replication=east:3,west:5&timeout=1m30s&create=false"
                + "&tls=true&user=me&password=p%26w&app=orders");

    assertThat(config.contactPoints()).hasSize(2);
    assertThat(config.replication()).isEqualTo(Map.of("east", 3, "west", 5));
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(config.createSchema()).isFalse();
    assertThat(config.tls()).isTrue();
    assertThat(config.password()).isEqualTo("p&w");
    assertThat(config.toString()).doesNotContain("p&w");
    assertThat(config("cassandra://a/s?dc=x&rf=1&consistency=LOCAL_QUORUM").consistency())
        .isEqualTo(Consistency.LOCAL_QUORUM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cassandra://db/shop                                       | option dc must name",
        "cassandra://db?dc=x                                       | hosts and keyspace",
        "cassandra:db/shop?dc=x                                    | hosts and keyspace",
        "cassandra://db/Shop?dc=x                                  | keyspace must be lower-case",
        "cassandra://me:secret@db/shop?dc=x                        | a user goes into the options",
        "cassandra://db:99999/shop?dc=x                            | port must be",
        "cassandra://db/shop?dc=x&consistency=one                  | less than a majority",
        "cassandra://db/shop?dc=x&consistency=local_one            | less than a majority",
        "cassandra://db/shop?dc=x&rf=0                             | at least 1 replica",
        "cassandra://db/shop?dc=x&rf=many                          | number of replicas",
        "cassandra://db/shop?dc=x&rf=1&replication=x:1             | not both",
        "cassandra://db/shop?dc=x&replication=x                    | dc:replicas",
        "cassandra://db/shop?dc=x&timeout=soon                     | like 10s",
        "cassandra://db/shop?dc=x&tls=perhaps                      | true or false",
        "cassandra://db/shop?dc=x&user=me                          | come together",
        "cassandra://db/shop?dc=x&retries=3                        | knows the options",
        "cassandra://db/shop?dc=x&consistency=local_quorum&replication=x:3,y:3 | use quorum",
        "memory:x?dc=x                                             | scheme must be cassandra",
      })
  void uri_thatCannotBe_isRefusedWithTheReason(String uri, String reason) {
    assertThatThrownBy(() -> config(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason)
        .hasMessageNotContaining("secret");
  }

  @Test
  void driver_isFoundAndPrintsItsSchemaWithoutAServer() {
    IStorageDriver driver =
        ServiceLoader.load(IStorageDriver.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.scheme().equals("cassandra"))
            .findFirst()
            .orElseThrow();

    String schema = driver.schema(StorageUri.parse("cassandra://db/shop?dc=x&replication=x:3,y:2"));

    assertThat(schema)
        .contains("CREATE KEYSPACE IF NOT EXISTS shop")
        .contains("'NetworkTopologyStrategy', 'x': 3, 'y': 2")
        .contains("CREATE TABLE IF NOT EXISTS shop.plog (")
        .contains("epoch bigint static");
    assertThat(CassandraUri.config(StorageUri.parse(driver.example())).keyspace())
        .isEqualTo("tidemark");
  }

  @Test
  void keyspace_inSeveralDataCentres_isRefusedToALocalMajority() {
    CassandraStorageConfig local = config("cassandra://db/shop?dc=x&rf=3&consistency=local_quorum");
    Map<String, String> two = Map.of("class", "NetworkTopologyStrategy", "x", "3", "y", "3");
    Map<String, String> simple = Map.of("class", "SimpleStrategy", "replication_factor", "3");

    assertThatThrownBy(() -> SettingsCheck.requireSafeReplication(local, two, Set.of("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[x, y]: use quorum");
    assertThatThrownBy(() -> SettingsCheck.requireSafeReplication(local, simple, Set.of("x", "y")))
        .isInstanceOf(IllegalArgumentException.class);
    SettingsCheck.requireSafeReplication(local, simple, Set.of("x"));
    SettingsCheck.requireSafeReplication(
        config("cassandra://db/shop?dc=x&rf=3"), two, Set.of("x", "y"));
  }

  @Test
  void node_thatLimitsTimeStamps_isRefused() {
    for (String name :
        Set.of("minimum_timestamp_fail_threshold", "maximum_timestamp_fail_threshold")) {
      assertThatThrownBy(() -> SettingsCheck.requireSafe("n1", Map.of(name, "1d")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("n1")
          .hasMessageContaining(name);
      SettingsCheck.requireSafe("n1", Map.of(name, "null"));
    }
    assertThatThrownBy(
            () -> SettingsCheck.requireSafe("n1", Map.of("user_timestamps_enabled", "false")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("user_timestamps_enabled");
    SettingsCheck.requireSafe("n1", Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1_without_linearizable_reads_or_rejected_writes",
        "v2_without_linearizable_reads",
        "v2_without_linearizable_reads_or_rejected_writes"
      })
  void node_whoseSerialReadsMayMissAWrite_isRefused(String variant) {
    assertThatThrownBy(() -> SettingsCheck.requireSafe("n1", Map.of("paxos_variant", variant)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(variant);
    SettingsCheck.requireSafe("n1", Map.of("paxos_variant", "v1"));
    SettingsCheck.requireSafe("n1", Map.of("paxos_variant", "v2"));
  }
}
