package io.tidemark.storage.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.storage.cassandra.ChaosWriter.Verdict;
import io.tidemark.testservers.CassandraServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes paused and killed under load, until enough outcomes were unknown; then the account. */
@Tag("chaos")
class ClusterChaosTest {
  private static final List<TrustLevel> LEVELS = List.of(TrustLevel.LEVEL_0, TrustLevel.LEVEL_2);

  private static final int UNKNOWN_OUTCOMES = 200;

  /** How many of them at each level. */
  private static final int AT_EACH = 50;

  private static final int PARTITIONS = 8;
  private static final int BUCKET_EVENTS = 10;
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration HINTS = Duration.ofSeconds(20);
  private static final long SEED = Long.getLong("tidemark.chaos.seed", 1);
  private static final System.Logger LOG = System.getLogger("chaos");

  private final Cluster cluster = Cluster.shared();

  @Test
  @Tag("I9")
  @Tag("I10")
  @Tag("I11")
  void log_afterNodesWerePausedAndKilled_isWhatWasAcknowledged() throws Exception {
    CountDownLatch stop = new CountDownLatch(1);
    List<ChaosWriter> writers = new ArrayList<>();
    for (TrustLevel level : LEVELS) {
      CassandraAppStorage app = cluster.open(level, PARTITIONS, BUCKET_EVENTS);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        writers.add(new ChaosWriter(app, partition, SEED + writers.size(), stop));
      }
    }
    List<ChaosFollower> followers =
        writers.stream().map(writer -> new ChaosFollower(writer, stop)).toList();
    ExecutorService threads = Executors.newFixedThreadPool(2 * writers.size());
    Map<String, Integer> faults;
    try {
      List<Future<?>> running = new ArrayList<>();
      writers.forEach(writer -> running.add(threads.submit(writer)));
      followers.forEach(follower -> running.add(threads.submit(follower)));
      faults = disturb(writers, running);
      stop.countDown();
      cluster.calm();
      for (Future<?> each : running) {
        each.get(10, TimeUnit.MINUTES);
      }
    } finally {
      stop.countDown();
      cluster.nodes().forEach(CassandraServer::resume);
      threads.shutdownNow();
    }
    followers.forEach(ClusterChaosTest::check);
    Cluster.await(new CountDownLatch(1), HINTS);
    followers.forEach(ClusterChaosTest::check);
    report(followers, faults);
    assertThat(isEnough(writers)).as("enough unknown outcomes within %s", LONGEST).isTrue();
  }

  private static boolean isEnough(List<ChaosWriter> writers) {
    return unknown(writers) >= UNKNOWN_OUTCOMES
        && LEVELS.stream().allMatch(level -> unknown(of(writers, level)) >= AT_EACH);
  }

  private static int unknown(List<ChaosWriter> writers) {
    return writers.stream().mapToInt(ChaosWriter::settles).sum();
  }

  private static List<ChaosWriter> of(List<ChaosWriter> writers, TrustLevel level) {
    return writers.stream().filter(w -> w.app().layout().trustLevel() == level).toList();
  }

  /** Pauses one or two nodes for a while; now and then kills one and starts it again. */
  private Map<String, Integer> disturb(List<ChaosWriter> writers, List<Future<?>> running) {
    Random random = new Random(SEED);
    Map<String, Integer> faults = new TreeMap<>();
    CountDownLatch never = new CountDownLatch(1);
    long end = System.nanoTime() + LONGEST.toNanos();
    for (int round = 1; !isEnough(writers) && System.nanoTime() < end; round++) {
      assertThat(running).as("a writer or follower ended early").noneMatch(Future::isDone);
      List<CassandraServer> nodes = new ArrayList<>(cluster.nodes());
      Collections.shuffle(nodes, random);
      if (round % 8 == 0) {
        nodes.get(0).kill9();
        Cluster.await(never, Duration.ofMillis(500 + random.nextInt(2000)));
        nodes.get(0).startAgain();
        faults.merge("killed one", 1, Integer::sum);
      } else {
        int paused = random.nextInt(4) == 0 ? 1 : 2;
        nodes.subList(0, paused).forEach(CassandraServer::pause);
        Cluster.await(never, Duration.ofMillis(500 + random.nextInt(3500)));
        nodes.subList(0, paused).forEach(CassandraServer::resume);
        faults.merge("paused " + paused, 1, Integer::sum);
      }
      Cluster.await(never, Duration.ofMillis(500 + random.nextInt(2500)));
    }
    return faults;
  }

  private static void check(ChaosFollower follower) {
    ChaosWriter writer = follower.writer();
    IPartitionStorage owner =
        Cluster.eventually("claim", () -> writer.app().claim(writer.partition(), "checker"));
    List<PLogEvent> log = Cluster.eventually("read the log", () -> Fixture.plog(owner));
    Set<UUID> logged = log.stream().map(e -> e.header().writeId()).collect(Collectors.toSet());
    assertThat(logged).as("every event once").hasSize(log.size());
    writer
        .verdicts()
        .forEach(
            (writeId, verdict) ->
                assertThat(logged.contains(writeId))
                    .as("%s in the log of partition %d", verdict, writer.partition())
                    .isEqualTo(
                        verdict == Verdict.ACKNOWLEDGED || verdict == Verdict.UNKNOWN_SETTLED_IN));
    assertThat(writer.verdicts().keySet()).as("every event is one of ours").containsAll(logged);
    writer
        .seen()
        .forEach(
            (offset, writeId) ->
                assertThat(log.get((int) (offset - 1)).header().writeId())
                    .as("what a settled owner saw at %d", offset)
                    .isEqualTo(writeId));
    follower
        .shown()
        .forEach(
            (offset, writeId) ->
                assertThat(log.get((int) (offset - 1)).header().writeId())
                    .as("what a reader was shown at %d", offset)
                    .isEqualTo(writeId));
    long number =
        Cluster.eventually(
            "read numbers", () -> owner.readNumbers(Fixture.WS, new int[] {Fixture.SEQ})[0]);
    assertThat(number)
        .as("the stored number: at least what was acknowledged, at most what was logged")
        .isBetween(writer.highestNumber(), (long) log.size());
  }

  /** Called after both checks: each compares every verdict with the log. */
  private static void report(List<ChaosFollower> followers, Map<String, Integer> faults) {
    for (TrustLevel level : LEVELS) {
      List<ChaosFollower> each =
          followers.stream()
              .filter(follower -> follower.writer().app().layout().trustLevel() == level)
              .toList();
      List<ChaosWriter> of = each.stream().map(ChaosFollower::writer).toList();
      Map<Verdict, Integer> events = new EnumMap<>(Verdict.class);
      Map<String, Integer> errors = new TreeMap<>();
      for (ChaosWriter writer : of) {
        writer.verdicts().values().forEach(verdict -> events.merge(verdict, 1, Integer::sum));
        writer
            .errors()
            .forEach(
                (writeId, error) ->
                    errors.merge(writer.verdicts().get(writeId) + " " + error, 1, Integer::sum));
      }
      int unknown = unknown(of);
      int landed = of.stream().mapToInt(ChaosWriter::landed).sum();
      LOG.log(
          System.Logger.Level.INFO,
          "seed {0}, {1}, faults {2}: {3} groups unknown, {4} landed, {5} never landed, 0 changed"
              + " later; {6} takeovers; events {7}; shown to readers meanwhile {8}; groups by error"
              + " {9}",
          SEED,
          level,
          faults,
          unknown,
          landed,
          unknown - landed,
          of.stream().mapToInt(ChaosWriter::takeovers).sum(),
          events,
          each.stream().mapToInt(follower -> follower.shown().size()).sum(),
          errors);
    }
  }
}
