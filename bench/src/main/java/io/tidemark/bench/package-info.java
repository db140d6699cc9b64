/** Benchmarks: JMH and end to end. */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;
