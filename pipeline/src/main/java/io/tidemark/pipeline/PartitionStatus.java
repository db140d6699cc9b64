package io.tidemark.pipeline;

import io.tidemark.api.SequencerStatus;

/**
 * A look at a deployed partition.
 *
 * @param partition its number
 * @param sequencer its sequencer; in FAILED its last error names the row at fault
 * @param queued commands that wait
 */
public record PartitionStatus(int partition, SequencerStatus sequencer, int queued) {}
