package io.tidemark.bench;

import java.util.Locale;
import java.util.TreeMap;

/** The figures as a page of its own: a table, and a bar per figure against its target. */
final class BenchPage {
  private static final int WIDTH = 260;
  private static final String STYLE =
      "body{font:16px/1.4 system-ui,sans-serif;margin:1em auto;max-width:60em;padding:0 1em}"
          + "table{border-collapse:collapse;width:100%}td,th{padding:.3em .5em;text-align:left;"
          + "border-bottom:1px solid #ddd}.PASS{color:#060}.SHORT{color:#a00}.UNSURE{color:#850}"
          + "@media(max-width:40em){.plot,.spread{display:none}}";

  private BenchPage() {}

  static String write(BenchReport report) {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width\">")
        .append("<title>Tidemark: figures</title><style>")
        .append(STYLE)
        .append("</style><h1>Tidemark: figures</h1>")
        .append("<p>Each figure is a ratio to a baseline of the same run, or a count. ")
        .append("(a): look-up of one of 64 hot entries in a HashMap and an array increment. ")
        .append("(c): Caffeine getIfPresent over 100,000 random keys. ")
        .append("(e1): a plain one-row INSERT with a commit each; (e100): 100 rows a commit.</p>")
        .append("<table><tr><th>what<th>measured<th class=\"spread\">spread<th>target<th>")
        .append("<th class=\"plot\">0 to twice the target</tr>");
    for (Line line : report.lines()) {
      page.append("<tr><td>").append(escape(line.what()));
      page.append("<td>").append(escape(line.shown()));
      page.append("<td class=\"spread\">").append(escape(line.spread()));
      page.append("<td>").append(escape(line.shownTarget()));
      page.append("<td class=\"").append(line.verdict()).append("\">");
      page.append(line.verdict().name().toLowerCase(Locale.ROOT));
      page.append("<td class=\"plot\">").append(bar(line)).append("</tr>");
    }
    page.append("</table><h2>Where</h2><ul>");
    new TreeMap<>(report.machine())
        .forEach(
            (name, value) ->
                page.append("<li>")
                    .append(escape(name))
                    .append(": ")
                    .append(escape(value))
                    .append("</li>"));
    return page.append("</ul></html>\n").toString();
  }

  private static String bar(Line line) {
    double scale = WIDTH / (2 * Math.max(line.target(), 1e-9));
    double length = Math.min(WIDTH, line.value() * scale);
    double low = Math.min(WIDTH, line.low() * scale);
    double high = Math.min(WIDTH, line.high() * scale);
    return String.format(
        Locale.ROOT,
        "<svg width=\"%d\" height=\"16\" role=\"img\"><rect width=\"%.1f\" height=\"10\" y=\"3\" "
            + "fill=\"#69c\"/><line x1=\"%.1f\" x2=\"%.1f\" y1=\"8\" y2=\"8\" stroke=\"#036\"/>"
            + "<line x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"16\" stroke=\"#a00\"/></svg>",
        WIDTH,
        length,
        low,
        high,
        WIDTH / 2,
        WIDTH / 2);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
