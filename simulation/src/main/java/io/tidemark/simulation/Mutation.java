package io.tidemark.simulation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One edit that puts a bug back.
 *
 * @param type the class whose source is edited
 * @param original the text to replace, white space apart; it must occur exactly once
 * @param replacement the text with the bug
 */
public record Mutation(String type, String original, String replacement) {

  String applyTo(String source) {
    String pattern =
        Pattern.compile("\\s+")
            .splitAsStream(original)
            .map(Pattern::quote)
            .collect(Collectors.joining("\\s+"));
    Matcher matcher = Pattern.compile(pattern).matcher(source);
    if (matcher.results().count() != 1) {
      throw new IllegalStateException(
          "the text to replace must occur once in " + type + ": " + original);
    }
    return matcher.replaceAll(Matcher.quoteReplacement(replacement));
  }
}
