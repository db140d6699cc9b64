package io.tidemark.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice between container and process; no engine is needed for it. */
class ContainerEngineTest {
  @TempDir Path root;
  @TempDir Path home;

  @Test
  void machine_withoutAnySign_hasNoEngine() {
    assertThat(ContainerEngine.isThere(Map.of(), home, root)).isFalse();
  }

  @Test
  void environment_thatNamesAHost_isASign() {
    assertThat(ContainerEngine.isThere(Map.of("DOCKER_HOST", "tcp://build:2375"), home, root))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {".docker/run/docker.sock", ".testcontainers.properties"})
  void file_inTheHomeFolder_isASign(String file) throws IOException {
    Files.createDirectories(home.resolve(file).getParent());
    Files.createFile(home.resolve(file));

    assertThat(ContainerEngine.isThere(Map.of(), home, root)).isTrue();
  }

  @Test
  void socket_ofTheMachine_isASign() throws IOException {
    Files.createDirectories(root.resolve("var/run"));
    Files.createFile(root.resolve("var/run/docker.sock"));

    assertThat(ContainerEngine.isThere(Map.of(), home, root)).isTrue();
  }

  @Test
  void cassandraInAContainer_getsTheSettingsOfTheProcess() {
    assertThat(CassandraContainers.settings().split(" "))
        .contains(
            "-Dcassandra.config.allow_system_properties=true",
            "-Dcassandra.settings.paxos_variant=v2",
            "-Dcassandra.settings.write_request_timeout=30000ms",
            "-Dcassandra.settings.cas_contention_timeout=30000ms");
  }

  @Test
  void address_ofACassandraNode_isThatOfAUri() {
    CassandraAddress address =
        new CassandraAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042), "datacenter1");

    assertThat(address.hostAndPort()).isEqualTo("127.0.0.1:9042");
  }
}
