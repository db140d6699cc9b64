package io.tidemark.tck;

import io.tidemark.spi.StorageCapability;
import io.tidemark.tck.CertificationReport.Certificate;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Collects what the checks of one class of the kit found. */
final class Recorder {
  private static final Map<Class<?>, Recorder> RUNS = new ConcurrentHashMap<>();

  private final Class<?> kit;
  private final Instant started = Instant.now();
  private final Map<String, CheckResult> results = new HashMap<>();
  private volatile @Nullable TckRunner runner;
  private volatile Set<StorageCapability> capabilities = Set.of();

  private Recorder(Class<?> kit) {
    this.kit = kit;
  }

  static Recorder of(Class<?> kit) {
    return RUNS.computeIfAbsent(kit, Recorder::new);
  }

  static @Nullable Recorder end(Class<?> kit) {
    return RUNS.remove(kit);
  }

  /** The runner this run belongs to; null where Maven or an IDE runs the class by itself. */
  @Nullable TckRunner runner() {
    return runner;
  }

  void runBy(TckRunner by) {
    runner = by;
  }

  void capabilities(Set<StorageCapability> certified) {
    capabilities = certified;
  }

  synchronized void add(CheckResult result) {
    results.put(result.name(), result);
    TckRunner by = runner;
    if (by != null) {
      by.progress(result, results.size());
    }
  }

  static CheckResult result(
      Method method, Verdict verdict, int tries, Duration duration, String seed, String message) {
    Rule rule = method.getAnnotation(Rule.class);
    return new CheckResult(
        method.getDeclaringClass().getSimpleName(),
        method.getName(),
        rule == null ? List.of() : List.of(rule.value()),
        verdict,
        tries,
        duration,
        seed,
        message);
  }

  /** Every check of a class of the kit, in the order of chapters. */
  static List<Method> checks(Class<?> kit) {
    List<String> chapters = new ArrayList<>();
    for (Class<?> at = kit; at != null; at = at.getSuperclass()) {
      for (Class<?> chapter : at.getInterfaces()) {
        chapters.add(chapter.getName());
      }
    }
    return Arrays.stream(kit.getMethods())
        .filter(method -> method.isAnnotationPresent(Rule.class) && !method.isBridge())
        .sorted(
            Comparator.<Method>comparingInt(
                    method -> chapters.indexOf(method.getDeclaringClass().getName()))
                .thenComparing(method -> firstRule(method), RuleOrder.INSTANCE)
                .thenComparing(Method::getName))
        .toList();
  }

  private static String firstRule(Method method) {
    Rule rule = method.getAnnotation(Rule.class);
    return rule == null || rule.value().length == 0 ? "" : rule.value()[0];
  }

  synchronized CertificationReport report(String storage) {
    List<CheckResult> all = new ArrayList<>();
    for (Method method : checks(kit)) {
      CheckResult found = results.get(method.getName());
      all.add(
          found != null
              ? found
              : result(method, Verdict.NOT_RUN, 0, Duration.ZERO, "", "was not asked for"));
    }
    Certificate certificate =
        StorageHarness.class.isAssignableFrom(kit) ? Certificate.FULL : Certificate.SEQUENCES;
    return new CertificationReport(
        storage,
        certificate,
        started,
        Duration.between(started, Instant.now()),
        capabilities,
        versions(),
        all);
  }

  private static Map<String, String> versions() {
    String own = Recorder.class.getPackage().getImplementationVersion();
    return Map.of(
        "Tidemark TCK",
        own == null ? "0.1.0-SNAPSHOT" : own,
        "Java",
        System.getProperty("java.runtime.version", "unknown"),
        "Operating system",
        System.getProperty("os.name", "") + " " + System.getProperty("os.version", ""),
        "Processors",
        "" + Runtime.getRuntime().availableProcessors());
  }
}
