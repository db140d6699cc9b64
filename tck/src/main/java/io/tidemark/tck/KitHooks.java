package io.tidemark.tck;

import io.tidemark.spi.StorageCapability;
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

/** What the kit does around each of its rules: skip it with a reason, count its tries, name it. */
final class KitHooks implements SkipExecutionHook, AroundPropertyHook, AfterContainerHook {

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
    Optional<StorageCapability> needed =
        property.findAnnotation(RequiresCapability.class).map(RequiresCapability::value);
    if (needed.isPresent() && !harness.certifies().contains(needed.get())) {
      return SkipResult.skip("the storage does not promise " + needed.get());
    }
    boolean needsRaw = property.findAnnotation(NeedsRawAccess.class).isPresent();
    return needsRaw && harness.raw() == RawAccess.NONE
        ? SkipResult.skip("needs raw access")
        : SkipResult.doNotSkip();
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (context.testInstance() instanceof StorageHarness harness) {
      int most = context.attributes().tries().orElse(Integer.MAX_VALUE);
      context.attributes().setTries(Math.min(most, harness.tries()));
    }
    return named(context, property.execute());
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
                cause.getMessage(),
                context.targetMethod().getName(),
                result.seed().orElse("(none)"));
    return result.mapToFailed(new AssertionError(message, cause));
  }

  @Override
  public void afterContainer(ContainerLifecycleContext context) {
    context.optionalContainerClass().ifPresent(Scenes::end);
  }
}
