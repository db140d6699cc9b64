package io.tidemark.storage.sqlite;

import io.tidemark.api.StorageUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * An open file: one connection that writes, under a lock, and as many that read as there are
 * readers at once.
 *
 * <p>All writers of this process queue at one lock per file, because SQLite lets a waiting writer
 * poll, and a poller can starve. Other processes are waited for in BEGIN IMMEDIATE, the only
 * statement that waits: once it has returned, neither the transaction's writes nor its COMMIT need
 * a lock that another process could hold.
 */
final class Database {
  private static final int IDLE_READERS = 8;
  private static final Map<Path, ReentrantLock> WRITE_LOCKS = new ConcurrentHashMap<>();

  /** What to do with a connection. */
  interface Work<T> {
    T run(Session session) throws SQLException;
  }

  private final SqliteStorageConfig config;
  private final ReentrantLock writeLock;
  private final ConcurrentLinkedDeque<Session> idleReaders = new ConcurrentLinkedDeque<>();

  /** Needs the write lock. Null until the first write, and after one that could not roll back. */
  private @Nullable Session writer;

  private volatile boolean closed;

  Database(SqliteStorageConfig config) {
    this.config = config;
    Path file = config.file().toAbsolutePath().normalize();
    writeLock = WRITE_LOCKS.computeIfAbsent(file, unused -> new ReentrantLock(true));
  }

  /** A new connection: every commit is synced, also where a disk needs to be told twice. */
  static Connection connect(SqliteStorageConfig config, boolean create) throws SQLException {
    SQLiteConfig options = new SQLiteConfig();
    if (!create) {
      options.resetOpenMode(SQLiteOpenMode.CREATE);
    }
    options.setBusyTimeout((int) Math.max(1, config.timeout().toMillis() / 2));
    options.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    options.setPragma(SQLiteConfig.Pragma.JOURNAL_SIZE_LIMIT, "67108864");
    return options.createConnection("jdbc:sqlite:" + config.file().toAbsolutePath());
  }

  SqliteStorageConfig config() {
    return config;
  }

  /** Runs {@code work} in one transaction: what it throws rolls everything back. */
  <T> T write(String what, Work<T> work) {
    lock(what);
    try {
      requireOpen();
      return writeLocked(what, work);
    } finally {
      writeLock.unlock();
    }
  }

  private <T> T writeLocked(String what, Work<T> work) {
    boolean done = false;
    try {
      Session session = writer();
      session.update("BEGIN IMMEDIATE");
      T answer = work.run(session);
      commit(what, session);
      done = true;
      return answer;
    } catch (SQLException e) {
      throw SqliteErrorClassifier.notWritten(what, e);
    } finally {
      if (!done) {
        rollback();
      }
    }
  }

  private static void commit(String what, Session session) {
    try {
      session.update("COMMIT");
    } catch (SQLException e) {
      throw SqliteErrorClassifier.atCommit(what, e);
    }
  }

  /** A connection that cannot even roll back is closed, which does it. */
  private void rollback() {
    Session session = writer;
    if (session == null) {
      return;
    }
    try {
      session.rollback();
    } catch (SQLException e) {
      writer = null;
      closeQuietly(session);
    }
  }

  private Session writer() throws SQLException {
    Session session = writer;
    if (session == null) {
      session = new Session(connect(config, false));
      writer = session;
    }
    return session;
  }

  private void lock(String what) {
    try {
      if (writeLock.tryLock(config.timeout().toMillis() / 2, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageUnavailableException(what + " was interrupted, nothing was written", e);
    }
    throw new StorageUnavailableException(
        what + " waited too long for other writers of this process, nothing was written");
  }

  /** Runs {@code work}, whose statements each see all that was committed before they began. */
  <T> T read(String what, Work<T> work) {
    requireOpen();
    Session session = idleReaders.poll();
    boolean done = false;
    try {
      if (session == null) {
        session = new Session(connect(config, false));
      }
      T answer = work.run(session);
      done = true;
      return answer;
    } catch (SQLException e) {
      throw SqliteErrorClassifier.notWritten(what, e);
    } finally {
      if (session != null) {
        release(session, done);
      }
    }
  }

  /** Takes a connection that others may read with. */
  void keep(Session session) {
    release(session, true);
  }

  private void release(Session session, boolean reusable) {
    if (reusable && !closed && idleReaders.size() < IDLE_READERS) {
      idleReaders.push(session);
      if (closed) {
        closeReaders();
      }
    } else {
      closeQuietly(session);
    }
  }

  /** Runs {@code work} in a transaction on a connection of its own, closed afterwards. */
  void transact(String what, Consumer<Connection> work) {
    requireOpen();
    Connection connection = null;
    try {
      connection = connect(config, false);
      connection.setAutoCommit(false);
      work.accept(connection);
      commit(what, connection);
    } catch (SQLException e) {
      throw SqliteErrorClassifier.notWritten(what, e);
    } finally {
      if (connection != null) {
        closeQuietly(new Session(connection));
      }
    }
  }

  private static void commit(String what, Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw SqliteErrorClassifier.atCommit(what, e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "the storage of application '" + config.application() + "' is closed");
    }
  }

  /** Ends the connections; a write that runs is waited for. */
  void close() {
    writeLock.lock();
    try {
      closed = true;
      Session session = writer;
      writer = null;
      if (session != null) {
        closeQuietly(session);
      }
    } finally {
      writeLock.unlock();
    }
    closeReaders();
  }

  private void closeReaders() {
    for (Session session = idleReaders.poll(); session != null; session = idleReaders.poll()) {
      closeQuietly(session);
    }
  }

  private static void closeQuietly(Session session) {
    try {
      session.close();
    } catch (SQLException e) {
      System.getLogger(Database.class.getName())
          .log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
    }
  }
}
