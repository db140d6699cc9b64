package io.tidemark.tck;

import static io.tidemark.tck.Saboteur.who;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Ways to get workspace logs, records and commits wrong. */
final class RowSaboteurs {
  private RowSaboteurs() {}

  interface WLogWriter {
    void write(SabotagedApp app, IPartitionStorage real, List<WLogRow> rows, WriteMode mode);
  }

  interface RecordWriter {
    void write(SabotagedApp app, IPartitionStorage real, List<RecordRow> rows, WriteMode mode);
  }

  interface Committer {
    void commit(IPartitionStorage real, CommitGroup group, TrustLevel level);
  }

  static List<Saboteur> all() {
    List<Saboteur> all = new ArrayList<>(reading());
    all.addAll(wlog());
    all.addAll(records());
    all.addAll(commits());
    return all;
  }

  private static List<Saboteur> reading() {
    return List.of(
        who("reads a workspace's log backwards", "L-4")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void readWLog(long wsid, long from, WLogVisitor visitor) {
                        List<WLogRow> rows = new ArrayList<>();
                        real.readWLog(wsid, from, rows::add);
                        Collections.reverse(rows);
                        for (WLogRow row : rows) {
                          if (!visitor.visit(row)) {
                            return;
                          }
                        }
                      }
                    }),
        who("reads on into the next workspace", "L-4")
            .beside("L-15")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void readWLog(long wsid, long from, WLogVisitor visitor) {
                        app.real
                            .reader(partition())
                            .scanWLog(row -> row.wsid() > wsid + 1000 || visitor.visit(row));
                      }
                    }),
        who("answers a neighbour's record for one that is not there", "L-5")
            .beside("T-8", "L-12")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public @Nullable RecordRow readRecord(long wsid, long recordId) {
                        RecordRow own = real.readRecord(wsid, recordId);
                        RecordRow before = real.readRecord(wsid, recordId - 1);
                        return own != null || before == null ? own : before;
                      }
                    }),
        who("leaves the first row out of its scans", "L-17")
            .beside("I")
            .readers(
                (app, partition, real) ->
                    new DelegatingReader(real) {
                      @Override
                      public void scanNumbers(NumberVisitor visitor) {
                        boolean[] first = {true};
                        real.scanNumbers(
                            (wsid, seqId, number) -> {
                              boolean skip = first[0];
                              first[0] = false;
                              return skip || visitor.visit(wsid, seqId, number);
                            });
                      }
                    }));
  }

  private static List<Saboteur> wlog() {
    return List.of(
        writesWLog(
            who("does nothing when a WLog row is taken", "T-5", "T-1").beside("L-10", "L-12"),
            (app, real, rows, mode) -> {
              try {
                real.appendWLog(rows, mode);
              } catch (SequenceViolationException swallowed) {
                // ON CONFLICT DO NOTHING
              }
            }),
        writesWLog(
            who("takes its own WLog row for somebody else's", "L-10").beside("L-12"),
            (app, real, rows, mode) -> {
              for (WLogRow row : rows) {
                real.readWLog(
                    row.wsid(),
                    row.wlogOffset(),
                    found -> {
                      if (found.wlogOffset() == row.wlogOffset()
                          && mode == WriteMode.INSERT_IF_NOT_EXISTS) {
                        throw new SequenceViolationException(row.key(), "a row");
                      }
                      return false;
                    });
              }
              real.appendWLog(rows, mode);
            }),
        writesWLog(
            who("lets the last WLog row win", "T-6"),
            (app, real, rows, mode) -> {
              if (mode == WriteMode.PUT) {
                rows.forEach(row -> app.force(real.partition(), row));
              } else {
                real.appendWLog(rows, mode);
              }
            }),
        writesWLog(
            who("looks whether a WLog row is free, and then writes", "T-5").beside("T-1", "L-10"),
            (app, real, rows, mode) -> {
              List<WLogRow> found = new ArrayList<>();
              rows.forEach(row -> real.readWLog(row.wsid(), row.wlogOffset(), found::add));
              if (mode == WriteMode.INSERT_IF_NOT_EXISTS && found.isEmpty()) {
                LockSupport.parkNanos(2_000_000);
                rows.forEach(row -> app.force(real.partition(), row));
              } else {
                real.appendWLog(rows, mode);
              }
            }));
  }

  private static List<Saboteur> records() {
    return List.of(
        writesRecords(
            who("takes the last of two versions in one call", "L-11"),
            (app, real, rows, mode) -> {
              Map<String, RecordRow> last = new LinkedHashMap<>();
              rows.forEach(row -> last.put(row.key(), row));
              real.putRecords(List.copyOf(last.values()), mode);
            }),
        writesRecords(
            who("lets the last record version win", "T-7").beside("T-8", "L-12", "L-11"),
            (app, real, rows, mode) -> {
              for (RecordRow row : rows) {
                if (row.isNew() && mode == WriteMode.INSERT_IF_NOT_EXISTS) {
                  real.putRecords(List.of(row), mode);
                } else {
                  app.force(real.partition(), row);
                }
              }
            }),
        writesRecords(
            who("puts new records blindly", "T-7").beside("L-11", "T-8"),
            (app, real, rows, mode) -> {
              if (mode == WriteMode.PUT) {
                rows.forEach(row -> app.force(real.partition(), row));
              } else {
                real.putRecords(rows, mode);
              }
            }),
        writesRecords(
            who("overwrites a foreign record when inserting", "T-8", "T-1").beside("L-12"),
            (app, real, rows, mode) -> real.putRecords(rows, WriteMode.PUT)),
        writesRecords(
            who("inserts new records where it was told to put", "T-8").beside("T-7", "L-12"),
            (app, real, rows, mode) -> real.putRecords(rows, WriteMode.INSERT_IF_NOT_EXISTS)),
        writesRecords(
            who("looks whether a record is free, and then writes", "T-8").beside("T-1", "T-7"),
            (app, real, rows, mode) -> {
              RecordRow first = rows.get(0);
              if (first.isNew()
                  && mode == WriteMode.INSERT_IF_NOT_EXISTS
                  && rows.size() == 1
                  && real.readRecord(first.wsid(), first.recordId()) == null) {
                LockSupport.parkNanos(2_000_000);
                app.force(real.partition(), first);
              } else {
                real.putRecords(rows, mode);
              }
            }));
  }

  private static List<Saboteur> commits() {
    return List.of(
        commits(
            who("commits in three steps", "L-12"),
            (real, group, level) -> {
              real.append(group.events(), level.events());
              real.putRecords(group.records(), level.newRecords());
              real.appendWLog(group.wlog(), level.events());
            }),
        commits(
            who("writes records before it looks at the epoch", "L-12"),
            (real, group, level) -> {
              try {
                real.commit(group, level);
              } catch (FencedException e) {
                real.putRecords(group.records(), level.newRecords());
                throw e;
              }
            }),
        commits(
            who("forgets the WLog rows of a commit", "L-12"),
            (real, group, level) ->
                real.commit(new CommitGroup(group.events(), group.records(), List.of()), level)));
  }

  private static Saboteur writesWLog(Saboteur who, WLogWriter writer) {
    return who.handles(
        (app, real) ->
            new DelegatingHandle(real) {
              @Override
              public void appendWLog(List<WLogRow> rows, WriteMode mode) {
                writer.write(app, real, rows, mode);
              }
            });
  }

  private static Saboteur writesRecords(Saboteur who, RecordWriter writer) {
    return who.handles(
        (app, real) ->
            new DelegatingHandle(real) {
              @Override
              public void putRecords(List<RecordRow> rows, WriteMode mode) {
                writer.write(app, real, rows, mode);
              }
            });
  }

  private static Saboteur commits(Saboteur who, Committer committer) {
    return who.handles(
        (app, real) ->
            new DelegatingHandle(real) {
              @Override
              public void commit(CommitGroup group, TrustLevel level) {
                committer.commit(real, group, level);
              }
            });
  }
}
