package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  @Test
  void help_isAskedFor_goesToStandardOutput() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: tidemark").contains("--version");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void version_isAskedFor_isTheOneOfTheBuild() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString().strip()).matches("tidemark \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
  }

  @Test
  void nothing_isAskedFor_usageGoesToStandardError() {
    assertThat(run()).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("Missing a subcommand", "Usage: tidemark");
  }

  @Test
  void unknownOption_isNamed() {
    assertThat(run("--no-such-option")).isEqualTo(2);
    assertThat(err.toString()).contains("--no-such-option");
  }
}
