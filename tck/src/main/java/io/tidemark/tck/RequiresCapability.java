package io.tidemark.tck;

import io.tidemark.spi.StorageCapability;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A rule for storages that promise more: skipped, with a reason, where they do not. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RequiresCapability {
  /** What the storage must promise for the rule to bind it. */
  StorageCapability value();
}
