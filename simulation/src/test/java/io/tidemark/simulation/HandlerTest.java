package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.LogPartition;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.core.Transaction;
import io.tidemark.simulation.Simulation.Failure;
import io.tidemark.spi.IPartitionReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Users' own code in the simulated world. */
final class HandlerTest {

  // docs: handler
  /** Books payments, each once: its reference is in the event, so that a client can ask again. */
  static final class Payments implements Handler {
    private static final int KIND = 1;
    private static final int RECEIPT = 256;
    private static final SequencerConfig CONFIG =
        SequencerConfig.of(
            SequenceTypes.builder()
                .sequence(KIND, RECEIPT, SequenceDefinition.named("receipt").build())
                .build());

    private final boolean careful;
    private final List<String> waiting = new ArrayList<>(List.of("rent", "gas", "water"));

    Payments(boolean careful) {
      this.careful = careful;
    }

    @Override
    public void serve(Node node) {
      Sequencers sequencers =
          Sequencers.of(node.storage(), CONFIG, CacheBudget.of(100), node.environment());
      try (LogPartition partition = sequencers.claim(0, node.name())) {
        while (!waiting.isEmpty()) {
          String payment = waiting.get(0);
          if (careful && isBooked(partition, payment)) {
            waiting.remove(payment); // an earlier try got through after all
            continue;
          }
          try (Transaction tx = partition.begin(KIND, 7, Duration.ofSeconds(5))) {
            tx.next(RECEIPT);
            tx.append(payment.getBytes(StandardCharsets.UTF_8));
            waiting.remove(payment);
          } catch (OutcomeUnknownException e) {
            node.log("booked or not: " + payment);
          }
        }
      }
    }

    private static boolean isBooked(LogPartition partition, String payment) {
      if (!partition.sequencer().awaitReady(Duration.ofSeconds(5))) {
        throw new StorageUnavailableException("not ready");
      }
      List<String> booked = new ArrayList<>();
      partition
          .storage()
          .readPLog(1, event -> booked.add(new String(event.payload(), StandardCharsets.UTF_8)));
      return booked.contains(payment);
    }

    @Override
    public void check(IPartitionReader stored) {
      Map<String, Integer> booked = new HashMap<>();
      stored.readPLog(
          1,
          event -> {
            String payment = new String(event.payload(), StandardCharsets.UTF_8);
            return booked.merge(payment, 1, Integer::sum) > 0;
          });
      booked.forEach(
          (payment, times) -> {
            if (times != 1) {
              throw new Violation("payments", payment + " was booked " + times + " times");
            }
          });
    }
  }

  // docs: end

  @Test
  void handler_thatAsksBeforeItRepeats_holds() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(Simulation.run(seed, () -> new Payments(true))).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void handler_thatRepeatsBlindly_isCaught() {
    Optional<Failure> found = Optional.empty();
    for (long seed = 0; seed < 200 && found.isEmpty(); seed++) {
      found = Simulation.run(seed, () -> new Payments(false));
    }
    assertThat(found)
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.problem()).startsWith("payments: ").contains("was booked 2 times");
              assertThat(failure.steps()).isNotEmpty();
            });
  }

  @Test
  void handler_seedRunTwice_givesTheSameHistory() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(Simulation.run(seed, () -> new Payments(false)))
          .isEqualTo(Simulation.run(seed, () -> new Payments(false)));
    }
  }

  @Test
  void handler_thatThrowsStorageErrors_isStartedAgain() {
    Handler stumbling =
        node -> {
          if (node.choose(2) == 1) {
            throw new StorageUnavailableException("on purpose");
          }
        };
    assertThat(Simulation.run(1, () -> stumbling)).isEmpty();
  }
}
