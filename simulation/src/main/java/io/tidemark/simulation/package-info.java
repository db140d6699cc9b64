/** A whole cluster in virtual time: seeded scheduler, injected faults, checked histories. */
@NullMarked
package io.tidemark.simulation;

import org.jspecify.annotations.NullMarked;
