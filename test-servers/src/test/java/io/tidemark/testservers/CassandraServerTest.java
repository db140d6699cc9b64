package io.tidemark.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CassandraServerTest {

  @Test
  void node_startedAndKilled_startsAgainOnItsDataAndLeavesNoProcess() {
    ProcessHandle process;
    try (CassandraServer server = CassandraServer.start()) {
      assertThat(server.answers()).isTrue();

      server.restart(Duration.ofMinutes(4));

      assertThat(server.answers()).isTrue();
      process = ProcessHandle.of(server.pid()).orElseThrow();
      server.pause();
      Duration used = process.info().totalCpuDuration().orElseThrow();
      assertThat(process.info().totalCpuDuration())
          .as("the time used by a paused node, later")
          .contains(used);
      server.resume();
    }
    assertThat(process.isAlive()).isFalse();
  }
}
