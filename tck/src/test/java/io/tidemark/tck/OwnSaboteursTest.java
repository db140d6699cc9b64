package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import io.tidemark.tck.OwnLogTckTest.OwnStorage;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The kit for numbers beside an own log, tested: each rule finds its saboteur. */
class OwnSaboteursTest {

  @Test
  void kit_overTheHonestStorage_certifiesTheSequences() {
    CertificationReport report = SabotagedOwnTck.run(OwnStorage::new);
    assertThat(report.certified()).as(report.summary()).isTrue();
    assertThat(report.summary()).contains("CERTIFIED SEQUENCES");
  }

  @Test
  void kit_overEachSaboteur_findsItsRuleBroken() {
    Set<String> caught = new HashSet<>();
    saboteurs()
        .forEach(
            (rule, sabotaged) -> {
              CertificationReport report = SabotagedOwnTck.run(sabotaged);
              assertThat(report.certified()).as("a storage that breaks %s", rule).isFalse();
              assertThat(report.broken()).as("broken by the saboteur of %s", rule).contains(rule);
              report.results().stream()
                  .filter(result -> result.verdict() == Verdict.FAILED)
                  .forEach(result -> caught.add(result.name()));
            });
    assertThat(Recorder.checks(SequencesTck.class))
        .extracting(Method::getName)
        .as("checks that find somebody")
        .allMatch(caught::contains);
  }

  private static Map<String, Supplier<OwnStorage>> saboteurs() {
    Map<String, Supplier<OwnStorage>> all = new LinkedHashMap<>();
    all.put("S-1", ReadsThenWrites::new);
    all.put("S-4", SortedAnswers::new);
    all.put("S-5", Forgets::new);
    all.put("S-6", StartsAtZero::new);
    all.put("S-7", LosesTheLast::new);
    all.put("S-8", LastWriteWins::new);
    all.put("S-9", SkipsEmpty::new);
    all.put("R-1", SkipsTheLast::new);
    all.put("R-3", EndsQuietly::new);
    all.put("R-4", Wraps::new);
    all.put("I3", Forgets::new);
    return all;
  }

  private static final class ReadsThenWrites extends OwnStorage {
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // that is its sabotage
    public void writeValuesAndOffset(SeqValues batch, long offset) {
      for (int i = 0; i < batch.size(); i++) {
        long stored = readNumbers(batch.wsid(i), new int[] {batch.seqId(i)})[0];
        LockSupport.parkNanos(200_000);
        force(batch.wsid(i), batch.seqId(i), Math.max(stored, batch.number(i)));
      }
      super.writeValuesAndOffset(new SeqValues(), offset);
    }
  }

  private static final class SortedAnswers extends OwnStorage {
    @Override
    public synchronized long[] readNumbers(long wsid, int[] seqIds) {
      return super.readNumbers(wsid, Arrays.stream(seqIds).sorted().toArray());
    }
  }

  /** Opened again it has its offset, and no numbers. */
  private static final class Forgets extends OwnStorage {
    @Override
    OwnStorage reopened() {
      forget();
      return this;
    }
  }

  private static final class StartsAtZero extends OwnStorage {
    @Override
    public synchronized long readNextPLogOffset() {
      long stored = super.readNextPLogOffset();
      return stored == 1 ? 0 : stored;
    }
  }

  private static final class LosesTheLast extends OwnStorage {
    @Override
    public synchronized void writeValuesAndOffset(SeqValues batch, long offset) {
      SeqValues cut = new SeqValues();
      for (int i = 0; i < batch.size() - 1; i++) {
        cut.add(batch.wsid(i), batch.seqId(i), batch.number(i));
      }
      super.writeValuesAndOffset(batch.size() > 1 ? cut : batch, offset);
    }
  }

  private static final class LastWriteWins extends OwnStorage {
    @Override
    public synchronized void writeValuesAndOffset(SeqValues batch, long offset) {
      super.writeValuesAndOffset(batch, offset);
      for (int i = 0; i < batch.size(); i++) {
        force(batch.wsid(i), batch.seqId(i), batch.number(i));
      }
    }
  }

  private static final class SkipsEmpty extends OwnStorage {
    @Override
    public synchronized void writeValuesAndOffset(SeqValues batch, long offset) {
      if (!batch.isEmpty()) {
        super.writeValuesAndOffset(batch, offset);
      }
    }
  }

  private static final class SkipsTheLast extends OwnStorage {
    @Override
    public void actualizeSequencesFromPLog(
        long from, Cancellation cancellation, ReplayBatcher batcher) {
      long end = logEnd();
      super.actualizeSequencesFromPLog(
          from,
          cancellation,
          (values, offset) -> {
            if (offset < end) {
              batcher.accept(values, offset);
            }
          });
    }
  }

  private static final class EndsQuietly extends OwnStorage {
    @Override
    public void actualizeSequencesFromPLog(
        long from, Cancellation cancellation, ReplayBatcher batcher) {
      try {
        super.actualizeSequencesFromPLog(from, cancellation, batcher);
      } catch (CancellationException swallowed) {
        // as if the log ended here
      }
    }
  }

  private static final class Wraps extends OwnStorage {
    @Override
    public void actualizeSequencesFromPLog(
        long from, Cancellation cancellation, ReplayBatcher batcher) {
      try {
        super.actualizeSequencesFromPLog(from, cancellation, batcher);
      } catch (IllegalStateException e) {
        throw new IllegalStateException("replay failed", e);
      }
    }
  }
}
