package io.tidemark.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the SQL form of a sequence definition: one pass, one word of look-ahead. */
final class SequenceParser {
  private static final Pattern WORD = Pattern.compile("\"(?:[^\"]|\"\")*\"|[^\\s;]+|;");
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.$]*");

  private final String sql;
  private final Matcher words;
  private String word = "";
  private int position;

  SequenceParser(String sql) {
    this.sql = sql;
    this.words = WORD.matcher(sql);
    advance();
  }

  static String quote(String name) {
    return PLAIN_NAME.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  /** What the text says of a definition, to be applied in its order. */
  @FunctionalInterface
  interface Options {
    SequenceDefinition.Builder apply(SequenceDefinition.Builder definition);
  }

  SequenceDefinition parse() {
    require("CREATE");
    require("SEQUENCE");
    SequenceDefinition.Builder definition = SequenceDefinition.named(name());
    return options().apply(definition).build();
  }

  SequenceAlteration parseAlter() {
    require("ALTER");
    require("SEQUENCE");
    String name = name();
    if (skip("RESTART")) {
      boolean with = skip("WITH");
      Long number = with || !isEnd() ? (Long) number() : null;
      requireEnd();
      return SequenceAlteration.restart(name, number);
    }
    if (isEnd()) {
      throw unexpected("RESTART or an option");
    }
    return SequenceAlteration.options(name, options());
  }

  private Options options() {
    List<Consumer<SequenceDefinition.Builder>> all = new ArrayList<>();
    while (!isEnd()) {
      all.add(option());
    }
    requireEnd();
    return definition -> {
      all.forEach(each -> each.accept(definition));
      return definition;
    };
  }

  private boolean isEnd() {
    return word.isEmpty() || word.equals(";");
  }

  private void requireEnd() {
    skip(";");
    if (!word.isEmpty()) {
      throw unexpected("the end of the text");
    }
  }

  private Consumer<SequenceDefinition.Builder> option() {
    if (skip("START")) {
      skip("WITH");
      long number = number();
      return definition -> definition.start(number);
    }
    if (skip("INCREMENT")) {
      skip("BY");
      long number = number();
      return definition -> definition.increment(number);
    }
    if (skip("MINVALUE")) {
      long number = number();
      return definition -> definition.min(number);
    }
    if (skip("MAXVALUE")) {
      long number = number();
      return definition -> definition.max(number);
    }
    if (skip("CYCLE")) {
      return definition -> definition.cycle(true);
    }
    if (skip("NO")) {
      return negated();
    }
    throw unexpected("START, INCREMENT, MINVALUE, MAXVALUE, CYCLE or NO");
  }

  private Consumer<SequenceDefinition.Builder> negated() {
    if (skip("MINVALUE")) {
      return definition -> definition.min(null);
    }
    if (skip("MAXVALUE")) {
      return definition -> definition.max(null);
    }
    if (skip("CYCLE")) {
      return definition -> definition.cycle(false);
    }
    throw unexpected("MINVALUE, MAXVALUE or CYCLE after NO");
  }

  private String name() {
    String name = word;
    boolean quoted = name.length() > 2 && name.startsWith("\"") && name.endsWith("\"");
    if (!quoted && !PLAIN_NAME.matcher(name).matches()) {
      throw unexpected("a sequence name");
    }
    advance();
    return quoted ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
  }

  private long number() {
    try {
      long number = Long.parseLong(word);
      advance();
      return number;
    } catch (NumberFormatException e) {
      throw unexpected("a whole number within 64 bits");
    }
  }

  private void require(String expected) {
    if (!skip(expected)) {
      throw unexpected(expected);
    }
  }

  private boolean skip(String expected) {
    boolean found = word.toUpperCase(Locale.ROOT).equals(expected);
    if (found) {
      advance();
    }
    return found;
  }

  private void advance() {
    boolean found = words.find();
    word = found ? words.group() : "";
    position = found ? words.start() : sql.length();
  }

  private InvalidSequenceException unexpected(String expected) {
    String found = word.isEmpty() ? "the end of the text" : "'" + word + "'";
    return new InvalidSequenceException(
        word, "expected " + expected + " at position " + (position + 1) + ", found " + found);
  }
}
