/**
 * What a storage implements. Start with {@link io.tidemark.spi.ISeqStorage}; a storage that also
 * keeps the logs implements {@link io.tidemark.spi.IAppStorage} and is found through {@link
 * io.tidemark.spi.IStorageDriver}.
 */
@NullMarked
package io.tidemark.spi;

import org.jspecify.annotations.NullMarked;
