package io.tidemark.storage.cassandra;

/** What a request does, because the same error means different things. */
enum RequestKind {
  /** Changes nothing. */
  READ,
  /**
   * A plain write with a time stamp of its own: no replica takes it before the coordinator does.
   */
  WRITE,
  /** A conditional write: any round of it, a read too, may leave it to be completed by others. */
  CONDITIONAL
}
