package io.tidemark.storage.foundationdb.simulated;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What goes wrong: scripted faults first, then random ones at the rates set. */
public final class SimulatedFaults {
  /** What becomes of a commit that is answered with an error. */
  public enum Fate {
    /** It is never applied. */
    LOST,
    /** It was applied, if nothing conflicts. */
    APPLIED,
    /** It is still on its way: it is applied later, if nothing conflicts then. */
    LATER
  }

  /**
   * An error in answer to a commit.
   *
   * @param code its code
   * @param fate what becomes of the commit
   */
  public record CommitFault(int code, Fate fate) {
    /** Refuses what FoundationDB rules out: of 1021 that it is still on its way. */
    public CommitFault {
      boolean definite = DEFINITE.contains(code);
      if ((definite && fate != Fate.LOST) || (code == 1021 && fate == Fate.LATER)) {
        throw new IllegalArgumentException("error " + code + " rules out " + fate);
      }
    }
  }

  private static final List<Integer> DEFINITE = List.of(1007, 1009, 1020, 1037, 1042, 1213);
  private static final List<Integer> UNKNOWN = List.of(1021, 1025, 1031, 1039, 1101);
  private static final List<Integer> READS = List.of(1007, 1009, 1037, 1039);

  /** A call of many reads would else fail again and again, whatever the rate of one. */
  private static final int MOST_IN_A_ROW = 8;

  private final Deque<CommitFault> commits = new ArrayDeque<>();
  private final Deque<Integer> reads = new ArrayDeque<>();
  private Random random = new Random(0);
  private double readRate;
  private double commitRate;
  private double lateRate;
  private boolean readsTimeOut;
  private long injected;

  /** Random faults since a commit went through. */
  private int inARow;

  /** Scripts the next commits. */
  public synchronized SimulatedFaults commits(CommitFault... faults) {
    commits.addAll(List.of(faults));
    return this;
  }

  /** Scripts the next commit. */
  public SimulatedFaults commit(int code, Fate fate) {
    return commits(new CommitFault(code, fate));
  }

  /** Scripts the errors of the next reads. */
  public synchronized SimulatedFaults reads(Integer... codes) {
    reads.addAll(List.of(codes));
    return this;
  }

  /** Injects random faults from now on. */
  public synchronized SimulatedFaults random(long seed, double ofReads, double ofCommits) {
    random = new Random(seed);
    readRate = ofReads;
    commitRate = ofCommits;
    lateRate = 0.2;
    return this;
  }

  /** Lets random reads fail with errors that are not worth another try, too. */
  public synchronized SimulatedFaults readsTimeOut() {
    readsTimeOut = true;
    return this;
  }

  /** Ends all faults. */
  public synchronized void stop() {
    commits.clear();
    reads.clear();
    readRate = 0;
    commitRate = 0;
    lateRate = 0;
  }

  /** How many errors were injected so far. */
  public synchronized long injected() {
    return injected;
  }

  synchronized @Nullable Integer nextRead() {
    Integer code = reads.poll();
    if (code == null && strikes(readRate)) {
      boolean timesOut = readsTimeOut && random.nextInt(3) == 0;
      code = timesOut ? 1031 : READS.get(random.nextInt(READS.size()));
    }
    injected += code == null ? 0 : 1;
    return code;
  }

  synchronized @Nullable CommitFault nextCommit() {
    CommitFault fault = commits.poll();
    if (fault == null && strikes(commitRate)) {
      fault = drawn();
    } else if (fault == null) {
      inARow = 0;
    }
    injected += fault == null ? 0 : 1;
    return fault;
  }

  private boolean strikes(double rate) {
    boolean struck = inARow < MOST_IN_A_ROW && random.nextDouble() < rate;
    inARow += struck ? 1 : 0;
    return struck;
  }

  private CommitFault drawn() {
    if (random.nextInt(3) == 0) {
      return new CommitFault(DEFINITE.get(random.nextInt(DEFINITE.size())), Fate.LOST);
    }
    int code = UNKNOWN.get(random.nextInt(UNKNOWN.size()));
    int fates = code == 1021 ? 2 : Fate.values().length;
    return new CommitFault(code, Fate.values()[random.nextInt(fates)]);
  }

  /** Whether a late commit arrives now. */
  synchronized boolean arrives() {
    return lateRate > 0 && random.nextDouble() < lateRate;
  }
}
