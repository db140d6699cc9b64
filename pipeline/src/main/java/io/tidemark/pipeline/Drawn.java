package io.tidemark.pipeline;

/**
 * A number that an event drew from a custom sequence of its workspace.
 *
 * @param seqId the sequence
 * @param number the number
 */
public record Drawn(int seqId, long number) {}
