package io.tidemark.storage.cassandra;

import io.tidemark.spi.Epoch;
import org.jspecify.annotations.Nullable;

/**
 * What a handle knows of its ownership.
 *
 * @param epoch the epoch it writes under
 * @param undecided the epoch of a settle that has not returned; a repeated settle repeats it
 */
record Term(Epoch epoch, @Nullable Epoch undecided) {}
