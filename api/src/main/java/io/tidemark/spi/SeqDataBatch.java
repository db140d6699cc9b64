package io.tidemark.spi;

/**
 * What waits in one partition.
 *
 * @param partition the owner's handle, which knows partition and generation
 * @param values the values, keys unique; may be empty
 * @param nextOffset the offset they cover
 */
public record SeqDataBatch(IPartitionStorage partition, SeqValues values, long nextOffset) {}
