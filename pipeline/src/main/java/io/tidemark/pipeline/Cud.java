package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

/**
 * A record that a command creates or updates.
 *
 * <p>In a command the id of a new record is a raw one (1..65535), an explicit one from its kind's
 * register, or 0 where nobody needs to name it; an update names a stored record, or the raw id of
 * one that the same command creates. In an event the id is always the stored one.
 *
 * @param type the record's type
 * @param id the record
 * @param isNew whether it is created
 * @param fields the record's whole new content
 */
public record Cud(RecordType type, long id, boolean isNew, Fields fields) {
  /** Refuses types that come as arguments only. */
  public Cud {
    requireNonNull(fields, "fields");
    if (type.kind().isArgument()) {
      throw new IllegalArgumentException(
          type + " is an argument's type: only CDoc, CRecord, WDoc and WRecord are stored");
    }
  }

  /** Creates a record. */
  public static Cud create(RecordType type, long id, Object... namesAndValues) {
    return new Cud(type, id, true, Fields.of(namesAndValues));
  }

  /** Replaces a record's content. */
  public static Cud update(RecordType type, long id, Object... namesAndValues) {
    return new Cud(type, id, false, Fields.of(namesAndValues));
  }
}
