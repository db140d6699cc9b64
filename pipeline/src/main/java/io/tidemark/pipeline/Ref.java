package io.tidemark.pipeline;

/**
 * A field's value: a reference to a record, by its id or by the raw id of a new one.
 *
 * @param id the record
 */
public record Ref(long id) {
  /** Refuses what cannot be an id. */
  public Ref {
    if (id < 1) {
      throw new IllegalArgumentException("a reference must be to an id >= 1, was " + id);
    }
  }

  /** A reference to this record. */
  public static Ref to(long id) {
    return new Ref(id);
  }
}
