package io.tidemark.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** The figures as one file that needs no other: a table, and the plots. No script. */
final class BenchPage {
  private BenchPage() {}

  static String write(BenchReport report) {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>Tidemark: figures</title>\n<style>\n")
        .append(style())
        .append("</style></head><body>\n<h1>Tidemark: figures</h1>\n<p>")
        .append(escape(BenchReport.BASELINES))
        .append("</p>\n");
    page.append("<p>").append(tally(report)).append("</p>\n");
    table(page, report);
    if (!report.plots().isEmpty()) {
      page.append("<h2>Plots</h2>\n<p>A bar through a point is its spread.</p>\n")
          .append("<div class=\"plots\">\n");
      report.plots().forEach(plot -> page.append(PlotSvg.figure(plot)));
      page.append("</div>\n");
    }
    page.append("<h2>Where</h2>\n<table>");
    for (Map.Entry<String, String> entry : report.machine().entrySet()) {
      page.append("<tr><td class=\"what\">").append(escape(entry.getKey()));
      page.append("<td>").append(escape(entry.getValue())).append("</tr>\n");
    }
    return page.append("</table>\n</body></html>\n").toString();
  }

  private static String tally(BenchReport report) {
    StringBuilder text = new StringBuilder();
    for (Line.Verdict verdict : Line.Verdict.values()) {
      long count = report.lines().stream().filter(line -> line.verdict() == verdict).count();
      String word = verdict == Line.Verdict.NONE ? "without a target" : verdict.word();
      text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(word);
    }
    return text.append('.').toString();
  }

  private static void table(StringBuilder page, BenchReport report) {
    page.append("<table><thead><tr><th>what<th>measured<th>spread<th>target<th></tr></thead>\n");
    for (Line line : report.lines()) {
      page.append("<tr><td class=\"what\">").append(escape(line.what()));
      if (!line.note().isEmpty()) {
        page.append("<div class=\"note\">").append(escape(line.note())).append("</div>");
      }
      cell(page, "measured", line.shown());
      cell(page, "spread", line.spread());
      cell(page, "target", line.shownTarget());
      page.append(
          String.format(
              Locale.ROOT,
              "<td class=\"verdict %s\"%s>%s</tr>\n",
              line.verdict(),
              line.hasTarget() ? " data-name=\"verdict\"" : "",
              line.verdict().word()));
    }
    page.append("</table>\n");
  }

  private static void cell(StringBuilder page, String name, String text) {
    page.append("<td class=\"figure\" data-name=\"").append(name).append("\">");
    page.append(escape(text));
  }

  private static String style() {
    try (InputStream css = BenchPage.class.getResourceAsStream("bench.css")) {
      if (css == null) {
        throw new IllegalStateException("bench.css is missing beside " + BenchPage.class);
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
