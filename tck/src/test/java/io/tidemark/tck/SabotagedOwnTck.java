package io.tidemark.tck;

import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;
import io.tidemark.tck.OwnLogTckTest.OwnStorage;
import java.util.function.Supplier;

/** The kit for numbers beside an own log, over a storage with a saboteur in it; no test itself. */
final class SabotagedOwnTck extends SequencesTck {
  private static volatile Supplier<OwnStorage> maker = OwnStorage::new;

  private OwnStorage storage = maker.get();

  static CertificationReport run(Supplier<OwnStorage> sabotaged) {
    maker = sabotaged;
    return TckRunner.ofSequences(SabotagedOwnTck.class).tries(6).seed(1).run();
  }

  @Override
  public ISeqStorage openFresh() {
    storage = maker.get();
    return storage;
  }

  @Override
  public ISeqStorage reopen() {
    storage = storage.reopened();
    return storage;
  }

  @Override
  public void appendToLog(long offset, SeqValues numbers) {
    storage.append(numbers);
  }
}
