/**
 * A simulation of FoundationDB's client interface, for tests on machines without a cluster:
 * optimistic transactions over versioned rows, with the documented limits, errors and conflict
 * rules. Time is virtual and faults are injected, so that a run repeats exactly.
 */
@NullMarked
package io.tidemark.storage.foundationdb.simulated;

import org.jspecify.annotations.NullMarked;
