package io.tidemark.tck;

import static io.tidemark.tck.Saboteur.who;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.FencedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine's chapter tested: a storage that is wrong breaks an invariant, and it is named. */
class EngineSaboteursTest {
  private static final String CHECK =
      "engine_underFaultsAndTakeovers_losesAndRepeatsNothing_stochastic";
  private static final Logger ENGINE = Logger.getLogger("io.tidemark.core");

  @BeforeAll
  static void silence() {
    ENGINE.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    ENGINE.setLevel(null);
  }

  @ParameterizedTest
  @MethodSource("saboteurs")
  void engine_overASaboteur_namesTheInvariantItBreaks(Saboteur saboteur) {
    CertificationReport report = SabotagedTck.run(saboteur, 6, Set.of(CHECK));
    assertThat(report.missing())
        .filteredOn(result -> result.name().equals(CHECK))
        .singleElement()
        .satisfies(
            result ->
                assertThat(result.message())
                    .as("what is said of a storage that %s", saboteur.name())
                    .containsPattern(
                        "invariant [I0-9, ]*(" + String.join("|", saboteur.breaks()) + ")\\b"));
  }

  static List<Saboteur> saboteurs() {
    return List.of(
        who("reads every number as absent", "I1", "I2", "I3")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public long[] readNumbers(long wsid, int[] seqIds) {
                        return new long[seqIds.length];
                      }
                    }),
        who("appends for a deposed owner, over what stands there", "I4", "I10", "I11")
            .handles(AppendsForAnybody::new),
        writes(
            "stores no number",
            "I5",
            (app, real, batch, offset) -> {
              real.writeValuesAndOffset(new SeqValues(), offset);
            }),
        writes(
            "stores a number nobody drew",
            "I6",
            (app, real, batch, offset) -> {
              real.writeValuesAndOffset(batch, offset);
              app.forceNumber(real.partition(), app.layout().partitions() * 9L, 999, 5);
            }),
        writes(
            "stores an offset past the log's end",
            "I7",
            (app, real, batch, offset) -> {
              real.writeValuesAndOffset(batch, offset + 50);
            }),
        who("loses every fourth append it acknowledged", "I9")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      private int count;

                      @Override
                      public void append(List<PLogEvent> group, WriteMode mode) {
                        if (++count % 4 != 0) {
                          real.append(group, mode);
                        }
                      }
                    }));
  }

  interface NumberWriter {
    void write(SabotagedApp app, IPartitionStorage real, SeqValues batch, long offset);
  }

  private static Saboteur writes(String name, String breaks, NumberWriter writer) {
    return who(name, breaks)
        .batches(batches -> batches)
        .handles(
            (app, real) ->
                new DelegatingHandle(real) {
                  @Override
                  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
                    writer.write(app, real, batch, nextOffset);
                  }
                });
  }

  private static final class AppendsForAnybody extends DelegatingHandle {
    private final SabotagedApp app;

    AppendsForAnybody(SabotagedApp app, IPartitionStorage real) {
      super(real);
      this.app = app;
    }

    @Override
    public void append(List<PLogEvent> group, WriteMode mode) {
      try {
        real.append(group, mode);
      } catch (FencedException e) {
        group.forEach(event -> app.force(partition(), event));
      }
    }
  }
}
