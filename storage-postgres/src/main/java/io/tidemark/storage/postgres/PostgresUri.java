package io.tidemark.storage.postgres;

import io.tidemark.spi.StorageUri;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code postgres://user:password@host:port/database?app=…&schema=…}. What it cannot read it
 * refuses: the driver would fall back to a server on this machine. No message repeats the location,
 * which holds the password.
 */
final class PostgresUri {
  private static final Pattern LOCATION =
      Pattern.compile(
          "//(?<user>[^:@/]+)(:(?<password>[^@/]*))?@(?<host>[^:@/\\[\\]]+|\\[[^\\]/@]+\\])(:(?<port>[0-9]{1,5}))?/(?<database>[^/]+)");

  private static final String FORM =
      "postgres://user:password@host:port/database?app=name; write : / @ ? in a password as %3A %2F %40 %3F";

  /** What would make the storage lie, or load code, and why. */
  private static final Map<String, String> BARRED =
      Map.of(
          "reWriteBatchedInserts", "it hides conflicts; leave it out",
          "preferQueryMode", "statements must be prepared by the server; leave it out",
          "socketFactory", "it loads a class; give a DataSource instead",
          "socketFactoryArg", "it loads a class; give a DataSource instead",
          "sslfactory", "it loads a class; give sslrootcert, sslcert and sslkey",
          "loggerFile", "it writes to a file; configure java.util.logging",
          "loggerLevel", "it writes statements to a log; configure java.util.logging",
          "autosave", "statements must fail as a whole; leave it out",
          "user", "name the user before the @",
          "password", "write the password before the @");

  private PostgresUri() {}

  static PostgresStorageConfig parse(StorageUri uri) {
    Matcher location = LOCATION.matcher(uri.location());
    if (!location.matches()) {
      throw new IllegalArgumentException("a PostgreSQL URI is " + FORM);
    }
    PostgresStorageConfig.Builder config =
        PostgresStorageConfig.builder(
            location.group("host"),
            decode(location.group("database")),
            decode(location.group("user")));
    if (location.group("password") != null) {
      config.password(decode(location.group("password")));
    }
    if (location.group("port") != null) {
      config.port(Integer.parseInt(location.group("port")));
    }
    Map<String, String> tls = new TreeMap<>();
    uri.options().forEach((name, value) -> option(config, tls, name, value));
    return config.tls(tls).build();
  }

  private static void option(
      PostgresStorageConfig.Builder config, Map<String, String> tls, String name, String value) {
    if (Names.isTlsOption(name)) {
      tls.put(name, value);
      return;
    }
    switch (name) {
      case "app" -> {}
      case "schema" -> config.schema(value);
      case "poolSize" -> config.poolSize(number(name, value));
      case "timeoutSeconds" -> config.timeout(Duration.ofSeconds(number(name, value)));
      default -> {
        String why = BARRED.get(name);
        throw new IllegalArgumentException(
            why != null
                ? "a PostgreSQL URI must not set " + name + ": " + why
                : "a PostgreSQL URI knows app, schema, poolSize, timeoutSeconds, sslmode,"
                    + " sslrootcert, sslcert, sslkey, sslpassword; was '"
                    + name
                    + "'");
      }
    }
  }

  private static int number(String name, String value) {
    if (!value.matches("[0-9]{1,6}")) {
      throw new IllegalArgumentException(name + " must be a whole number, was '" + value + "'");
    }
    return Integer.parseInt(value);
  }

  private static String decode(String text) {
    // A plus is a plus here: only options of a query are form-encoded.
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) { // no cause: its message quotes the password
      throw new IllegalArgumentException("a PostgreSQL URI is " + FORM + "; write % as %25");
    }
  }
}
