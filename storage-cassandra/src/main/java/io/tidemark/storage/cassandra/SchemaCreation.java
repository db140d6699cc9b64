package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * Makes keyspace and tables, also when several processes do it at once.
 *
 * <p>Two nodes that are asked for the same table at the same moment give it two ids; one of the two
 * tables is lost later, with its rows. So the ids are ours. All who create agree on them by a
 * conditional write, and a table that is made twice with one id is made once. The table of that
 * write is the only one whose id follows from its name: the others get new ids when a keyspace is
 * dropped and made again, and meet nothing that nodes still keep for the old ones.
 */
final class SchemaCreation {
  private static final String AGREED = "schema_id";

  private final CqlSession session;
  private final CassandraStorageConfig config;

  SchemaCreation(CqlSession session, CassandraStorageConfig config) {
    this.session = session;
    this.config = config;
  }

  void run() {
    if (!config.createSchema()) {
      throw new IllegalArgumentException(
          "keyspace "
              + config.keyspace()
              + " lacks tables and must not be changed; run the statements of 'tidemark schema print'");
    }
    tables().forEach(this::execute);
  }

  /** Makes what the agreement needs; answers the statements that make the tables as agreed. */
  List<String> tables() {
    execute(Schema.keyspace(config));
    String agreed = config.keyspace() + "." + AGREED;
    execute(
        "CREATE TABLE IF NOT EXISTS %s (one int PRIMARY KEY, id uuid) WITH id = %s"
            .formatted(agreed, id(agreed)));
    UUID seed = agree(agreed);
    return Schema.names().stream()
        .map(name -> Schema.table(config, name) + " WITH id = " + id(seed + " " + name))
        .toList();
  }

  private static UUID id(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The value of whoever came first. */
  private UUID agree(String table) {
    UUID own = UUID.randomUUID();
    String insert = "INSERT INTO " + table + " (one, id) VALUES (1, ?) IF NOT EXISTS";
    try {
      Applied answer =
          new Cql(session, config.consistency())
              .writeIf("agree on table ids", SimpleStatement.newInstance(insert, own));
      UUID found = answer.isApplied() ? own : answer.row().getUuid("id");
      if (found != null) {
        return found;
      }
    } catch (OutcomeUnknownException e) {
      throw new StorageUnavailableException("no table was made yet; open again", e);
    }
    throw new StorageUnavailableException(table + " holds no id; open again");
  }

  private void execute(String statement) {
    try {
      ResultSet done =
          session.execute(
              SimpleStatement.newInstance(statement).setTimeout(config.requestTimeout()));
      if (!done.getExecutionInfo().isSchemaInAgreement() && !session.checkSchemaAgreement()) {
        throw new StorageUnavailableException(
            "the nodes do not agree on the schema yet; open again when they are all up");
      }
    } catch (DriverException e) {
      throw CassandraErrorClassifier.classify(RequestKind.READ, "create the schema", e);
    }
  }
}
