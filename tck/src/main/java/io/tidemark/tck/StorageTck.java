package io.tidemark.tck;

import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * Certifies a storage in full. Its author extends this class in a test whose name ends in {@code
 * TckTest}, and supplies three methods:
 *
 * <pre>{@code
 * final class MyStorageTckTest extends StorageTck {
 *   public IAppStorage open(String application, @Nullable Layout layout) { … }
 *   public Set<StorageCapability> certifies() { return Set.of(DURABLE, …); }
 *   public RawAccess raw() { … }
 * }
 * }</pre>
 */
@AddLifecycleHook(KitHooks.class)
public abstract class StorageTck
    implements StorageHarness,
        CapabilityRules,
        SeqDataRules,
        GenerationRules,
        LogRules,
        RowRules,
        TrustRules,
        FencingRules,
        ReplayRules,
        ApplicationRules,
        SequenceRowRules,
        ConcurrencyRules,
        EngineRules,
        PipelineRules {

  /** For the storage's author. */
  protected StorageTck() {}
}
