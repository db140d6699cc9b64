package io.tidemark.storage.postgres;

import io.tidemark.spi.Epoch;
import org.jspecify.annotations.Nullable;

/**
 * A handle's epoch.
 *
 * @param undecided where a settle with no answer wanted to go; it may have arrived
 */
record Term(Epoch epoch, @Nullable Epoch undecided) {}
