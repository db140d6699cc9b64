package io.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows in columns as wide as their widest cell; numbers to the right. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... heads) {
    rows.add(List.of(heads));
  }

  Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(
          cell instanceof Long || cell instanceof Integer
              ? String.format(Locale.ROOT, "%,d", ((Number) cell).longValue())
              : String.valueOf(cell));
    }
    rows.add(row);
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < rows.get(r).size(); c++) {
        String cell = rows.get(r).get(c);
        String padding = " ".repeat(width(c) - cell.length());
        line.append(c == 0 ? "" : "  ");
        line.append(isNumeric(c) ? padding + cell : cell + padding);
      }
      text.append(r == 0 ? "" : System.lineSeparator()).append(line.toString().stripTrailing());
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private boolean isNumeric(int column) {
    return rows.size() > 1
        && rows.stream().skip(1).allMatch(row -> row.get(column).matches("[-0-9.,]+|-"));
  }
}
