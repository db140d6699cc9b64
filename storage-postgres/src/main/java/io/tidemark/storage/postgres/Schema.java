package io.tidemark.storage.postgres;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/**
 * The tables, and how an older schema becomes the newest.
 *
 * <p>Migrations are numbered from 1 and never edited once released; {@code schema_version} holds
 * the number of the last one that ran. An advisory lock lets one process at a time migrate: it
 * guards nothing else.
 */
final class Schema {
  /** Any constant will do: it tells our lock from others'. */
  private static final long LOCK = 0x7469646d61726b01L;

  private static final String VERSION_TABLE =
      """
      CREATE SCHEMA IF NOT EXISTS "${schema}";
      CREATE TABLE IF NOT EXISTS "${schema}".schema_version (
        version integer PRIMARY KEY,
        installed timestamptz NOT NULL DEFAULT now()
      );
      """;

  private static final String VERSION =
      "SELECT version FROM \"${schema}\".schema_version ORDER BY version DESC LIMIT 1";

  /**
   * Rows that are updated again and again leave half of each page free, so that an update stays on
   * its page and touches no index (a HOT update).
   */
  private static final String FIRST =
      """
      CREATE TABLE "${schema}".application (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        partitions integer NOT NULL,
        log_bucket_events integer NOT NULL,
        seq_data_buckets integer NOT NULL,
        trust_level text
      );
      CREATE TABLE "${schema}".partition (
        app integer NOT NULL REFERENCES "${schema}".application,
        partition integer NOT NULL,
        epoch bigint NOT NULL DEFAULT 0,
        claim_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        owner text NOT NULL DEFAULT '',
        generation bigint NOT NULL DEFAULT 1,
        building bigint NOT NULL DEFAULT 0,
        last_generation bigint NOT NULL DEFAULT 1,
        failure_key text,
        failure_cause text,
        failure_changes bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (app, partition)
      ) WITH (fillfactor = 50);
      CREATE TABLE "${schema}".plog (
        app integer NOT NULL,
        partition integer NOT NULL,
        plog_offset bigint NOT NULL,
        event bytea NOT NULL,
        PRIMARY KEY (app, partition, plog_offset)
      );
      CREATE TABLE "${schema}".wlog (
        app integer NOT NULL,
        partition integer NOT NULL,
        wsid bigint NOT NULL,
        wlog_offset bigint NOT NULL,
        plog_offset bigint NOT NULL,
        payload bytea NOT NULL,
        PRIMARY KEY (app, partition, wsid, wlog_offset)
      );
      CREATE TABLE "${schema}".record (
        app integer NOT NULL,
        partition integer NOT NULL,
        wsid bigint NOT NULL,
        record_id bigint NOT NULL,
        plog_offset bigint NOT NULL,
        data bytea NOT NULL,
        PRIMARY KEY (app, partition, wsid, record_id)
      ) WITH (fillfactor = 80);
      CREATE TABLE "${schema}".seq_data (
        app integer NOT NULL,
        partition integer NOT NULL,
        generation bigint NOT NULL,
        wsid bigint NOT NULL,
        seq_id integer NOT NULL,
        number bigint NOT NULL,
        PRIMARY KEY (app, partition, generation, wsid, seq_id)
      ) WITH (fillfactor = 50);
      CREATE TABLE "${schema}".seq_offset (
        app integer NOT NULL,
        partition integer NOT NULL,
        generation bigint NOT NULL,
        next_offset bigint NOT NULL,
        PRIMARY KEY (app, partition, generation)
      ) WITH (fillfactor = 50);
      CREATE TABLE "${schema}".sequence_owner (
        app integer PRIMARY KEY REFERENCES "${schema}".application,
        epoch bigint NOT NULL DEFAULT 0,
        claim_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        owner text NOT NULL DEFAULT ''
      ) WITH (fillfactor = 50);
      CREATE TABLE "${schema}".sequence (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        app integer NOT NULL REFERENCES "${schema}".application,
        definition text NOT NULL
      );
      CREATE TABLE "${schema}".sequence_value (
        id bigint NOT NULL,
        version bigint NOT NULL,
        value bigint NOT NULL,
        issued boolean NOT NULL,
        PRIMARY KEY (id, version)
      );
      """;

  private static final List<String> MIGRATIONS = List.of(FIRST);

  private Schema() {}

  /** The statements that create the newest schema from nothing, for those who may. */
  static String print(String schema) {
    StringBuilder text = new StringBuilder("BEGIN;\n").append(VERSION_TABLE);
    for (int version = 1; version <= MIGRATIONS.size(); version++) {
      text.append(MIGRATIONS.get(version - 1)).append(recordVersion(version)).append(";\n");
    }
    return text.append("COMMIT;\n").toString().replace("${schema}", schema);
  }

  private static String recordVersion(int version) {
    return "INSERT INTO \"${schema}\".schema_version (version) VALUES (" + version + ")";
  }

  /** Brings the schema to the newest version; does nothing, and needs no rights, if it is there. */
  static void migrate(Database database) {
    String schema = database.schema();
    String what = "creating or migrating the schema '" + schema + "'";
    int found = database.read(what, connection -> versionNow(connection, schema));
    if (found < MIGRATIONS.size()) {
      database.transaction(what, handle -> migrate(handle, schema));
    }
  }

  private static void migrate(Handle handle, String schema) {
    handle
        .createQuery("SELECT 1 FROM pg_advisory_xact_lock(:lock)")
        .bind("lock", LOCK)
        .mapTo(Integer.class)
        .one();
    try {
      run(handle, schema, VERSION_TABLE);
      for (int next = versionNow(handle.getConnection(), schema) + 1;
          next <= MIGRATIONS.size();
          next++) {
        run(handle, schema, MIGRATIONS.get(next - 1));
        run(handle, schema, recordVersion(next));
      }
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify("reading the schema's version", e, Phase.READ);
    } catch (JdbiException e) {
      if (PostgresErrorClassifier.NO_PRIVILEGE.equals(PostgresErrorClassifier.state(e))) {
        throw new StorageUnavailableException(
            ("the schema '%s' needs version %d and this user may not create it;"
                    + " let somebody who may run what `tidemark schema print` prints")
                .formatted(schema, MIGRATIONS.size()),
            e);
      }
      throw e;
    }
  }

  private static int versionNow(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(VERSION.replace("${schema}", schema))) {
      int version = row.next() ? row.getInt(1) : 0;
      if (version > MIGRATIONS.size()) {
        throw new StorageCorruptedException(
            "the schema '%s' has version %d, this release knows up to %d; use the release that wrote it"
                .formatted(schema, version, MIGRATIONS.size()));
      }
      return version;
    } catch (SQLException e) {
      if (PostgresErrorClassifier.UNDEFINED_TABLE.equals(PostgresErrorClassifier.state(e))) {
        return 0;
      }
      throw e;
    }
  }

  private static void run(Handle handle, String schema, String statements) {
    handle.createScript(statements.replace("${schema}", schema)).execute();
  }
}
