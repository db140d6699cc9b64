package io.tidemark.storage.memory;

import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.SeqValues;

/** Reads a partition for those who do not own it: always the generation in use. */
final class MemoryPartitionReader extends MemoryLogReader implements IPartitionReader {

  MemoryPartitionReader(MemoryAppStorage app, PartitionState state) {
    super(app, state);
  }

  @Override
  public PartitionInfo info() {
    return read(StorageCall.READ_META, state::info);
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return read(StorageCall.READ_SEQ_DATA, () -> inUse().read(wsid, seqIds));
  }

  @Override
  public long readNextPLogOffset() {
    return read(StorageCall.READ_SEQ_DATA, () -> inUse().nextOffset());
  }

  private SeqDataTable inUse() {
    return state.seqData(state.generation());
  }

  @Override
  public void scanNumbers(NumberVisitor visitor) {
    // One table for the whole scan: pages of two generations would not fit together.
    SeqDataTable table = read(StorageCall.READ_SEQ_DATA, this::inUse);
    for (int first = 0; ; first += Table.PAGE) {
      int from = first;
      SeqValues page = read(StorageCall.READ_SEQ_DATA, () -> table.page(from));
      if (page == null) {
        return;
      }
      for (int i = 0; i < page.size(); i++) {
        if (!visitor.visit(page.wsid(i), page.seqId(i), page.number(i))) {
          return;
        }
      }
    }
  }

  @Override
  public void scanWLog(WLogVisitor visitor) {
    scan(state.log().wlog(), RowKey.FIRST, row -> visitor.visit(copy(row)));
  }

  @Override
  public void scanRecords(RecordVisitor visitor) {
    scan(state.log().records(), RowKey.FIRST, row -> visitor.visit(copy(row)));
  }
}
