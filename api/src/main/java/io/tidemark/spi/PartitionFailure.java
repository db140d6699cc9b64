package io.tidemark.spi;

/**
 * Why a partition must not be served until an operator has looked; it outlives a restart.
 *
 * @param key the row at fault
 * @param cause what was found
 */
public record PartitionFailure(String key, String cause) {}
