package io.tidemark.storage.postgres;

import java.util.Set;
import java.util.regex.Pattern;

/** Refuses names that the driver or the server would take for something else. */
final class Names {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]");
  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Set<String> TLS =
      Set.of("sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword");

  private Names() {}

  static void requireHost(String host) {
    if (!HOST.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "host must be a name or an address, an IPv6 address in brackets; it was neither");
    }
  }

  static void requireNotBlank(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " must be named, was blank");
    }
  }

  static String requireSchema(String schema) {
    if (!SCHEMA.matcher(schema).matches() || schema.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "schema must be lower-case letters, digits and _, at most 63, not pg_…, was '"
              + schema
              + "'");
    }
    return schema;
  }

  static boolean isTlsOption(String option) {
    return TLS.contains(option);
  }

  static void requireTlsOption(String option) {
    if (!isTlsOption(option)) {
      throw new IllegalArgumentException("tls takes " + TLS + ", was '" + option + "'");
    }
  }
}
