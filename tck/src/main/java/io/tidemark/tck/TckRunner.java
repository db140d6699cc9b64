package io.tidemark.tck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.StorageUri;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the kit from a program: the command line, or a build that asserts a certificate.
 *
 * <p><b>Threads.</b> One run of one class at a time.
 */
public final class TckRunner {
  private final Class<?> kit;
  private final String storage;
  private Set<String> rules = Set.of();
  private @Nullable Long seed;
  private @Nullable Integer tries;
  private Progress progress = (result, done, total) -> {};
  private int total;

  private TckRunner(Class<?> kit, String storage) {
    this.kit = kit;
    this.storage = storage;
  }

  /** Hears of each check as it ends. */
  @FunctionalInterface
  public interface Progress {
    /** One more check has ended. */
    void ended(CheckResult result, int done, int total);
  }

  /** Runs the class a storage's author has written. */
  public static TckRunner of(Class<? extends StorageTck> kit) {
    return new TckRunner(kit, kit.getSimpleName());
  }

  /** Runs the class of somebody who keeps their own log. */
  public static TckRunner ofSequences(Class<? extends SequencesTck> kit) {
    return new TckRunner(kit, kit.getSimpleName());
  }

  /**
   * Runs the kit over what a driver opens. The kit makes applications of its own there, named tck…,
   * and leaves them. A driver has no {@link RawAccess}, so rules about damage are not checked.
   */
  public static TckRunner of(IStorageDriver driver, StorageUri uri) {
    DriverTck.use(driver, uri);
    return new TckRunner(DriverTck.class, uri.scheme() + " storage");
  }

  /** Only checks of these rules, or with these names; none means all. */
  public TckRunner rules(Set<String> only) {
    rules = Set.copyOf(only);
    return this;
  }

  /** Replays a seed. */
  public TckRunner seed(long value) {
    seed = value;
    return this;
  }

  /** How many examples each property is tried with; a rule that is expensive takes fewer. */
  public TckRunner tries(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("tries must be >= 1, was " + value);
    }
    tries = value;
    return this;
  }

  /** Who hears of each check as it ends. */
  public TckRunner progress(Progress listener) {
    progress = listener;
    return this;
  }

  @Nullable Long seed() {
    return seed;
  }

  @Nullable Integer tries() {
    return tries;
  }

  void progress(CheckResult result, int done) {
    progress.ended(result, done, total);
  }

  /**
   * Runs the kit and reports.
   *
   * @throws IllegalArgumentException if no check has one of the rules asked for
   */
  public CertificationReport run() {
    List<Method> chosen = new ArrayList<>();
    for (Method method : Recorder.checks(kit)) {
      if (isChosen(method)) {
        chosen.add(method);
      }
    }
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "no check of the kit has a rule or name of " + rules + "; docs/spec.md lists the rules");
    }
    total = chosen.size();
    Recorder.end(kit);
    Recorder recorder = Recorder.of(kit);
    recorder.runBy(this);
    try {
      Failures failures = new Failures();
      launcher().execute(request(chosen), failures);
      failures.rethrow();
      return recorder.report(storage);
    } finally {
      Recorder.end(kit);
    }
  }

  private boolean isChosen(Method method) {
    if (rules.isEmpty() || rules.contains(method.getName())) {
      return true;
    }
    Rule rule = method.getAnnotation(Rule.class);
    return rule != null && rules.stream().anyMatch(List.of(rule.value())::contains);
  }

  private static Launcher launcher() {
    return LauncherFactory.create(
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableLauncherDiscoveryListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .build());
  }

  private LauncherDiscoveryRequest request(List<Method> chosen) {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .filters(EngineFilter.includeEngines("jqwik"))
            .configurationParameter("jqwik.database", "")
            .configurationParameter("jqwik.reporting.onlyfailures", "true")
            .configurationParameter("jqwik.reporting.usejunitplatform", "true");
    for (Method method : chosen) {
      request.selectors(selectMethod(kit, method));
    }
    return request.build();
  }

  /** What went wrong outside of any check: without it a broken run would look like an empty one. */
  private static final class Failures implements TestExecutionListener {
    private @Nullable Throwable first;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isContainer() && first == null) {
        first = result.getThrowable().orElse(null);
      }
    }

    void rethrow() {
      if (first != null) {
        throw new IllegalStateException("the kit could not run: " + first.getMessage(), first);
      }
    }
  }
}
