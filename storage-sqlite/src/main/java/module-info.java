/** Embedded, durable storage on SQLite. */
module io.tidemark.storage.sqlite {
  requires transitive io.tidemark.api;
  requires transitive java.sql;
  requires org.xerial.sqlitejdbc;

  exports io.tidemark.storage.sqlite;

  provides io.tidemark.spi.IStorageDriver with
      io.tidemark.storage.sqlite.SqliteStorageDriver;
}
