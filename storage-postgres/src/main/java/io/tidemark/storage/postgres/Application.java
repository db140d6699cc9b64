package io.tidemark.storage.postgres;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.Layout;
import io.tidemark.spi.UnknownApplicationException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A stored application.
 *
 * @param id its number in this schema, which is in every key
 */
record Application(int id, String name, Layout layout) {
  private static final int LONGEST_NAME = 200;
  private static final String FIND =
      "SELECT id, partitions, log_bucket_events, seq_data_buckets, trust_level"
          + " FROM $.application WHERE name = ?";

  /** Of two processes that create the same application one waits here and then finds it. */
  private static final String CREATE =
      "INSERT INTO $.application (name, partitions, log_bucket_events, seq_data_buckets,"
          + " trust_level) VALUES (:name, :partitions, :logBucket, :seqBuckets, :trust)"
          + " ON CONFLICT (name) DO NOTHING";

  private static final String CREATE_PARTITIONS =
      "INSERT INTO $.partition (app, partition)"
          + " SELECT :app, n FROM generate_series(0, :partitions - 1) n ON CONFLICT DO NOTHING";
  private static final String CREATE_OWNER =
      "INSERT INTO $.sequence_owner (app) VALUES (:app) ON CONFLICT DO NOTHING";

  /** Finds the application, or creates it where a layout is given. */
  static Application open(Database database, String name, @Nullable Layout layout) {
    if (name.isBlank() || name.length() > LONGEST_NAME || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "an application's name has 1 to " + LONGEST_NAME + " characters, was '" + name + "'");
    }
    Optional<Application> stored = find(database, name);
    if (stored.isEmpty()) {
      if (layout == null) {
        throw new UnknownApplicationException(name);
      }
      create(database, name, layout);
      stored = find(database, name);
    }
    Application application =
        stored.orElseThrow(
            () -> new StorageCorruptedException("application '" + name + "' vanished; open again"));
    if (layout != null) {
      application.layout().requireSame(layout);
    }
    return application;
  }

  private static Optional<Application> find(Database database, String name) {
    return database
        .query(
            "reading application '" + name + "'",
            FIND,
            binder -> binder.text(name),
            row -> new Application(row.getInt("id"), name, layout(row)))
        .stream()
        .findFirst();
  }

  private static Layout layout(ResultSet row) throws SQLException {
    String trust = row.getString("trust_level");
    return new Layout(
        row.getInt("partitions"),
        row.getInt("log_bucket_events"),
        row.getInt("seq_data_buckets"),
        trust == null ? null : TrustLevel.valueOf(trust));
  }

  private static void create(Database database, String name, Layout layout) {
    String what = "creating application '" + name + "'";
    database.transaction(
        what,
        handle -> {
          createRow(database, handle, name, layout);
          int id =
              handle
                  .createQuery(database.sql("SELECT id FROM $.application WHERE name = :name"))
                  .bind("name", name)
                  .mapTo(Integer.class)
                  .one();
          handle
              .createUpdate(database.sql(CREATE_PARTITIONS))
              .bind("app", id)
              .bind("partitions", layout.partitions())
              .execute();
          handle.createUpdate(database.sql(CREATE_OWNER)).bind("app", id).execute();
        });
  }

  private static void createRow(Database database, Handle handle, String name, Layout layout) {
    TrustLevel trust = layout.trustLevel();
    handle
        .createUpdate(database.sql(CREATE))
        .bind("name", name)
        .bind("partitions", layout.partitions())
        .bind("logBucket", layout.logBucketEvents())
        .bind("seqBuckets", layout.seqDataBuckets())
        .bind("trust", trust == null ? null : trust.name())
        .execute();
  }
}
