package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tck.vectors.VectorRunner;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SequenceCommandTest {
  private final String storage = "memory:" + UUID.randomUUID();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int run(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private int sequence(String... args) {
    List<String> all = new ArrayList<>(List.of("sequence"));
    all.addAll(List.of(args));
    all.addAll(List.of("--storage", storage));
    return run(all.toArray(String[]::new));
  }

  private String said() {
    return out.toString().strip();
  }

  @Test
  void create_bySqlOrFlags_thenNextDrawsThem() {
    assertThat(sequence("create", "CREATE SEQUENCE down INCREMENT BY -2 MAXVALUE 9")).isZero();
    assertThat(said()).startsWith("created with id").contains("CREATE SEQUENCE down START WITH 9");
    assertThat(sequence("create", "up", "--min", "5", "--max", "7", "--cycle")).isZero();

    assertThat(sequence("next", "down", "--count", "3")).isZero();
    assertThat(said().lines()).containsExactly("9", "7", "5");
    assertThat(sequence("next", "down")).isZero();
    assertThat(said()).as("the next process goes on").isEqualTo("3");
    assertThat(sequence("next", "up", "--count", "4", "--json")).isZero();
    assertThat(said().replaceAll("\\s", "")).contains("[5,6,7,5]");
    assertThat(sequence("list")).isZero();
    assertThat(said()).contains("down").contains("up");
  }

  @Test
  void setRestartAlterShowAndDrop_doWhatTheySay() {
    sequence("create", "s", "--max", "99");
    assertThat(sequence("set", "s", "42")).isZero();
    assertThat(said()).contains("last number 42, version 1");
    sequence("next", "s");
    assertThat(said()).isEqualTo("43");
    assertThat(sequence("set", "s", "50", "--not-called")).isZero();
    sequence("next", "s");
    assertThat(said()).isEqualTo("50");
    assertThat(sequence("restart", "s", "--with", "7")).isZero();
    assertThat(said()).contains("next number 7");
    assertThat(sequence("restart", "s")).isZero();
    sequence("next", "s");
    assertThat(said()).isEqualTo("1");
    assertThat(sequence("alter", "s", "--increment", "10", "--cycle")).isZero();
    sequence("next", "s");
    assertThat(said()).isEqualTo("11");
    assertThat(sequence("alter", "ALTER SEQUENCE s INCREMENT BY 1 NO CYCLE")).isZero();
    assertThat(sequence("show", "s")).isZero();
    assertThat(said())
        .contains("CREATE SEQUENCE s START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 99 NO CYCLE")
        .contains("last number 11");
    assertThat(sequence("alter", "ALTER SEQUENCE s RESTART WITH 33")).isZero();
    sequence("next", "s");
    assertThat(said()).isEqualTo("33");
    assertThat(sequence("drop", "s")).isZero();
    assertThat(sequence("next", "s")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no sequence s");
  }

  @Test
  void wrongUse_isExitCodeTwoAndNamesIt() {
    assertThat(sequence("list")).as("no application yet").isEqualTo(2);
    assertThat(err.toString()).contains("holds no application 'default'");
    sequence("create", "s");
    assertThat(sequence("create", "s")).isEqualTo(2);
    assertThat(err.toString()).contains("sequence s exists already");
    assertThat(sequence("create", "CREATE SEQUENCE t STRAT 5")).isEqualTo(2);
    assertThat(err.toString()).contains("at position 19, found 'STRAT'");
    assertThat(sequence("create", "CREATE SEQUENCE t", "--min", "5")).isEqualTo(2);
    assertThat(err.toString()).contains("not as both");
    assertThat(sequence("create", "t", "--increment", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("increment must not be 0");
    assertThat(sequence("set", "s", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("must be within 1..9223372036854775807, was 0");
    assertThat(sequence("alter", "s")).isEqualTo(2);
    assertThat(sequence("next", "s", "--count", "0")).isEqualTo(2);
    assertThat(run("sequence", "list", "--storage", "punchcard:deck")).isEqualTo(2);
    assertThat(err.toString()).contains("'punchcard'").contains("memory (memory:");
  }

  @Test
  void next_ofAnExhaustedSequence_isAProblem() {
    sequence("create", "s", "--min", "1", "--max", "2");
    assertThat(sequence("next", "s", "--count", "3")).isEqualTo(1);
    assertThat(said().lines()).containsExactly("1", "2");
    assertThat(err.toString()).contains("sequence s is exhausted");
  }

  private Path bundled() throws IOException {
    Path file = folder.resolve("vectors.json");
    try (InputStream in =
        Objects.requireNonNull(VectorRunner.class.getResourceAsStream("sequence-vectors.json"))) {
      Files.copy(in, file);
    }
    return file;
  }

  @Test
  void checkVectors_ofTheBundledFile_passAll() throws IOException {
    String file = bundled().toString();
    assertThat(run("sequence", "check-vectors", file)).isZero();
    assertThat(said()).isEqualTo("105 passed, 0 failed");
    assertThat(run("sequence", "check-vectors", file, "--storage", storage)).isZero();
    assertThat(said()).isEqualTo("105 passed, 0 failed");
  }

  @Test
  void checkVectors_withAWrongExpectation_printsTheCase() throws IOException {
    Path file = bundled();
    String text = Files.readString(file);
    Files.writeString(file, text.replaceFirst("\\{\"value\": 3\\}", "{\"value\": 4}"));
    assertThat(run("sequence", "check-vectors", file.toString())).isEqualTo(1);
    assertThat(said())
        .contains("FAILED defaults-ascending")
        .contains("step 5, next: expected value 4, got value 3")
        .endsWith("104 passed, 1 failed");
  }

  @Test
  void checkVectors_ofNoVectors_isExitCodeTwoAndNamesThePlace() throws IOException {
    Path file = bundled();
    Files.writeString(
        file, Files.readString(file).replaceFirst("\"op\": \"next\"", "\"op\": \"nxt\""));
    assertThat(run("sequence", "check-vectors", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("at $.vectors[0].ops[2].op: expected one of");
    Files.writeString(file, "{");
    assertThat(run("sequence", "check-vectors", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is malformed: not JSON");
    assertThat(run("sequence", "check-vectors", folder.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("there is no file");
  }
}
