package io.tidemark.tck;

import static io.tidemark.tck.Saboteur.who;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.ILogReader.PLogVisitor;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.ReplayBatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Ways to get the partition's log and its replay wrong. */
final class LogSaboteurs {
  private LogSaboteurs() {}

  interface Appender {
    void append(SabotagedApp app, IPartitionStorage real, List<PLogEvent> group, WriteMode mode);
  }

  interface Scan {
    void read(IPartitionStorage real, long from, PLogVisitor visitor);
  }

  interface Replay {
    void run(IPartitionStorage real, long from, Cancellation cancellation, ReplayBatcher batcher);
  }

  static List<Saboteur> all() {
    List<Saboteur> all = new ArrayList<>(reading());
    all.addAll(appending());
    all.addAll(replaying());
    return all;
  }

  private static List<Saboteur> reading() {
    return List.of(
        who("answers a log end that lags by one", "L-2")
            .beside("L-6", "L-7", "L-8", "F-7", "F-9", "L-15", "F-5", "I", "L-12")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public long logEnd() {
                        return Math.max(0, real.logEnd() - 1);
                      }
                    })
            .readers(
                (app, partition, real) ->
                    new DelegatingReader(real) {
                      @Override
                      public long logEnd() {
                        return Math.max(0, real.logEnd() - 1);
                      }
                    }),
        scans(
            who("skips the third event of a scan", "L-3")
                .beside("L-9", "L-13", "F-5", "F-12", "T-3", "L-8"),
            (real, from, visitor) ->
                real.readPLog(from, event -> event.offset() == 3 || visitor.visit(event))),
        scans(
            who("does not stop when the visitor has enough", "L-3"),
            (real, from, visitor) ->
                real.readPLog(from, event -> visitor.visit(event) || event.offset() > 0)),
        scans(
            who("ends a scan after 500 events", "L-3"),
            (real, from, visitor) -> {
              AtomicInteger seen = new AtomicInteger();
              real.readPLog(from, event -> visitor.visit(event) && seen.incrementAndGet() < 500);
            }),
        scans(
            who("jumps over what it cannot read", "L-3", "L-16").beside("L-13"),
            LogSaboteurs::jump),
        who("marks an event corrupted and forgets its numbers", "L-13")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void markCorrupted(long offset) {
                        real.markCorrupted(offset);
                        real.readPLog(
                            offset,
                            event -> {
                              EventHeader old = event.header();
                              EventHeader bare =
                                  new EventHeader(
                                      old.writeId(),
                                      old.groupFirst(),
                                      old.wsid(),
                                      old.wsKind(),
                                      old.wlogOffset(),
                                      true,
                                      List.of());
                              app.force(partition(), new PLogEvent(offset, bare, event.payload()));
                              return false;
                            });
                      }
                    }),
        who("lets a deposed owner mark events", "L-13")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void markCorrupted(long offset) {
                        try {
                          real.markCorrupted(offset);
                        } catch (FencedException e) {
                          app.real.claim(partition(), "thief").markCorrupted(offset);
                        }
                      }
                    }));
  }

  private static void jump(IPartitionStorage real, long from, PLogVisitor visitor) {
    long end = real.logEnd();
    boolean[] goOn = {true};
    for (long offset = from; offset <= end && goOn[0]; offset++) {
      try {
        real.readPLog(
            offset,
            event -> {
              goOn[0] = visitor.visit(event);
              return false;
            });
      } catch (StorageCorruptedException skipped) {
        goOn[0] = true;
      }
    }
  }

  private static List<Saboteur> appending() {
    return List.of(
        appends(
            who("appends behind a hole", "L-6"),
            (app, real, group, mode) -> {
              try {
                real.append(group, mode);
              } catch (StorageCorruptedException e) {
                group.forEach(event -> app.force(real.partition(), event));
              }
            }),
        appends(
            who("refuses groups of more than 20, whatever it declared", "L-7").beside("L-3"),
            (app, real, group, mode) -> {
              if (group.size() > 20) {
                throw new IllegalArgumentException("at most 20 events");
              }
              real.append(group, mode);
            }),
        appends(
            who("cuts payloads at 64 KiB", "L-7"),
            (app, real, group, mode) ->
                real.append(group.stream().map(LogSaboteurs::cut).toList(), mode)),
        appends(
            who("inserts a group row by row and does nothing on conflict", "L-8")
                .beside("T-3", "T-1"),
            (app, real, group, mode) -> {
              SequenceViolationException last = null;
              for (PLogEvent event : group) {
                try {
                  real.append(List.of(event), mode);
                } catch (SequenceViolationException e) {
                  last = e;
                }
              }
              if (last != null) {
                throw last;
              }
            }),
        appends(
            who("does not know its own retried append", "L-9").beside("F-5", "F-12", "I"),
            (app, real, group, mode) -> {
              if (mode == WriteMode.INSERT_IF_NOT_EXISTS
                  && real.logEnd() >= group.get(0).offset()) {
                throw new SequenceViolationException(group.get(0).key(), "something");
              }
              real.append(group, mode);
            }),
        appends(
            who("looks at the epoch before its own write id", "L-9").beside("I"),
            (app, real, group, mode) -> {
              if (!app.real.reader(real.partition()).info().epoch().equals(real.epoch())) {
                throw new FencedException("another owner");
              }
              real.append(group, mode);
            }),
        appends(
            who("overwrites a foreign event when inserting", "T-3")
                .beside("L-8", "T-1", "F-3", "F-5", "F-12", "L-12", "I"),
            (app, real, group, mode) -> {
              try {
                real.append(group, mode);
              } catch (SequenceViolationException e) {
                group.forEach(event -> app.force(real.partition(), event));
              }
            }),
        appends(
            who("names no key in a violation", "T-1").beside("T-3"),
            (app, real, group, mode) -> {
              try {
                real.append(group, mode);
              } catch (SequenceViolationException e) {
                throw new SequenceViolationException("a row", "somebody else's");
              }
            }),
        appends(
            who("inserts where it was told to put", "T-4"),
            (app, real, group, mode) -> real.append(group, WriteMode.INSERT_IF_NOT_EXISTS)),
        appends(
            who("appends for a deposed owner", "F-5", "F-12").beside("F-3", "F-11", "L-9", "I"),
            (app, real, group, mode) -> {
              try {
                real.append(group, mode);
              } catch (FencedException e) {
                group.forEach(event -> app.force(real.partition(), event));
              }
            }),
        appends(
            who("looks whether an offset is free, and then writes", "T-3")
                .beside("L-8", "I", "F-3", "F-5", "F-11", "F-12"),
            (app, real, group, mode) -> {
              if (mode == WriteMode.INSERT_IF_NOT_EXISTS && real.logEnd() < group.get(0).offset()) {
                LockSupport.parkNanos(2_000_000);
                long end = real.logEnd();
                real.append(group, end < group.get(0).offset() ? mode : WriteMode.PUT);
              } else {
                real.append(group, mode);
              }
            }),
        appends(
            who("loses every fifth append it acknowledged", "I9").beside("*"),
            (app, real, group, mode) -> {
              Object count = app.memory.merge("count", 1, (a, b) -> (Integer) a + (Integer) b);
              if ((Integer) count % 5 != 0) {
                real.append(group, mode);
              }
            }));
  }

  private static PLogEvent cut(PLogEvent event) {
    byte[] payload = event.payload();
    return payload.length <= 1 << 16
        ? event
        : new PLogEvent(event.offset(), event.header(), Arrays.copyOf(payload, 1 << 16));
  }

  private static List<Saboteur> replaying() {
    return List.of(
        replays(
            who("leaves the last event out of replay", "R-1", "I8").beside("I", "R-3", "R-4"),
            (real, from, cancellation, batcher) -> {
              long end = real.logEnd();
              real.actualizeSequencesFromPLog(
                  from,
                  cancellation,
                  (values, offset) -> {
                    if (offset < end) {
                      batcher.accept(values, offset);
                    }
                  });
            }),
        replays(
            who("ends a replay it cannot complete as if it were complete", "R-2"),
            (real, from, cancellation, batcher) -> {
              try {
                real.actualizeSequencesFromPLog(from, cancellation, batcher);
              } catch (StorageCorruptedException swallowed) {
                // as if the log ended here
              }
            }),
        replays(
            who("returns from a cancelled replay", "R-3").beside("I"),
            (real, from, cancellation, batcher) -> {
              try {
                real.actualizeSequencesFromPLog(from, cancellation, batcher);
              } catch (CancellationException swallowed) {
                // as if the log ended here
              }
            }),
        replays(
            who("wraps what the batcher throws", "R-4").beside("I", "R-2", "R-3"),
            (real, from, cancellation, batcher) -> {
              try {
                real.actualizeSequencesFromPLog(from, cancellation, batcher);
              } catch (IllegalStateException e) {
                throw new IllegalStateException("replay failed", e);
              }
            }));
  }

  private static Saboteur scans(Saboteur who, Scan scan) {
    return who.handles(
        (app, real) ->
            new DelegatingHandle(real) {
              @Override
              public void readPLog(long from, PLogVisitor visitor) {
                scan.read(real, from, visitor);
              }
            });
  }

  private static Saboteur appends(Saboteur who, Appender appender) {
    return who.handles(
        (app, real) ->
            new DelegatingHandle(real) {
              @Override
              public void append(List<PLogEvent> group, WriteMode mode) {
                appender.append(app, real, group, mode);
              }
            });
  }

  private static Saboteur replays(Saboteur who, Replay replay) {
    return who.handles(
        (app, real) ->
            new DelegatingHandle(real) {
              @Override
              public void actualizeSequencesFromPLog(
                  long from, Cancellation cancellation, ReplayBatcher batcher) {
                replay.run(real, from, cancellation, batcher);
              }
            });
  }
}
