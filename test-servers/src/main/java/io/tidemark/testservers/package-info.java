/** Real database servers for our own tests. */
@NullMarked
package io.tidemark.testservers;

import org.jspecify.annotations.NullMarked;
