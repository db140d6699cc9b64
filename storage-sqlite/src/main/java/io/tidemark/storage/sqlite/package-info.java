/** Embedded, durable storage on SQLite. */
@NullMarked
package io.tidemark.storage.sqlite;

import org.jspecify.annotations.NullMarked;
