package io.tidemark.tck;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.TreeMap;
import java.util.TreeSet;

/** The report for machines. */
final class JsonReport {
  private JsonReport() {}

  static String write(CertificationReport report) {
    JsonObject root = new JsonObject();
    root.addProperty("storage", report.storage());
    root.addProperty("certificate", report.certificate().name());
    root.addProperty("certified", report.certified());
    root.addProperty("started", report.started().toString());
    root.addProperty("seconds", seconds(report.duration().toMillis()));
    JsonArray capabilities = new JsonArray();
    new TreeSet<>(report.capabilities()).forEach(each -> capabilities.add(each.name()));
    root.add("capabilities", capabilities);
    JsonObject versions = new JsonObject();
    new TreeMap<>(report.versions()).forEach(versions::addProperty);
    root.add("versions", versions);
    JsonObject rules = new JsonObject();
    report.rules().forEach((rule, verdict) -> rules.addProperty(rule, verdict.name()));
    root.add("rules", rules);
    JsonArray checks = new JsonArray();
    report.results().forEach(result -> checks.add(check(result)));
    root.add("checks", checks);
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(root) + "\n";
  }

  private static JsonObject check(CheckResult result) {
    JsonObject check = new JsonObject();
    JsonArray rules = new JsonArray();
    result.rules().forEach(rules::add);
    check.add("rules", rules);
    check.addProperty("chapter", result.chapter());
    check.addProperty("name", result.name());
    check.addProperty("verdict", result.verdict().name());
    check.addProperty("tries", result.tries());
    check.addProperty("seconds", seconds(result.duration().toMillis()));
    check.addProperty("seed", result.seed());
    check.addProperty("message", result.message());
    return check;
  }

  private static double seconds(long millis) {
    return millis / 1000.0;
  }
}
