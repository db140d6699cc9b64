package io.tidemark.storage.cassandra;

import static java.util.Objects.requireNonNull;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SQL-like sequences, for a single process.
 *
 * <p>Cassandra has no transactions to join: the session stands for one, and each call is durable
 * when it returns. The time stamp of a value is its version, so the highest version stays.
 */
final class CassandraSequences implements ISequenceStorage<CqlSession> {
  private static final int CREATE_ATTEMPTS = 100;
  private static final int PAGE = 500;
  private static final int REMEMBERED = 100_000;
  private static final String APP = " WHERE application = :application";
  private static final String KEY = APP + " AND id = :id";

  private final Cql cql;
  private final String application;
  private final PreparedStatement lastId;
  private final PreparedStatement firstId;
  private final PreparedStatement nextId;
  private final PreparedStatement insert;
  private final PreparedStatement alter;
  private final PreparedStatement drop;
  private final PreparedStatement read;
  private final PreparedStatement all;
  private final PreparedStatement put;
  private final PreparedStatement value;
  private final PreparedStatement forget;

  /** The highest durable version this process knows of, per sequence; forgetting costs a read. */
  private final Map<Long, Long> durable = new ConcurrentHashMap<>();

  /** How often this thread has written, so that {@link #transact} knows whether its work has. */
  private final ThreadLocal<Long> writes = ThreadLocal.withInitial(() -> 0L);

  CassandraSequences(Cql cql, String keyspace, String application) {
    this.cql = cql;
    this.application = application;
    String table = keyspace + ".sequences";
    String values = keyspace + ".sequence_values";
    lastId = cql.prepare("SELECT last_id FROM " + table + APP + " LIMIT 1");
    String give = "UPDATE " + table + " SET last_id = :id" + APP + " IF last_id = ";
    firstId = cql.prepare(give + "null");
    nextId = cql.prepare(give + ":before");
    insert =
        cql.prepare(
            "INSERT INTO "
                + table
                + " (application, id, definition) VALUES (:application, :id, :definition)"
                + " IF NOT EXISTS");
    alter = cql.prepare("UPDATE " + table + " SET definition = :definition" + KEY + " IF EXISTS");
    drop = cql.prepare("DELETE FROM " + table + KEY + " IF EXISTS");
    read = cql.prepare("SELECT id, definition FROM " + table + KEY);
    all = cql.prepare("SELECT id, definition FROM " + table + APP);
    put =
        cql.prepare(
            "INSERT INTO "
                + values
                + " (application, id, version, value, issued) VALUES"
                + " (:application, :id, :version, :value, :issued) USING TIMESTAMP :stamp");
    value = cql.prepare("SELECT version, value, issued FROM " + values + KEY);
    forget = cql.prepare("DELETE FROM " + values + " USING TIMESTAMP :stamp" + KEY);
  }

  private BoundStatementBuilder bound(PreparedStatement statement) {
    return statement.boundStatementBuilder().setString("application", application);
  }

  @Override
  public Class<CqlSession> transactionType() {
    return CqlSession.class;
  }

  /**
   * Runs {@code work}; each of its calls is durable by itself. So once one has written, a failure
   * of a later one must not be told as "nothing was written".
   */
  @Override
  public void transact(Consumer<CqlSession> work) {
    long before = writes.get();
    try {
      work.accept(cql.session());
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (StorageException | UnknownSequenceException | IllegalStateException e) {
      if (writes.get() == before) {
        throw e;
      }
      throw new OutcomeUnknownException(
          "a part was written before this failed: " + e.getMessage(), e);
    }
  }

  private void wrote() {
    writes.set(writes.get() + 1);
  }

  private static void requireUsable(CqlSession session) {
    if (session.isClosed()) {
      throw new IllegalStateException("the session is closed");
    }
  }

  @Override
  public long create(CqlSession session, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    requireUsable(session);
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      Row row = cql.readOneSerial("read the last id", bound(lastId).build());
      boolean isFirst = row == null || row.isNull("last_id");
      long before = row == null || isFirst ? 0 : row.getLong("last_id");
      BoundStatementBuilder give = bound(isFirst ? firstId : nextId).setLong("id", before + 1);
      BatchStatement batch =
          BatchStatement.newInstance(
              DefaultBatchType.LOGGED,
              (isFirst ? give : give.setLong("before", before)).build(),
              bound(insert)
                  .setLong("id", before + 1)
                  .setString("definition", definition.toString())
                  .build());
      if (cql.writeIf("create " + definition.name(), batch).isApplied()) {
        wrote();
        return before + 1;
      }
    }
    throw new StorageUnavailableException(
        "sequences are created too fast by others; create " + definition.name() + " again");
  }

