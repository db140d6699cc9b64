/**
 * Embedded, durable storage on SQLite: one file, any number of applications and processes. Start
 * with {@link io.tidemark.storage.sqlite.SqliteStorageDriver}.
 */
@NullMarked
package io.tidemark.storage.sqlite;

import org.jspecify.annotations.NullMarked;
