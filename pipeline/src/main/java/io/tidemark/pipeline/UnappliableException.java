package io.tidemark.pipeline;

import io.tidemark.spi.PartitionFailure;

/** A logged event has a row that the storage refuses to take, now and for ever. */
final class UnappliableException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String key;

  UnappliableException(String key, IllegalArgumentException cause) {
    super(key + " is refused by the storage: " + cause.getMessage(), cause);
    this.key = key;
  }

  /** What is stored of it. */
  PartitionFailure failure() {
    return new PartitionFailure(key, String.valueOf(getMessage()));
  }
}
