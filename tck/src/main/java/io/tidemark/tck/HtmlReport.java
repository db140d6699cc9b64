package io.tidemark.tck;

import io.tidemark.spi.StorageCapability;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The report for people: one page, no scripts, narrow enough for a phone. */
final class HtmlReport {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--line:#8884;--pass:#1a7f37;--fail:#c62828;--skip:#8a6d00}
      body{font:16px/1.45 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
      h1{font-size:1.4rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .3rem}
      .big{font-size:1.2rem;font-weight:700;padding:.6rem .8rem;border-radius:.5rem;color:#fff}
      .PASSED,.yes{color:var(--pass)}.FAILED{color:var(--fail)}
      .SKIPPED,.NOT_RUN,.no{color:var(--skip)}
      .bigyes{background:var(--pass)}.bigno{background:var(--fail)}.bigpart{background:var(--skip)}
      .check{border-top:1px solid var(--line);padding:.45rem 0}
      .check .name{overflow-wrap:anywhere}.meta{font-size:.85rem;opacity:.8;overflow-wrap:anywhere}
      .rule{display:inline-block;font:600 .85rem ui-monospace,monospace;border:1px solid var(--line);
      border-radius:.3rem;padding:0 .35rem;margin:0 .2rem .2rem 0}
      .verdict{font-weight:700;margin-right:.4rem}
      pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem;background:#8882;padding:.6rem;
      border-radius:.4rem;margin:.3rem 0}
      table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.3rem .2rem;
      vertical-align:top;overflow-wrap:anywhere}
      summary{cursor:pointer}
      """;

  private HtmlReport() {}

  static String write(CertificationReport report) {
    StringBuilder page = new StringBuilder(20_000);
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.append("<title>").append(escape(report.storage())).append(" – Tidemark TCK</title>\n");
    page.append("<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
    head(page, report);
    missing(page, report);
    rules(page, report);
    capabilities(page, report);
    byChapter(report.results()).forEach((chapter, results) -> chapter(page, chapter, results));
    page.append("<h2>Versions</h2>\n<table>\n");
    new TreeMap<>(report.versions())
        .forEach((name, version) -> row(page, escape(name), escape(version)));
    return page.append("</table>\n</body>\n</html>\n").toString();
  }

  private static void head(StringBuilder page, CertificationReport report) {
    page.append("<h1>").append(escape(report.storage())).append("</h1>\n<p class=\"big ");
    if (report.certified()) {
      page.append("bigyes\">Certified: ").append(report.certificate());
    } else if (report.partly()) {
      page.append("bigpart\">Nothing broken, not everything checked");
    } else {
      page.append("bigno\">Not certified");
    }
    page.append("</p>\n<p>")
        .append(
            "%d checks passed, %d failed, %d skipped, %d not run. %s, started %s."
                .formatted(
                    report.count(Verdict.PASSED),
                    report.count(Verdict.FAILED),
                    report.count(Verdict.SKIPPED),
                    report.count(Verdict.NOT_RUN),
                    seconds(report.duration().toMillis()),
                    report.started().truncatedTo(ChronoUnit.SECONDS)))
        .append("</p>\n");
  }

  private static void missing(StringBuilder page, CertificationReport report) {
    List<CheckResult> missing = report.missing();
    if (missing.isEmpty()) {
      return;
    }
    page.append("<h2>Between this storage and its certificate</h2>\n");
    missing.forEach(result -> check(page, result));
  }

  private static void rules(StringBuilder page, CertificationReport report) {
    page.append("<h2>Rules</h2>\n<p>");
    report
        .rules()
        .forEach(
            (rule, verdict) ->
                page.append("<span class=\"rule ")
                    .append(verdict)
                    .append("\">")
                    .append(escape(rule))
                    .append(mark(verdict))
                    .append("</span>\n"));
    page.append("</p>\n<p class=\"meta\">✓ kept, ✗ broken, – skipped or not run.</p>\n");
  }

  private static String mark(Verdict verdict) {
    return switch (verdict) {
      case PASSED -> " ✓";
      case FAILED -> " ✗";
      case SKIPPED, NOT_RUN -> " –";
    };
  }

  private static void capabilities(StringBuilder page, CertificationReport report) {
    page.append("<h2>Capabilities</h2>\n<table>\n");
    for (StorageCapability capability : StorageCapability.values()) {
      boolean has = report.capabilities().contains(capability);
      row(
          page,
          capability.name(),
          has ? "<span class=\"yes\">promised</span>" : "<span class=\"no\">no</span>");
    }
    page.append("</table>\n");
  }

  private static Map<String, List<CheckResult>> byChapter(List<CheckResult> results) {
    Map<String, List<CheckResult>> chapters = new LinkedHashMap<>();
    for (CheckResult result : results) {
      chapters.computeIfAbsent(result.chapter(), chapter -> new ArrayList<>()).add(result);
    }
    return chapters;
  }

  private static void chapter(StringBuilder page, String chapter, List<CheckResult> results) {
    page.append("<h2>").append(escape(words(chapter))).append("</h2>\n");
    results.forEach(result -> check(page, result));
  }

  private static void check(StringBuilder page, CheckResult result) {
    page.append("<div class=\"check\"><span class=\"verdict ")
        .append(result.verdict())
        .append("\">")
        .append(result.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .append("</span>");
    result
        .rules()
        .forEach(
            rule -> page.append("<span class=\"rule\">").append(escape(rule)).append("</span>"));
    page.append("<div class=\"name\">").append(escape(words(result.name()))).append("</div>");
    switch (result.verdict()) {
      case SKIPPED ->
          page.append("<div class=\"meta\">").append(escape(result.message())).append("</div>");
      case FAILED ->
          page.append("<details open><summary>what was written, what was read</summary><pre>")
              .append(escape(result.message()))
              .append("</pre></details>");
      case PASSED, NOT_RUN -> page.append("");
    }
    if (result.tries() > 0) {
      page.append("<div class=\"meta\">")
          .append(result.tries())
          .append(result.tries() == 1 ? " try, " : " tries, ")
          .append(seconds(result.duration().toMillis()))
          .append(result.seed().isEmpty() ? "" : ", seed " + escape(result.seed()))
          .append("</div>");
    }
    page.append("</div>\n");
  }

  private static void row(StringBuilder page, String name, String value) {
    page.append("<tr><td>").append(name).append("</td><td>").append(value).append("</td></tr>\n");
  }

  /** A method's or a chapter's name as words. */
  private static String words(String name) {
    String spaced = name.replaceAll("Rules$", "").replace("_", ", ");
    return spaced
        .replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
        .toLowerCase(Locale.ROOT)
        .replaceAll("\\b([pw]) log", "$1log");
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
