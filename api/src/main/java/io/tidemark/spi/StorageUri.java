package io.tidemark.spi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The address of an application's storage: {@code scheme:location?app=name&option=value}.
 *
 * @param scheme which driver
 * @param location everything between the scheme and the options, as written
 * @param options the decoded options
 */
public record StorageUri(String scheme, String location, Map<String, String> options) {
  /** The application when the URI names none. */
  public static final String DEFAULT_APPLICATION = "default";

  /** Copies. */
  public StorageUri {
    options = Map.copyOf(options);
  }

  /** Reads a URI, naming what is wrong with it. */
  public static StorageUri parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || !text.substring(0, colon).matches("[a-z][a-z0-9+-]*")) {
      throw new IllegalArgumentException(
          "a storage URI starts with its scheme in lower case, such as sqlite:shop.db, was '"
              + withoutSecrets(text)
              + "'");
    }
    int question = text.indexOf('?', colon);
    String location = text.substring(colon + 1, question < 0 ? text.length() : question);
    Map<String, String> options = new TreeMap<>();
    if (question >= 0) {
      for (String pair : text.substring(question + 1).split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException(
              "options of a storage URI are name=value, was '"
                  + withoutSecrets(pair)
                  + "'; a ? in a password is written %3F");
        }
        String name = decode(pair, 0, equals);
        if (options.put(name, decode(pair, equals + 1)) != null) {
          throw new IllegalArgumentException(
              "options of a storage URI are name=value, each once, but '"
                  + name
                  + "' stands twice");
        }
      }
    }
    return new StorageUri(text.substring(0, colon), location, options);
  }

  /** The application's id. */
  public String application() {
    return options.getOrDefault("app", DEFAULT_APPLICATION);
  }

  private static String decode(String text, int from) {
    return decode(text, from, text.length());
  }

  private static String decode(String text, int from, int to) {
    try {
      return URLDecoder.decode(text.substring(from, to), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) { // no cause: its message quotes the text
      throw new IllegalArgumentException(
          "an option of the storage URI has a % that begins no code; write % as %25");
    }
  }

  /** What stands before an @ may be a password. */
  private static String withoutSecrets(String text) {
    return text.contains("@") ? "…" + text.substring(text.lastIndexOf('@')) : text;
  }

  /** The scheme and the application; never the location, which may hold a password. */
  @Override
  public String toString() {
    return scheme + ":…?app=" + application();
  }
}
