package io.tidemark.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a partition's meta row says.
 *
 * @param epoch the current term of ownership
 * @param owner the diagnostic text of the last claim; empty if never claimed
 * @param generation the SeqData generation in use
 * @param failure why the partition must not be served, or null
 */
public record PartitionInfo(
    Epoch epoch, String owner, long generation, @Nullable PartitionFailure failure) {}
