/** The engine behind the sequencer: caching, batching, actualization. */
@NullMarked
package io.tidemark.core;

import org.jspecify.annotations.NullMarked;
