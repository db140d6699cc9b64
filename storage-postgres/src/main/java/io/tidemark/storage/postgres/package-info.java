/** Storage on PostgreSQL. */
@NullMarked
package io.tidemark.storage.postgres;

import org.jspecify.annotations.NullMarked;
