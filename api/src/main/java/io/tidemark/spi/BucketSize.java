package io.tidemark.spi;

/**
 * How full one bucket of a bucketed storage is.
 *
 * @param name the bucket, as an operator would name it
 * @param rows how many rows it holds
 * @param bytes about how many bytes they take on disk
 * @param limitBytes what it must not pass
 */
public record BucketSize(String name, long rows, long bytes, long limitBytes) {}
