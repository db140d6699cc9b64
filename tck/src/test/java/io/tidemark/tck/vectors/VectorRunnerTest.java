package io.tidemark.tck.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VectorRunnerTest {

  @Test
  @Tag("I17")
  @Tag("Q-4")
  @Tag("Q-6")
  @Tag("Q-7")
  void bundledVectors_onMemory_allPass() {
    VectorReport report = VectorRunner.bundled().run(new MemoryStore().open("v", Layout.of(1)));
    assertThat(report.failed()).isEmpty();
    assertThat(report.notApplicable()).isEmpty();
    assertThat(report.passed()).hasSize(105);
    assertThat(report).hasToString("105 passed, 0 failed");
  }

  private static String file(String definition, String operations, String expected) {
    return """
        {"format": "sequence-vectors/1", "vectors": [
          {"name": "one", "definition": %s, "ops": [%s], "expect": [%s]}]}
        """
        .formatted(definition, operations, expected);
  }

  private static VectorReport run(String text) throws IOException {
    return VectorRunner.of(new StringReader(text)).run(memory());
  }

  private static IAppStorage memory() {
    return new MemoryStore().open("v", Layout.of(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"value": 2}|expected value 2, got value 1
          {"atLeast": 2}|expected atLeast 2, got value 1
          {"atMost": 0}|expected atMost 0, got value 1
          {"valueIn": [2, 3]}|expected valueIn [2, 3], got value 1
          {"oneOf": [{"value": 0}, {"error": "NOT_FOUND"}]}|got value 1
          {"error": "LIMIT_EXCEEDED", "bound": "MAX"}|expected error LIMIT_EXCEEDED, bound MAX
          {"ok": false}|expected ok false
          {"called": true}|expected called true, got value 1
          {"definition": {"min": 1}}|got value 1
          """)
  void wrongAnswer_isToldWithWhatWasExpected(String expected, String told) throws IOException {
    VectorReport report =
        run(file("{}", "{\"op\": \"create\"}, {\"op\": \"next\"}", "{\"ok\": true}, " + expected));
    assertThat(report).hasToString("0 passed, 1 failed");
    assertThat(report.failed().get(0).detail()).startsWith("step 2, next: ").contains(told);
  }

  @Test
  void rightAnswers_ofEveryForm_pass() throws IOException {
    String operations =
        """
        {"op": "create"}, {"op": "next"}, {"op": "next"}, {"op": "next"}, {"op": "next"},
        {"op": "create"}, {"op": "next", "seq": "x"}""";
    String expected =
        """
        {"ok": true}, {"atLeast": 1}, {"valueIn": [1, 2]}, {"oneOf": [{"value": 9}, {"value": 3}]},
        {"error": "LIMIT_EXCEEDED", "bound": "MAX"}, {"error": "ALREADY_EXISTS"},
        {"error": "NOT_FOUND"}""";
    assertThat(run(file("{\"max\": 3}", operations, expected)).failed()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"format": "sequence-vectors/1", "vectors": [}|not JSON
          {'format': 1}|not JSON
          {} {}|not JSON
          []|at $: expected an object
          {"format": "sequence-vectors/2", "vectors": []}|at $.format: expected "sequence-vectors/1"
          {"format": "sequence-vectors/1", "vectors": []}|at $.vectors: expected at least one vector
          {"format": "sequence-vectors/1"}|at $: expected "vectors" in it
          {"format": "sequence-vectors/1", "vectors": [7]}|at $.vectors[0]: expected an object
          """)
  void malformedFile_namesThePlace(String text, String told) {
    assertThatThrownBy(() -> run(text))
        .isInstanceOf(MalformedVectorsException.class)
        .hasMessageContaining(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"op": "jump"}|at $.vectors[0].ops[0].op: expected one of
          {"op": "next", "sequence": "s"}|at $.vectors[0].ops[0]: expected none but
          {"op": "set", "value": 1}|at $.vectors[0].ops[0]: expected "called" in it
          {"op": "put", "version": 1.5, "value": 1}|ops[0].version: expected a whole number within
          {"op": "put", "version": 9223372036854775808, "value": 1}|ops[0].version: expected a whole
          {"op": "put", "version": "1", "value": 1}|ops[0].version: expected a whole number, found
          {"op": "next", "tx": 1}|ops[0].tx: expected a text
          {"op": "create", "definition": {"step": 1}}|ops[0].definition: expected none but
          {"op": "concurrentNext", "threads": 100000, "perThread": 1}|ops[0].threads: expected
          """)
  void malformedOperation_namesThePlace(String operation, String told) {
    assertThatThrownBy(() -> run(file("{}", operation, "{\"ok\": true}")))
        .isInstanceOf(MalformedVectorsException.class)
        .hasMessageContaining(told);
  }

  @Test
  void malformedExpectation_namesThePlace() {
    assertThatThrownBy(() -> run(file("{}", "{\"op\": \"create\"}", "{\"fine\": true}")))
        .hasMessageContaining("at $.vectors[0].expect[0]: expected none but");
    assertThatThrownBy(() -> run(file("{}", "{\"op\": \"create\"}", "{\"error\": \"OUCH\"}")))
        .hasMessageContaining("at $.vectors[0].expect[0].error: expected one of");
    assertThatThrownBy(() -> run(file("{}", "{\"op\": \"create\"}", "")))
        .hasMessageContaining("at $.vectors[0].expect: expected 1 answers");
  }

  @Test
  void excludedVector_isListedWithTheReason() {
    VectorReport report =
        VectorRunner.bundled().excluding("drop-twice", "no drop here").run(memory());
    assertThat(report.notApplicable())
        .containsExactly(
            new VectorResult("drop-twice", VectorResult.Verdict.NOT_APPLICABLE, "no drop here"));
    assertThat(report).hasToString("104 passed, 0 failed, 1 do not apply");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VectorRunner.bundled().excluding("no-such", ""));
  }

  @Test
  void vectors_leaveNothingBehind() {
    IAppStorage application = memory();
    VectorRunner.bundled().run(application);
    assertThat(application.sequences("test").catalog()).isEmpty();
  }
}
