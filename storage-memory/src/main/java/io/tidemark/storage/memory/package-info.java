/**
 * The reference storage: everything in memory, with outcomes that can be scripted. Start with
 * {@link io.tidemark.storage.memory.MemoryStore}.
 */
@NullMarked
package io.tidemark.storage.memory;

import org.jspecify.annotations.NullMarked;
