package io.tidemark.tck.vectors;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.StorageCapability;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Puts a storage through test vectors of SQL-like sequences: {@code
 * VectorRunner.bundled().run(storage).failed()} is empty.
 *
 * <p>It claims the application's sequences, creates sequences with names of its own and drops them;
 * give it an application that nobody else uses.
 */
public final class VectorRunner {
  private static final String BUNDLED = "sequence-vectors.json";

  private final List<Vector> vectors;
  private final Map<String, String> excluded;

  private VectorRunner(List<Vector> vectors, Map<String, String> excluded) {
    this.vectors = vectors;
    this.excluded = excluded;
  }

  /** The project's own vectors. */
  public static VectorRunner bundled() {
    try (InputStream in = requireNonNull(VectorRunner.class.getResourceAsStream(BUNDLED), BUNDLED);
        Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      return of(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The vectors of a file.
   *
   * @throws MalformedVectorsException naming the place
   */
  public static VectorRunner of(Path file) throws IOException {
    try (Reader text = Files.newBufferedReader(file)) {
      return of(text);
    }
  }

  /** The vectors of a text; refused like those of a file. */
  public static VectorRunner of(Reader text) throws IOException {
    return new VectorRunner(VectorFile.read(text), Map.of());
  }

  /** How many vectors there are. */
  public int size() {
    return vectors.size();
  }

  /** Leaves a vector out, with a reason that the report tells; unknown names are refused. */
  public VectorRunner excluding(String name, String reason) {
    if (vectors.stream().noneMatch(vector -> vector.name().equals(name))) {
      throw new IllegalArgumentException("no vector is named '" + name + "'");
    }
    Map<String, String> more = new LinkedHashMap<>(excluded);
    more.put(name, reason);
    return new VectorRunner(vectors, more);
  }

  /** Runs every vector, one after the other. */
  public VectorReport run(IAppStorage storage) {
    Supplier<Boolean> oneWriter = once(() -> OneWriterProbe.isOneWriter(storage));
    List<VectorResult> results = new ArrayList<>();
    for (Vector vector : vectors) {
      Optional<String> reason = inapplicable(vector, storage, oneWriter);
      results.add(
          reason.isPresent()
              ? VectorResult.notApplicable(vector.name(), reason.get())
              : run(vector, storage));
    }
    return new VectorReport(results);
  }

  private Optional<String> inapplicable(
      Vector vector, IAppStorage storage, Supplier<Boolean> oneWriter) {
    String reason = excluded.get(vector.name());
    if (reason != null) {
      return Optional.of(reason);
    }
    if (vector.usesTransactions()
        && !storage.capabilities().contains(StorageCapability.TRANSACTIONAL_SEQUENCES)) {
      return Optional.of("the storage does not declare TRANSACTIONAL_SEQUENCES");
    }
    if (vector.commitsWithoutDurability()) {
      return Optional.of("the runner has no commit that is not durable");
    }
    if (vector.writesOverlap() && oneWriter.get()) {
      return Optional.of("the storage lets one transaction write at a time");
    }
    return Optional.empty();
  }

  /** Asked only where it matters, and then once: the answer may take as long as a timeout. */
  private static Supplier<Boolean> once(Supplier<Boolean> question) {
    List<Boolean> answer = new ArrayList<>(1);
    return () -> {
      if (answer.isEmpty()) {
        answer.add(question.get());
      }
      return answer.get(0);
    };
  }

  private static VectorResult run(Vector vector, IAppStorage storage) {
    try (VectorSession<?> session = VectorSession.open(storage, vector)) {
      for (int i = 0; i < vector.operations().size(); i++) {
        Operation operation = vector.operations().get(i);
        Expectation expected = vector.expected().get(i);
        Answer answer = session.answer(operation);
        if (!expected.accepts(answer)) {
          return VectorResult.failed(
              vector.name(),
              "step %d, %s: expected %s, got %s".formatted(i + 1, operation, expected, answer));
        }
      }
      return VectorResult.passed(vector.name());
    }
  }
}
