/** Application partitions, the command processor and the event model around the engine. */
@NullMarked
package io.tidemark.pipeline;

import org.jspecify.annotations.NullMarked;
