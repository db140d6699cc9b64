package io.tidemark.spi;

/** What a storage can promise beyond the mandatory rules. Declared in production code. */
public enum StorageCapability {
  /** An acknowledged write survives a crash of every process. */
  DURABLE,
  /** {@link ILogStorage#commit} writes all or nothing. */
  ATOMIC_COMMIT,
  /** An older handle's append is refused at every trust level, not just outrun. */
  FENCING_AT_LEVEL_2,
  /** Several processes may open the same storage. */
  MULTI_PROCESS,
  /** SQL-like sequences become durable with the caller's own transaction. */
  TRANSACTIONAL_SEQUENCES,
  /** A second claim of the SQL-like sequences fences the first. */
  FENCED_SEQUENCES
}
