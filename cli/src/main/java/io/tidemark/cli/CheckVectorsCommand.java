package io.tidemark.cli;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import io.tidemark.spi.UnknownApplicationException;
import io.tidemark.tck.vectors.MalformedVectorsException;
import io.tidemark.tck.vectors.VectorReport;
import io.tidemark.tck.vectors.VectorResult;
import io.tidemark.tck.vectors.VectorRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a storage through a file of test vectors. */
@Command(
    name = "check-vectors",
    description = {
      "Runs a file of test vectors and prints each failing case, then the numbers.",
      "Claims the sequences of the application, which is 'sequence-vectors' unless the URI names "
          + "another one; it is created when new. What the vectors create they drop.",
      "Exit code 0: all that apply passed. 1: one failed. 2: the file is malformed."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class CheckVectorsCommand implements Callable<Integer> {
  private static final String APPLICATION = "sequence-vectors";

  @Mixin private Output output;

  @Parameters(paramLabel = "FILE", description = "Vectors of the format sequence-vectors/1.")
  private Path file;

  // Not the setting: vectors run where somebody said so, never where others live by default.
  @Option(
      names = "--storage",
      paramLabel = "URI",
      defaultValue = "memory:vectors",
      description = "The storage (default: ${DEFAULT-VALUE}).")
  private String storage;

  CheckVectorsCommand() {}

  @Override
  public Integer call() {
    VectorRunner runner = read();
    try (IAppStorage app = open()) {
      VectorReport report = runner.run(app);
      output.document(report);
      for (VectorResult each : report.failed()) {
        output.say("%s %s%n  %s", output.bad("FAILED"), each.name(), each.detail());
      }
      for (VectorResult each : report.notApplicable()) {
        output.say("does not apply: %s%n  %s", each.name(), each.detail());
      }
      output.say("%s", report);
      return report.failed().isEmpty() ? 0 : Failures.PROBLEM;
    }
  }

  private VectorRunner read() {
    try {
      return VectorRunner.of(file);
    } catch (MalformedVectorsException e) {
      throw new IllegalArgumentException(file + " is malformed: " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no file " + file, e);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private IAppStorage open() {
    StorageUri uri = StorageUri.parse(storage);
    Map<String, String> options = new HashMap<>(uri.options());
    options.putIfAbsent("app", APPLICATION);
    StorageUri named = new StorageUri(uri.scheme(), uri.location(), options);
    IStorageDriver driver = Storages.driver(named);
    try {
      return driver.open(named, null);
    } catch (UnknownApplicationException e) {
      return driver.open(named, Layout.of(1));
    }
  }
}
