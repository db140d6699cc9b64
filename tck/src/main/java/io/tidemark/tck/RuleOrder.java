package io.tidemark.tck;

import java.util.Comparator;

/** Rules by letter, then by number: S-2 before S-10. */
enum RuleOrder implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String one, String other) {
    int letters = letters(one).compareTo(letters(other));
    int numbers = Integer.compare(number(one), number(other));
    return letters != 0 ? letters : numbers != 0 ? numbers : one.compareTo(other);
  }

  private static String letters(String rule) {
    return rule.replaceAll("[^A-Za-z]", "");
  }

  private static int number(String rule) {
    String digits = rule.replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }
}
