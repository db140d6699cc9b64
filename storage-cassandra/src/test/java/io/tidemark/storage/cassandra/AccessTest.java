package io.tidemark.storage.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.testservers.CassandraServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node of its own that asks who connects and what they may do. */
class AccessTest {
  private static CassandraStorageConfig config(CassandraServer server, String user) {
    return CassandraStorageConfig.builder(CassandraServer.DATA_CENTRE, "guarded")
        .contactPoints(List.of(server.address()))
        .replication(Map.of(CassandraServer.DATA_CENTRE, 1))
        .requestTimeout(Duration.ofSeconds(40))
        .credentials(user, user)
        .build();
  }

  private static IAppStorage open(CassandraServer server, String user) {
    return CassandraStorageDriver.open(config(server, user), "orders", Layout.of(1));
  }

  @Test
  void user_whoMayNotReadTheSettings_isRefusedUntilAllowed() {
    try (CassandraServer server =
        CassandraServer.start(
            Map.of(
                "authenticator", "PasswordAuthenticator", "authorizer", "CassandraAuthorizer"))) {
      // The node makes its first user a moment after it listens.
      try (CqlSession root =
          Cluster.eventually("connect", () -> Sessions.open(config(server, "cassandra")))) {
        root.execute("CREATE ROLE shop WITH LOGIN = true AND PASSWORD = 'shop'");
        root.execute("GRANT CREATE ON ALL KEYSPACES TO shop");

        assertThatThrownBy(() -> open(server, "nobody"))
            .isInstanceOf(StorageUnavailableException.class);
        assertThatThrownBy(() -> open(server, "shop"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("GRANT SELECT ON TABLE system_views.settings");

        root.execute("GRANT SELECT ON TABLE system_views.settings TO shop");
        // Who makes a keyspace may do everything in it.
        try (IAppStorage app = open(server, "shop")) {
          assertThat(app.claim(0, "me").logEnd()).isZero();
        }
      }
    }
  }
}
