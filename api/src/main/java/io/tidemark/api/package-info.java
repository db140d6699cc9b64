/**
 * What an application calls: the sequencer, SQL-like sequences, their value types and errors.
 *
 * <p>Identifiers are primitives. A workspace ({@code wsid}) is any 64 bits; a workspace kind and a
 * sequence id are 1..65535; numbers and offsets are 1..{@link java.lang.Long#MAX_VALUE}, 0 means
 * absent. Bracketed numbers such as [E-1] are rules of {@code docs/spec.md}.
 */
@NullMarked
package io.tidemark.api;

import org.jspecify.annotations.NullMarked;
