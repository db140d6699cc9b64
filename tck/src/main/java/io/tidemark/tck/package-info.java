/** The kit that certifies a storage, rule by rule. */
@NullMarked
package io.tidemark.tck;

import org.jspecify.annotations.NullMarked;
