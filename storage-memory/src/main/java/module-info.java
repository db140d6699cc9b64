/** The reference storage: everything in memory. */
module io.tidemark.storage.memory {
  requires transitive io.tidemark.api;

  exports io.tidemark.storage.memory;

  provides io.tidemark.spi.IStorageDriver with
      io.tidemark.storage.memory.MemoryStorageDriver;
}