  @Override
  public void alter(CqlSession session, long id, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    requireUsable(session);
    if (!cql.writeIf(
            "alter sequence " + id,
            bound(alter).setLong("id", id).setString("definition", definition.toString()).build())
        .isApplied()) {
      throw unknown(id);
    }
    wrote();
  }

  @Override
  public void drop(CqlSession session, long id) {
    requireUsable(session);
    if (!cql.writeIf("drop sequence " + id, bound(drop).setLong("id", id).build()).isApplied()) {
      throw unknown(id);
    }
    wrote();
    // Ids are never given again, so the value may be deleted above all versions.
    cql.write(
        "forget sequence " + id,
        bound(forget).setLong("id", id).setLong("stamp", Long.MAX_VALUE).build());
  }

  @Override
  public List<CatalogEntry> catalog() {
    List<CatalogEntry> entries = new ArrayList<>();
    cql.scan(
        "list sequences",
        bound(all).setPageSize(PAGE).build(),
        row -> {
          CatalogEntry entry = entry(row);
          return entry == null || entries.add(entry);
        });
    return entries;
  }

  /** A partition that holds the last id alone answers one row without an entry. */
  private static @Nullable CatalogEntry entry(Row row) {
    String definition = row.getString("definition");
    return definition == null
        ? null
        : new CatalogEntry(row.getLong("id"), SequenceDefinition.parse(definition));
  }

  /**
   * Durable when it returns. An unknown id is not noticed.
   *
   * <p>Of two values with one time stamp Cassandra keeps the larger, so a version that is not above
   * the durable one is not sent at all.
   */
  @Override
  public void put(CqlSession session, long id, VersionedValue version) {
    if (version.version() < 1) {
      throw new IllegalArgumentException("version must be >= 1, was " + version.version());
    }
    requireUsable(session);
    if (version.version() <= durable.computeIfAbsent(id, this::storedVersion)) {
      return;
    }
    cql.write(
        "put a value of sequence " + id,
        bound(put)
            .setLong("id", id)
            .setLong("version", version.version())
            .setLong("value", version.value())
            .setBoolean("issued", version.issued())
            .setLong("stamp", version.version())
            .build());
    wrote();
    if (durable.size() > REMEMBERED) {
      durable.clear();
    }
    durable.merge(id, version.version(), Math::max);
  }

  private long storedVersion(long id) {
    Row found = cql.readOne("read sequence " + id, bound(value).setLong("id", id).build());
    return found == null ? 0 : found.getLong("version");
  }

  @Override
  public VersionedValue getLatest(long id) {
    Row row = cql.readOneSerial("read sequence " + id, bound(read).setLong("id", id).build());
    CatalogEntry entry = row == null ? null : entry(row);
    if (entry == null) {
      throw unknown(id);
    }
    Row found = cql.readOne("read sequence " + id, bound(value).setLong("id", id).build());
    return found == null
        ? new VersionedValue(0, entry.definition().start(), false)
        : new VersionedValue(
            found.getLong("version"), found.getLong("value"), found.getBoolean("issued"));
  }

  private UnknownSequenceException unknown(long id) {
    return new UnknownSequenceException(
        "sequence " + id + " is not one of application '" + application + "'");
  }
}
