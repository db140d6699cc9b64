package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * An object in a command's argument: an operational document with its parts, at any depth.
 *
 * @param type its type, an ODoc or ORecord
 * @param id in a command a raw id, an explicit one, or 0 where nobody needs to name it; in an event
 *     the id it got
 * @param fields its fields
 * @param children its parts
 */
public record ArgumentObject(
    RecordType type, long id, Fields fields, List<ArgumentObject> children) {
  /** Copies, and refuses types that are stored as records. */
  public ArgumentObject {
    requireNonNull(fields, "fields");
    children = List.copyOf(children);
    if (!type.kind().isArgument()) {
      throw new IllegalArgumentException(type + " is no argument's type: use an ODoc or ORecord");
    }
  }

  /** An object without parts. */
  public static ArgumentObject of(RecordType type, long id, Object... namesAndValues) {
    return new ArgumentObject(type, id, Fields.of(namesAndValues), List.of());
  }

  /** The same object with these parts. */
  public ArgumentObject with(ArgumentObject... parts) {
    return new ArgumentObject(type, id, fields, List.of(parts));
  }
}
