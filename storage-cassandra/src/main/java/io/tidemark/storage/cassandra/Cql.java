package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends statements, each at its consistency, and sorts what goes wrong. */
final class Cql {
  /** How many statements of one call are under way at once. */
  private static final int WINDOW = 64;

  private final CqlSession session;
  private final ConsistencyLevel plain;
  private final ConsistencyLevel serial;
  private volatile boolean closed;

  Cql(CqlSession session, Consistency consistency) {
    this.session = session;
    this.plain = consistency.plain();
    this.serial = consistency.serial();
  }

  CqlSession session() {
    return session;
  }

  void close() {
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the storage is closed");
    }
  }

  PreparedStatement prepare(String statement) {
    return guarded(RequestKind.READ, "prepare", () -> session.prepare(statement));
  }

  /** Reads one row that plain writes wrote; null if it is not there. */
  @Nullable Row readOne(String what, Statement<?> statement) {
    return guarded(RequestKind.READ, what, () -> execute(statement, plain).one());
  }

  /** Reads one row that conditional writes wrote, completing those under way; null if absent. */
  @Nullable Row readOneSerial(String what, Statement<?> statement) {
    return guarded(RequestKind.READ, what, () -> execute(statement, serial).one());
  }

  /** Reads a page that fits in memory. */
  List<Row> readPage(String what, Statement<?> statement, boolean isSerial) {
    return guarded(
        RequestKind.READ, what, () -> execute(statement, isSerial ? serial : plain).all());
  }

  /** Visits rows page by page; false when the visitor ended it. */
  boolean scan(String what, Statement<?> statement, Predicate<Row> visitor) {
    ResultSet rows = guarded(RequestKind.READ, what, () -> execute(statement, plain));
    Iterator<Row> each = rows.iterator();
    while (guarded(RequestKind.READ, what, each::hasNext)) {
      if (!visitor.test(each.next())) {
        return false;
      }
    }
    return true;
  }

  /** Writes with a time stamp of its own. */
  void write(String what, Statement<?> statement) {
    guarded(RequestKind.WRITE, what, () -> execute(statement, plain));
  }

  /** Writes if the conditions hold; answers what the server said. */
  Applied writeIf(String what, Statement<?> statement) {
    return guarded(
        RequestKind.CONDITIONAL, what, () -> Applied.of(execute(statement, plain).one(), what));
  }

  private ResultSet execute(Statement<?> statement, ConsistencyLevel level) {
    requireOpen();
    return session.execute(prepared(statement, level));
  }

  private Statement<?> prepared(Statement<?> statement, ConsistencyLevel level) {
    return statement
        .setConsistencyLevel(level)
        .setSerialConsistencyLevel(serial)
        .setIdempotent(false);
  }

  /** Writes all, some at a time; returns when every one of them has ended. */
  void writeAll(String what, List<? extends Statement<?>> statements) {
    all(RequestKind.WRITE, what, statements);
  }

  /** Writes each if its conditions hold; what the server said, in the order given. */
  List<Applied> writeAllIf(String what, List<? extends Statement<?>> statements) {
    List<Applied> answers = new ArrayList<>(statements.size());
    for (AsyncResultSet answer : all(RequestKind.CONDITIONAL, what, statements)) {
      answers.add(Applied.of(answer.one(), what));
    }
    return answers;
  }

  /** Reads one row for each; null where there is none. */
  List<@Nullable Row> readEach(String what, List<? extends Statement<?>> statements) {
    List<@Nullable Row> answers = new ArrayList<>(statements.size());
    for (AsyncResultSet answer : all(RequestKind.READ, what, statements)) {
      answers.add(answer.one());
    }
    return answers;
  }

  private List<AsyncResultSet> all(
      RequestKind kind, String what, List<? extends Statement<?>> statements) {
    requireOpen();
    List<AsyncResultSet> answers = new ArrayList<>(statements.size());
    StorageException worst = null;
    for (int from = 0; from < statements.size() && worst == null; from += WINDOW) {
      List<CompletionStage<AsyncResultSet>> underWay = new ArrayList<>(WINDOW);
      int to = Math.min(from + WINDOW, statements.size());
      for (Statement<?> statement : statements.subList(from, to)) {
        underWay.add(session.executeAsync(prepared(statement, plain)));
      }
      // All are awaited, so that nothing of a failed call arrives after it.
      for (CompletionStage<AsyncResultSet> each : underWay) {
        try {
          answers.add(each.toCompletableFuture().join());
        } catch (CompletionException e) {
          StorageException found = CassandraErrorClassifier.classify(kind, what, e);
          worst = worst instanceof OutcomeUnknownException ? worst : found;
        }
      }
    }
    if (worst == null) {
      return answers;
    }
    // Where one of many writes was refused, others may have been written.
    throw kind != RequestKind.READ
            && statements.size() > 1
            && worst instanceof StorageUnavailableException
        ? new OutcomeUnknownException(what + ": some of it was refused", worst)
        : worst;
  }

  /**
   * Does the rest of a call that has written something: refused now, it is no longer true that
   * nothing was written.
   */
  static void afterWriting(String what, Runnable rest) {
    try {
      rest.run();
    } catch (StorageUnavailableException e) {
      throw new OutcomeUnknownException(what + ": a part was written before", e);
    }
  }

  private static <T extends @Nullable Object> T guarded(
      RequestKind kind, String what, Supplier<T> request) {
    try {
      return request.get();
    } catch (DriverException e) {
      throw CassandraErrorClassifier.classify(kind, what, e);
    }
  }
}
