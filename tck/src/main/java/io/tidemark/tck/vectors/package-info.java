/** Test vectors of SQL-like sequences, and the runner that puts a storage through them. */
@NullMarked
package io.tidemark.tck.vectors;

import org.jspecify.annotations.NullMarked;
