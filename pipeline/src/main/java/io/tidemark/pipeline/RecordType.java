package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

/**
 * A type of records. A record keeps its type for life: no other type can be written under its id.
 *
 * @param name its name, such as {@code sales.Order}
 * @param kind what it is for
 */
public record RecordType(String name, RecordKind kind) {
  /** Refuses a type without a name. */
  public RecordType {
    requireNonNull(kind, "kind");
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a record type must not be blank");
    }
  }

  /** A type of configuration documents. */
  public static RecordType cdoc(String name) {
    return new RecordType(name, RecordKind.CDOC);
  }

  /** A type of parts of configuration documents. */
  public static RecordType crecord(String name) {
    return new RecordType(name, RecordKind.CRECORD);
  }

  /** A type of workflow documents. */
  public static RecordType wdoc(String name) {
    return new RecordType(name, RecordKind.WDOC);
  }

  /** A type of parts of workflow documents. */
  public static RecordType wrecord(String name) {
    return new RecordType(name, RecordKind.WRECORD);
  }

  /** A type of operational documents. */
  public static RecordType odoc(String name) {
    return new RecordType(name, RecordKind.ODOC);
  }

  /** A type of parts of operational documents. */
  public static RecordType orecord(String name) {
    return new RecordType(name, RecordKind.ORECORD);
  }

  /** For messages: kind and name. */
  @Override
  public String toString() {
    return kind + " " + name;
  }
}
