package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which buckets of workspace logs and records there are: written before a bucket's first row, never
 * removed. Without it a scan would have to read the whole cluster.
 */
final class RowBuckets {
  /** Kinds of rows; stored. */
  static final int WLOG = 1;

  static final int RECORDS = 2;

  private static final int REMEMBERED = 100_000;
  private static final int PAGE = 1000;
  private static final String HASH =
      " WHERE application = :application AND partition = :partition AND hash = :hash"
          + " AND kind = :kind";

  private final Cql cql;
  private final String application;
  private final Buckets buckets;
  private final PreparedStatement insert;
  private final PreparedStatement ofWorkspace;
  private final PreparedStatement all;

  /** Buckets known to be written down; forgetting one costs a write, nothing else. */
  private final Set<Key> known = ConcurrentHashMap.newKeySet();

  /** One bucket. */
  record Key(int partition, int kind, long wsid, long bucket) {}

  RowBuckets(Cql cql, String keyspace, String application, Buckets buckets) {
    this.cql = cql;
    this.application = application;
    this.buckets = buckets;
    String table = keyspace + ".row_buckets";
    insert =
        cql.prepare(
            "INSERT INTO "
                + table
                + " (application, partition, hash, kind, wsid, bucket) VALUES"
                + " (:application, :partition, :hash, :kind, :wsid, :bucket) USING TIMESTAMP 1");
    ofWorkspace =
        cql.prepare(
            "SELECT bucket FROM " + table + HASH + " AND wsid = :wsid AND bucket >= :lowest");
    all = cql.prepare("SELECT wsid, bucket FROM " + table + HASH);
  }

  private BoundStatementBuilder in(PreparedStatement statement, int partition, int hash, int kind) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition)
        .setInt("hash", hash)
        .setInt("kind", kind);
  }

  /** Writes down those buckets that are not known to be. */
  void add(Collection<Key> keys) {
    Set<Key> missing = new LinkedHashSet<>(keys);
    missing.removeIf(known::contains);
    List<Statement<?>> statements = new ArrayList<>();
    for (Key key : missing) {
      statements.add(
          in(insert, key.partition, buckets.ofWorkspace(key.wsid), key.kind)
              .setLong("wsid", key.wsid)
              .setLong("bucket", key.bucket)
              .build());
    }
    cql.writeAll("write down row buckets", statements);
    if (known.size() > REMEMBERED) {
      known.clear();
    }
    known.addAll(missing);
  }

  /** A workspace's buckets in order, from {@code from} on. */
  List<Long> ofWorkspace(int partition, int kind, long wsid, long from) {
    List<Long> found = new ArrayList<>();
    cql.scan(
        "list row buckets",
        in(ofWorkspace, partition, buckets.ofWorkspace(wsid), kind)
            .setLong("wsid", wsid)
            .setLong("lowest", from)
            .setPageSize(PAGE)
            .build(),
        row -> found.add(row.getLong("bucket")));
    return found;
  }

  /** Visits every bucket of a partition; false when the visitor ended it. */
  boolean all(int partition, int kind, BucketVisitor visitor) {
    for (int hash = 0; hash < buckets.hashes(); hash++) {
      if (!cql.scan(
          "list row buckets",
          in(all, partition, hash, kind).setPageSize(PAGE).build(),
          row -> visitor.visit(row.getLong("wsid"), row.getLong("bucket")))) {
        return false;
      }
    }
    return true;
  }

  /** Visits buckets. */
  interface BucketVisitor {
    boolean visit(long wsid, long bucket);
  }
}
