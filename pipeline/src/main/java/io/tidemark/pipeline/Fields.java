package io.tidemark.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Named values, in the order given: of a record, or of an object in a command's argument.
 *
 * <p>A value is a {@code Boolean}, a whole number (kept as {@code Long}), a {@code Double}, a
 * {@code String}, a {@code byte[]}, a {@link Ref}, or a {@link Draw}, which becomes a {@link Drawn}
 * in the event. Arrays are not copied: neither side changes them.
 */
public final class Fields {
  private static final Fields NONE = new Fields(new String[0], new Object[0]);

  private final String[] names;
  private final Object[] values;

  private Fields(String[] names, Object[] values) {
    this.names = names;
    this.values = values;
  }

  /** No field at all. */
  public static Fields none() {
    return NONE;
  }

  /** Fields from names and values in turn, such as {@code of("name", "Ada", "age", 36)}. */
  public static Fields of(Object... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "fields are names and values in turn, was " + namesAndValues.length + " objects");
    }
    String[] names = new String[namesAndValues.length / 2];
    Object[] values = new Object[names.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = requireName(namesAndValues[2 * i], names, i);
      values[i] = requireValue(names[i], namesAndValues[2 * i + 1]);
    }
    return names.length == 0 ? NONE : new Fields(names, values);
  }

  /** For those who checked names and values already. */
  static Fields trusted(String[] names, Object[] values) {
    return names.length == 0 ? NONE : new Fields(names, values);
  }

  private static String requireName(Object name, String[] before, int count) {
    if (!(name instanceof String text) || text.isBlank()) {
      throw new IllegalArgumentException("a field's name must be a text, was " + name);
    }
    for (int i = 0; i < count; i++) {
      if (before[i].equals(text)) {
        throw new IllegalArgumentException("field " + text + " occurs twice");
      }
    }
    return text;
  }

  private static Object requireValue(String name, Object value) {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value instanceof Float number) {
      return (double) number;
    }
    if (value instanceof Boolean
        || value instanceof Long
        || value instanceof Double
        || value instanceof String
        || value instanceof byte[]
        || value instanceof Ref
        || value instanceof Draw
        || value instanceof Drawn) {
      return value;
    }
    throw new IllegalArgumentException(
        "field "
            + name
            + " must be a Boolean, a whole number, a Double, a String, a byte[], a Ref or a Draw,"
            + " was "
            + (value == null ? "null; leave it out" : value.getClass().getName()));
  }

  /** How many there are. */
  public int size() {
    return names.length;
  }

  /** The name of field {@code i}. */
  public String name(int i) {
    return names[i];
  }

  /** The value of field {@code i}. */
  public Object value(int i) {
    return values[i];
  }

  /** The names, in order. */
  public List<String> names() {
    return List.of(names);
  }

  /** The value of a field, or null. */
  public @Nullable Object get(String name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return values[i];
      }
    }
    return null;
  }

  /**
   * The whole number in a field; of a reference its id, of a drawn number the number.
   *
   * @throws IllegalArgumentException if there is no such number
   */
  public long number(String name) {
    Object value = get(name);
    if (value instanceof Long number) {
      return number;
    }
    if (value instanceof Drawn drawn) {
      return drawn.number();
    }
    if (value instanceof Ref ref) {
      return ref.id();
    }
    throw new IllegalArgumentException("field " + name + " is not a whole number, was " + value);
  }

  /**
   * The text in a field.
   *
   * @throws IllegalArgumentException if there is no such text
   */
  public String text(String name) {
    if (get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("field " + name + " is not a text, was " + get(name));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fields fields
        && Arrays.equals(names, fields.names)
        && Arrays.deepEquals(values, fields.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(names) * 31 + Arrays.deepHashCode(values);
  }

  /** For messages. */
  @Override
  public String toString() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      Object value = values[i];
      all.add(names[i] + "=" + (value instanceof byte[] bytes ? bytes.length + " bytes" : value));
    }
    return String.join(", ", all);
  }
}
