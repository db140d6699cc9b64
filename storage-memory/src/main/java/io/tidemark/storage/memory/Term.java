package io.tidemark.storage.memory;

import io.tidemark.spi.Epoch;
import org.jspecify.annotations.Nullable;

/**
 * The ownership a request claims to have.
 *
 * @param epoch the handle's epoch
 * @param undecided the epoch the handle tries to move to, if it does not know whether it has
 */
record Term(Epoch epoch, @Nullable Epoch undecided) {}
