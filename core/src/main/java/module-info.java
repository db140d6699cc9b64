/** The engine: numbers from memory, flushed in batches, recovered from the tail of the log. */
module io.tidemark.core {
  requires transitive io.tidemark.api;
  requires static com.google.errorprone.annotations;

  exports io.tidemark.core;
}
