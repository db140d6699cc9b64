package io.tidemark.spi;

import org.jspecify.annotations.Nullable;

/**
 * One partition, owned: a handle bound to an epoch and to the SeqData generation of its claim.
 * [F-8]
 *
 * <p>Handles hold no connection of their own and need not be closed.
 */
public interface IPartitionStorage extends ISeqStorage, ILogStorage {

  /** The partition's number. */
  int partition();

  /** The handle's epoch. */
  Epoch epoch();

  /**
   * Decides every append of this handle whose outcome is unknown: moves the handle to a new epoch,
   * conditional on its own. When it returns, each earlier append is in the log or never will be.
   * [F-9]
   *
   * <p>May be called again until it returns: a settle that finds its own earlier move is success.
   *
   * @throws io.tidemark.api.FencedException if another owner has claimed the partition
   */
  void settle();

  /** Why the partition must not be served, or null. */
  @Nullable PartitionFailure failure();

  /** Stores or clears the failure, conditional on the epoch. [F-10] */
  void storeFailure(@Nullable PartitionFailure failure);

  /** The generation under construction: the one an earlier rebuild left, or a new one. */
  ISeqGeneration rebuild();

  /** The numbers of logged events; by default their headers'. */
  default SequenceExtractor extractor() {
    return SequenceExtractor.HEADER;
  }

  @Override
  default void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    SeqValues values = new SeqValues();
    cancellation.check();
    readPLog(
        from,
        event -> {
          cancellation.check();
          values.clear();
          extractor().extract(event, values);
          batcher.accept(values, event.offset());
          return true;
        });
    cancellation.check();
  }
}
