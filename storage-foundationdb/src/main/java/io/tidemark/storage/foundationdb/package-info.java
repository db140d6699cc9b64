/** Storage on FoundationDB. */
@NullMarked
package io.tidemark.storage.foundationdb;

import org.jspecify.annotations.NullMarked;
