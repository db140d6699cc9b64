package io.tidemark.storage.postgres;

import io.tidemark.spi.PartitionInfo;

/**
 * A partition's meta row.
 *
 * @param building the generation under construction; 0 = none
 * @param failureChanges how often the failure was stored or cleared
 */
record MetaRow(PartitionInfo info, long building, long failureChanges) {}
