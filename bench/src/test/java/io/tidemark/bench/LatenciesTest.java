package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LatenciesTest {
  private static void round(Latencies latencies, int commands, long plain, long command) {
    for (int i = 0; i < commands; i++) {
      latencies.plain.recordValue(plain);
      latencies.commands.recordValue(command);
    }
    latencies.endOfRound();
  }

  @Test
  void blocks_ofSeveralRounds_haveARatioEach() {
    Latencies latencies = new Latencies();
    round(latencies, 100, 10, 20);
    assertThat(latencies.p99Ratios()).as("half a block").isEmpty();
    round(latencies, 100, 10, 20);
    round(latencies, 200, 10, 50);
    round(latencies, 50, 10, 90);

    assertThat(latencies.p99Ratios()).containsExactly(2.0, 5.0);
    assertThat(latencies.allCommands.getTotalCount()).isEqualTo(450);
    assertThat(latencies.allPlain.getMaxValue()).isEqualTo(10);
  }
}
