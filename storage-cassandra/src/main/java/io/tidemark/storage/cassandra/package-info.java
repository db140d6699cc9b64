/** Storage on Apache Cassandra. */
@NullMarked
package io.tidemark.storage.cassandra;

import org.jspecify.annotations.NullMarked;
