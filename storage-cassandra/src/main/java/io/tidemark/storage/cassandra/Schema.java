package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The tables. Those written by conditional writes and those written with time stamps of our own are
 * kept apart: mixed on one row, one of the two is lost without a word.
 */
final class Schema {
  /** Conditional writes only, unless the comment says otherwise. */
  private static final Map<String, String> TABLES = tables();

  private Schema() {}

  private static Map<String, String> tables() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put(
        "applications",
        """
        application text PRIMARY KEY, format int, partitions int, log_bucket_events int,
          seq_data_buckets int, trust_level int""");
    tables.put(
        "partitions",
        """
        application text, partition int, epoch bigint, claim_id uuid, owner text,
          open_bucket bigint, log_end bigint, generation bigint, building bigint,
          last_generation bigint, failed boolean, failure_key text, failure_cause text,
          corrupted set<bigint>, PRIMARY KEY ((application, partition))""");
    tables.put(
        "plog",
        """
        application text, partition int, bucket bigint, offset bigint,
          epoch bigint static, claim_id uuid static, last bigint static,
          write_id uuid, event blob, PRIMARY KEY ((application, partition, bucket), offset)""");
    // USING TIMESTAMP made from the epoch, always.
    tables.put(
        "plog_puts",
        """
        application text, partition int, bucket bigint, offset bigint,
          epoch bigint, event blob, PRIMARY KEY ((application, partition, bucket), offset)""");
    // USING TIMESTAMP number, always.
    tables.put(
        "numbers",
        """
        application text, partition int, generation bigint, bucket int, wsid bigint, seq_id int,
          number bigint,
          PRIMARY KEY ((application, partition, generation, bucket), wsid, seq_id)""");
    // USING TIMESTAMP next_offset, always.
    tables.put(
        "next_offsets",
        """
        application text, partition int, generation bigint, next_offset bigint,
          PRIMARY KEY ((application, partition, generation))""");
    tables.put("wlog", rows("wlog_offset", "plog_offset bigint, payload blob"));
    // USING TIMESTAMP plog_offset, always.
    tables.put("wlog_puts", rows("wlog_offset", "plog_offset bigint, payload blob"));
    tables.put("record_keys", rows("record_id", "plog_offset bigint, digest blob"));
    // USING TIMESTAMP plog_offset, always.
    tables.put("records", rows("record_id", "plog_offset bigint, data blob"));
    // USING TIMESTAMP 1, always: which buckets of WLog and records there are.
    tables.put(
        "row_buckets",
        """
        application text, partition int, hash int, kind int, wsid bigint, bucket bigint,
          PRIMARY KEY ((application, partition, hash), kind, wsid, bucket)""");
    tables.put(
        "sequences",
        """
        application text, id bigint, last_id bigint static, definition text,
          PRIMARY KEY ((application), id)""");
    // USING TIMESTAMP version, always.
    tables.put(
        "sequence_values",
        """
        application text, id bigint, version bigint, value bigint, issued boolean,
          PRIMARY KEY ((application, id))""");
    return tables;
  }

  private static String rows(String key, String columns) {
    return """
        application text, partition int, wsid bigint, bucket bigint, %s bigint,
          %s, PRIMARY KEY ((application, partition, wsid, bucket), %s)"""
        .formatted(key, columns, key);
  }

  static String keyspace(CassandraStorageConfig config) {
    String replication =
        new TreeMap<>(config.replication())
            .entrySet().stream()
                .map(each -> "'" + each.getKey() + "': " + each.getValue())
                .collect(Collectors.joining(", "));
    return "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'NetworkTopologyStrategy', %s}"
        .formatted(config.keyspace(), replication);
  }

  static Set<String> names() {
    return TABLES.keySet();
  }

  static String table(CassandraStorageConfig config, String name) {
    return "CREATE TABLE IF NOT EXISTS %s.%s (%s)"
        .formatted(config.keyspace(), name, TABLES.get(name));
  }

  /** The statements that make keyspace and tables, for one who runs them once. */
  static String script(CassandraStorageConfig config) {
    List<String> statements = new ArrayList<>(List.of(keyspace(config)));
    names().forEach(name -> statements.add(table(config, name)));
    return String.join(";\n", statements) + ";\n";
  }

  /** Whether every table is there. */
  static boolean exists(CqlSession session, CassandraStorageConfig config) {
    Set<String> found = new HashSet<>();
    for (Row row :
        query(
            session,
            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?",
            config.keyspace())) {
      found.add(row.getString("table_name"));
    }
    return found.containsAll(TABLES.keySet());
  }

  static Iterable<Row> query(CqlSession session, String query, Object... values) {
    try {
      return session
          .execute(
              SimpleStatement.newInstance(query, values).setConsistencyLevel(ConsistencyLevel.ONE))
          .all();
    } catch (DriverException e) {
      throw CassandraErrorClassifier.classify(RequestKind.READ, "read the schema", e);
    }
  }
}
