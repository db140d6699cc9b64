package io.tidemark.storage.postgres;

/** How far a request had come when it failed; what may be concluded depends on it. */
enum Phase {
  /** No connection was had: nothing was sent. */
  CONNECT,
  /** A statement that only reads. */
  READ,
  /** A statement that writes and commits by itself: its reply may be lost after its commit. */
  WRITE,
  /** A statement inside a transaction that was not committed yet. */
  IN_TRANSACTION,
  /** The commit of a transaction. */
  COMMIT
}
