package io.tidemark.cli;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import io.tidemark.spi.UnknownApplicationException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The storage a command works on. Drivers are whatever stands on the class path. */
final class Storages {
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--storage",
      paramLabel = "URI",
      description =
          "The storage, such as sqlite:shop.db?app=orders or postgres://user:password@host/db. "
              + "Default: the setting 'storage', see 'tidemark config print'.")
  private @Nullable String given;

  Storages() {}

  /** For the kinds of storage this build knows. */
  static List<IStorageDriver> drivers() {
    return ServiceLoader.load(IStorageDriver.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(IStorageDriver::scheme))
        .toList();
  }

  /** Whether the user named one. */
  boolean isGiven() {
    return given != null || Settings.load().get(Settings.STORAGE).value() != null;
  }

  /** The URI as text. */
  String text() {
    String text = given != null ? given : Settings.load().get(Settings.STORAGE).value();
    if (text == null) {
      throw new ParameterException(
          command.commandLine(),
          "Which storage? Give --storage URI, such as --storage sqlite:shop.db, or set "
              + Settings.STORAGE.variable());
    }
    return text;
  }

  /** The URI, read. */
  StorageUri uri() {
    return StorageUri.parse(text());
  }

  /** Opens the application, which must be there. */
  IAppStorage open() {
    return open(null);
  }

  /** Opens the application with this layout, creating it when new. */
  IAppStorage open(@Nullable Layout layout) {
    StorageUri uri = uri();
    return driver(uri).open(uri, layout);
  }

  /** Opens the application, creating it with so many partitions when it is new. */
  static IAppStorage openOrCreate(StorageUri uri, int partitions, TrustLevel level) {
    try {
      return driver(uri).open(uri, null);
    } catch (UnknownApplicationException e) {
      return create(uri, partitions, level);
    }
  }

  /** Opens the application with so many partitions; one stored with others is refused. */
  static IAppStorage create(StorageUri uri, int partitions, TrustLevel level) {
    // Cassandra's rows are bound to a trust level, so its layout names one.
    boolean bound = uri.scheme().equals("cassandra");
    return driver(uri)
        .open(uri, bound ? new Layout(partitions, 0, 0, level) : Layout.of(partitions));
  }

  /** How many events its logs hold. */
  static long events(IAppStorage app) {
    long events = 0;
    for (int partition = 0; partition < app.layout().partitions(); partition++) {
      events += app.reader(partition).logEnd();
    }
    return events;
  }

  /** The driver of the URI's scheme. */
  static IStorageDriver driver(StorageUri uri) {
    return drivers().stream()
        .filter(driver -> driver.scheme().equals(uri.scheme()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no storage here answers to the scheme '"
                        + uri.scheme()
                        + "'; there is "
                        + drivers().stream()
                            .map(driver -> driver.scheme() + " (" + driver.example() + ")")
                            .collect(Collectors.joining(", "))));
  }
}
