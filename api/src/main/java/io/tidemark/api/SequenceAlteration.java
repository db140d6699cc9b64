package io.tidemark.api;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What an {@code ALTER SEQUENCE} text asks for: other values in a definition, or a restart. One
 * text asks for one of the two.
 */
public final class SequenceAlteration {
  private final String name;
  private final SequenceParser.@Nullable Options options;
  private final @Nullable Long restartWith;

  private SequenceAlteration(
      String name, SequenceParser.@Nullable Options options, @Nullable Long restartWith) {
    this.name = name;
    this.options = options;
    this.restartWith = restartWith;
  }

  /**
   * Reads {@code ALTER SEQUENCE name …}; bad text is refused with its position and word.
   *
   * @throws InvalidSequenceException naming the word
   */
  public static SequenceAlteration parse(String sql) {
    return new SequenceParser(sql).parseAlter();
  }

  static SequenceAlteration options(String name, SequenceParser.Options options) {
    return new SequenceAlteration(name, options, null);
  }

  static SequenceAlteration restart(String name, @Nullable Long with) {
    return new SequenceAlteration(name, null, with);
  }

  /** The sequence's name. */
  public String name() {
    return name;
  }

  /** Whether it asks for a restart, and nothing else. */
  public boolean isRestart() {
    return options == null;
  }

  /** The number to restart with; null for the definition's start. */
  public @Nullable Long restartWith() {
    return restartWith;
  }

  /**
   * The definition it makes of {@code old}. {@code NO MINVALUE} and {@code NO MAXVALUE} stand for
   * the defaults.
   *
   * @throws IllegalStateException if it asks for a restart
   * @throws InvalidSequenceException if the definition would contradict itself
   */
  public SequenceDefinition of(SequenceDefinition old) {
    if (options == null) {
      throw new IllegalStateException("the text asks for a restart, not for another definition");
    }
    return requireNonNull(options).apply(old.toBuilder()).build();
  }
}
