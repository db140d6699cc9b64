package io.tidemark.spi;

import java.util.List;
import java.util.Set;

/**
 * One application's key space. The application's id is in every key: two applications with
 * identical ids in one storage never see each other. [L-15]
 *
 * <p><b>Threads.</b> Safe for use by many threads at once.
 */
public interface IAppStorage extends AutoCloseable {

  /** The application's id. */
  String application();

  /** The stored layout. */
  Layout layout();

  /** What this storage promises beyond the mandatory rules. */
  Set<StorageCapability> capabilities();

  /**
   * Takes a partition over: answers a handle bound to a new epoch. [F-11]
   *
   * <p>When it returns, every PLog append through an older handle is visible or never will be;
   * later ones are {@link io.tidemark.api.FencedException}. Older handles' SeqData, WLog and record
   * writes may still appear; each repeats a committed event and changes nothing. [F-12]
   *
   * @param owner a diagnostic text, such as host and process
   */
  IPartitionStorage claim(int partition, String owner);

  /** Reads a partition without claiming it. */
  IPartitionReader reader(int partition);

  /**
   * Writes what waits in many partitions; each batch under the rules of {@link
   * ISeqStorage#writeValuesAndOffset}. A failure may leave any of them written. [S-10]
   */
  default void writeSeqData(List<SeqDataBatch> batches) {
    for (SeqDataBatch batch : batches) {
      batch.partition().writeValuesAndOffset(batch.values(), batch.nextOffset());
    }
  }

  /** Claims the application's SQL-like sequences. */
  ISequenceStorage<?> sequences(String owner);

  @Override
  void close();
}
