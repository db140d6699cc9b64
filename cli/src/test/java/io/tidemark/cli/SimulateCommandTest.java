package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  @Test
  void simulate_ofTheEngine_findsNothing() {
    assertThat(run("simulate", "--seeds", "20")).isZero();
    assertThat(out.toString()).contains("20 seeds, the engine broke no invariant");
  }

  @Test
  void simulate_withABug_showsTheHistoryThatBreaks() {
    assertThat(run("simulate", "--bug", "no-epoch")).isEqualTo(1);
    assertThat(out.toString())
        .contains("with the bug 'no-epoch' broke I11")
        .contains("append APPLIED")
        .contains("Again: tidemark simulate --seed 0 --bug no-epoch");
  }

  @Test
  void simulate_ofThePipeline_findsNothingUnlessABugIsPutBack() {
    assertThat(run("simulate", "--pipeline", "--seeds", "5")).isZero();
    assertThat(out.toString()).contains("5 seeds, the pipeline broke no invariant");
    assertThat(run("simulate", "--bug", "no-reapply")).isEqualTo(1);
    assertThat(out.toString()).contains("the pipeline with the bug 'no-reapply' broke");
  }

  @Test
  void simulate_asJson_isOneDocument() {
    assertThat(run("simulate", "--seed", "3", "--json")).isZero();
    assertThat(out.toString().strip())
        .isEqualToIgnoringWhitespace(
            "{ \"firstSeed\": 3, \"seeds\": 1, \"bug\": null, \"violation\": null }");
  }

  @Test
  void simulate_withBadInput_saysWhatIsKnown() {
    assertThat(run("simulate", "--bug", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no seeded bug is named 'nonsense'").contains("no-epoch");
    assertThat(run("simulate", "--seeds", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--seeds must be >= 1, was 0");
    assertThat(run("simulate", "--seeds", "5", "--seed", "5")).isEqualTo(2);
    assertThat(run("simulate", "--list-bugs")).isZero();
    assertThat(out.toString()).contains("literal").contains("plain-put");
  }
}
