/**
 * The contracts of Tidemark: what an application calls ({@link io.tidemark.api}) and what a storage
 * implements ({@link io.tidemark.spi}).
 */
module io.tidemark.api {
  requires static transitive org.jspecify;

  exports io.tidemark.api;
  exports io.tidemark.spi;

  uses io.tidemark.spi.IStorageDriver;
}
