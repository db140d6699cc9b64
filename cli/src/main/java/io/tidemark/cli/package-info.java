/** The {@code tidemark} command. */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
