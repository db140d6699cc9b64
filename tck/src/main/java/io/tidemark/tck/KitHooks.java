package io.tidemark.tck;

import io.tidemark.spi.StorageCapability;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.lifecycle.AfterContainerHook;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.ContainerLifecycleContext;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.jspecify.annotations.Nullable;

/**
 * What the kit does around each of its rules: skip it with a reason, count its tries, name it when
 * it is broken, record it. A class that Maven or an IDE runs by itself writes its report into the
 * folder that the system property {@code tidemark.tck.report} names.
 */
final class KitHooks implements SkipExecutionHook, AroundPropertyHook, AfterContainerHook {
  static final String NEEDS_RAW_ACCESS = "needs raw access";

  private static final System.Logger LOGGER = System.getLogger(StorageTck.class.getName());

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public SkipResult shouldBeSkipped(LifecycleContext context) {
    if (!(context instanceof PropertyLifecycleContext property)
        || !(property.testInstance() instanceof StorageHarness harness)) {
      return SkipResult.doNotSkip();
    }
    String reason = reasonToSkip(property, harness);
    if (reason == null) {
      return SkipResult.doNotSkip();
    }
    Recorder.of(property.containerClass())
        .add(
            Recorder.result(
                property.targetMethod(), Verdict.SKIPPED, 0, Duration.ZERO, "", reason));
    return SkipResult.skip(reason);
  }

  private static @Nullable String reasonToSkip(
      PropertyLifecycleContext property, StorageHarness harness) {
    Optional<StorageCapability> needed =
        property.findAnnotation(RequiresCapability.class).map(RequiresCapability::value);
    if (needed.isPresent() && !harness.certifies().contains(needed.get())) {
      return "the storage does not promise " + needed.get();
    }
    boolean needsRaw = property.findAnnotation(NeedsRawAccess.class).isPresent();
    return needsRaw && harness.raw() == RawAccess.NONE ? NEEDS_RAW_ACCESS : null;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    Method method = context.targetMethod();
    Recorder recorder = Recorder.of(context.containerClass());
    limit(context, recorder);
    long start = System.nanoTime();
    PropertyExecutionResult result = named(context, property.execute());
    boolean passed = result.status() == PropertyExecutionResult.Status.SUCCESSFUL;
    recorder.add(
        Recorder.result(
            method,
            passed ? Verdict.PASSED : Verdict.FAILED,
            result.countTries(),
            Duration.ofNanos(System.nanoTime() - start),
            result.seed().orElse(""),
            result.throwable().map(KitHooks::message).orElse("")));
    return result;
  }

  private static void limit(PropertyLifecycleContext context, Recorder recorder) {
    int most = context.attributes().tries().orElse(Integer.MAX_VALUE);
    int wanted = most;
    if (context.testInstance() instanceof StorageHarness harness) {
      recorder.capabilities(harness.certifies());
      wanted = harness.tries();
    } else if (context.testInstance() instanceof SequencesHarness harness) {
      wanted = harness.tries();
    }
    TckRunner runner = recorder.runner();
    Integer asked = runner == null ? null : runner.tries();
    context.attributes().setTries(Math.min(most, asked == null ? wanted : asked));
    Long seed = runner == null ? null : runner.seed();
    if (seed != null) {
      context.attributes().setSeed("" + seed);
    }
  }

  private static PropertyExecutionResult named(
      PropertyLifecycleContext context, PropertyExecutionResult result) {
    Throwable cause = result.throwable().orElse(null);
    Rule rule = context.findAnnotation(Rule.class).orElse(null);
    if (cause == null || rule == null) {
      return result;
    }
    String message =
        "rule %s is broken: %s%n  found by %s, replay with seed %s"
            .formatted(
                String.join(", ", rule.value()),
                message(cause),
                context.targetMethod().getName(),
                result.seed().orElse("(none)"));
    return result.mapToFailed(new AssertionError(message, cause));
  }

  private static String message(Throwable cause) {
    return cause instanceof AssertionError && cause.getMessage() != null
        ? cause.getMessage().strip()
        : cause.toString();
  }

  @Override
  public void afterContainer(ContainerLifecycleContext context) {
    Class<?> kit = context.optionalContainerClass().orElse(null);
    if (kit == null) {
      return;
    }
    Scenes.end(kit);
    Recorder recorder = Recorder.of(kit);
    if (recorder.runner() == null) {
      Recorder.end(kit);
      publish(recorder.report(kit.getSimpleName()));
    }
  }

  private static void publish(CertificationReport report) {
    LOGGER.log(System.Logger.Level.INFO, report.summary());
    String folder = System.getProperty("tidemark.tck.report");
    if (folder != null) {
      try {
        report.writeTo(Path.of(folder, report.storage()));
      } catch (IOException e) {
        throw new IllegalStateException("cannot write the report into " + folder, e);
      }
    }
  }
}
