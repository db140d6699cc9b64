package io.tidemark.storage.sqlite;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.StorageUri;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where an application is stored.
 *
 * @param file the database file; a file of your own with other tables in it will do
 * @param application the application's id
 * @param timeout how long a call waits for other writers, half of it for those of this process and
 *     half for other processes; default 5 seconds
 */
public record SqliteStorageConfig(Path file, String application, Duration timeout) {
  /** How long a call waits unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  private static final String TIMEOUT = "timeoutMillis";

  /** Refuses what cannot be opened. */
  public SqliteStorageConfig {
    requireNonNull(file, "file");
    if (application.isBlank()) {
      throw new IllegalArgumentException(
          "application must not be blank, was '" + application + "'");
    }
    if (file.toString().isEmpty() || file.toString().indexOf('?') >= 0) {
      throw new IllegalArgumentException(
          "file must be the path of a database, without '?', was '" + file + "'");
    }
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("timeout must be 1 ms .. 24 days, was " + timeout);
    }
  }

  /** An application in a file, with the default timeout. */
  public static SqliteStorageConfig of(Path file, String application) {
    return new SqliteStorageConfig(file, application, DEFAULT_TIMEOUT);
  }

  /** The same place with another timeout. */
  public SqliteStorageConfig withTimeout(Duration other) {
    return new SqliteStorageConfig(file, application, other);
  }

  /** Reads {@code sqlite:path/file.db?app=name&timeoutMillis=5000}. */
  static SqliteStorageConfig of(StorageUri uri) {
    for (String option : uri.options().keySet()) {
      if (!option.equals("app") && !option.equals(TIMEOUT)) {
        throw new IllegalArgumentException(
            "an sqlite URI knows the options app and " + TIMEOUT + ", was '" + option + "'");
      }
    }
    if (uri.location().isBlank() || uri.location().equals(":memory:")) {
      throw new IllegalArgumentException(
          "an sqlite URI names a file, such as sqlite:shop.db; for a storage in memory use memory:");
    }
    SqliteStorageConfig config = of(Path.of(uri.location()), uri.application());
    String millis = uri.options().get(TIMEOUT);
    return millis == null ? config : config.withTimeout(Duration.ofMillis(number(millis)));
  }

  private static long number(String millis) {
    try {
      return Long.parseLong(millis);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          TIMEOUT + " must be a number of milliseconds, was '" + millis + "'", e);
    }
  }
}
