package io.tidemark.api;

import java.util.Locale;
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

  SequenceDefinition parse() {
    require("CREATE");
    require("SEQUENCE");
    SequenceDefinition.Builder definition = SequenceDefinition.named(name());
    while (!word.isEmpty() && !word.equals(";")) {
      option(definition);
    }
    if (skip(";") && !word.isEmpty()) {
      throw unexpected("the end of the text");
    }
    return definition.build();
  }

  private void option(SequenceDefinition.Builder definition) {
    if (skip("START")) {
      skip("WITH");
      definition.start(number());
    } else if (skip("INCREMENT")) {
      skip("BY");
      definition.increment(number());
    } else if (skip("MINVALUE")) {
      definition.min(number());
    } else if (skip("MAXVALUE")) {
      definition.max(number());
    } else if (skip("CYCLE")) {
      definition.cycle(true);
    } else if (skip("NO")) {
      negated(definition);
    } else {
      throw unexpected("START, INCREMENT, MINVALUE, MAXVALUE, CYCLE or NO");
    }
  }

  private void negated(SequenceDefinition.Builder definition) {
    if (skip("MINVALUE")) {
      definition.min(null);
    } else if (skip("MAXVALUE")) {
      definition.max(null);
    } else if (skip("CYCLE")) {
      definition.cycle(false);
    } else {
      throw unexpected("MINVALUE, MAXVALUE or CYCLE after NO");
    }
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
