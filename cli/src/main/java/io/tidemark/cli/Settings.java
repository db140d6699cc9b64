package io.tidemark.cli;

import io.tidemark.core.CacheBudget;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the command works with where no option says otherwise: environment variables first, then
 * {@code tidemark.properties} in the current folder, then the defaults.
 */
final class Settings {
  static final Path FILE = Path.of("tidemark.properties");

  static final Key STORAGE = new Key("storage", null, "the storage's URI");
  static final Key TRUST_LEVEL = new Key("trust-level", "0", "0, 1 or 2");
  static final Key MAX_UNFLUSHED =
      new Key("max-unflushed-values", "500", "the most numbers that wait to be stored");
  static final Key FLUSHING_INTERVAL =
      new Key("max-flushing-interval", "500ms", "the longest a number waits to be stored");
  static final Key CACHE =
      new Key(
          "cache-numbers", Long.toString(CacheBudget.DEFAULT_NUMBERS), "numbers kept in memory");
  static final Key READ_TIMEOUT =
      new Key("read-timeout", "5s", "the longest a command waits for a workspace's numbers");
  static final List<Key> KEYS =
      List.of(STORAGE, TRUST_LEVEL, MAX_UNFLUSHED, FLUSHING_INTERVAL, CACHE, READ_TIMEOUT);

  private final Map<String, String> environment;
  private final Properties file;

  Settings(Map<String, String> environment, Properties file) {
    this.environment = environment;
    this.file = file;
    for (Object name : file.keySet()) {
      if (KEYS.stream().noneMatch(key -> key.name().equals(name))) {
        throw new IllegalArgumentException(
            FILE + " has the unknown setting '" + name + "'; see 'tidemark config print'");
      }
    }
  }

  /** Reads them. */
  static Settings load() {
    Properties file = new Properties();
    if (Files.isRegularFile(FILE)) {
      try (Reader in = Files.newBufferedReader(FILE)) {
        file.load(in);
      } catch (IOException e) {
        throw new IllegalArgumentException(FILE + " cannot be read: " + e.getMessage(), e);
      }
    }
    return new Settings(System.getenv(), file);
  }

  /** A setting's value and where it comes from. */
  Setting get(Key key) {
    String variable = environment.get(key.variable());
    if (variable != null) {
      return new Setting(key, variable, "environment " + key.variable());
    }
    String line = file.getProperty(key.name());
    if (line != null) {
      return new Setting(key, line.strip(), "file " + FILE);
    }
    return new Setting(key, key.byDefault(), "default");
  }

  /** The trust level an option gave, or the one that is set. */
  static int trustLevel(@Nullable Integer given) {
    return given != null ? given : load().number(TRUST_LEVEL);
  }

  /** A setting that is a whole number. */
  int number(Key key) {
    Setting setting = get(key);
    try {
      return Integer.parseInt(String.valueOf(setting.value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s must be a whole number, was '%s' (%s)"
              .formatted(key.name, setting.value, setting.source),
          e);
    }
  }

  /** A setting that is a duration. */
  Duration duration(Key key) {
    return Durations.parse(String.valueOf(get(key).value));
  }

  /**
   * One thing that can be set.
   *
   * @param name its name in the file
   * @param byDefault its value where nobody sets it; null = none
   * @param meaning what it is
   */
  record Key(String name, @Nullable String byDefault, String meaning) {
    /** Its name in the environment. */
    String variable() {
      return "TIDEMARK_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
  }

  /**
   * One setting in force.
   *
   * @param key which
   * @param value its value; null = none
   * @param source where it comes from
   */
  record Setting(Key key, @Nullable String value, String source) {
    /** The value with passwords hidden. */
    @Nullable String shown() {
      return value == null ? null : hidePasswords(value);
    }
  }

  /** A URI that may be shown to anybody. */
  static String hidePasswords(String uri) {
    return uri.replaceAll("(://[^:/@?]*):[^@/]*@", "$1:***@")
        .replaceAll("(?i)([?&][^=&]*(?:password|secret|token)[^=&]*=)[^&]*", "$1***");
  }
}
