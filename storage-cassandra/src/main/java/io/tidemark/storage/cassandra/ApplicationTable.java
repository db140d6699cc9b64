package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.Layout;
import io.tidemark.spi.UnknownApplicationException;
import org.jspecify.annotations.Nullable;

/** The applications and their layouts. */
final class ApplicationTable {
  /** Fits 20 MB with events of 1,000 bytes. */
  static final int DEFAULT_LOG_BUCKET_EVENTS = 20_000;

  static final int DEFAULT_SEQ_DATA_BUCKETS = 16;

  private static final int FORMAT = 1;

  private final Cql cql;
  private final PreparedStatement read;
  private final PreparedStatement insert;

  ApplicationTable(Cql cql, String keyspace) {
    this.cql = cql;
    String table = keyspace + ".applications";
    read =
        cql.prepare(
            "SELECT format, partitions, log_bucket_events, seq_data_buckets, trust_level FROM "
                + table
                + " WHERE application = :application");
    insert =
        cql.prepare(
            "INSERT INTO "
                + table
                + " (application, format, partitions, log_bucket_events, seq_data_buckets,"
                + " trust_level) VALUES (:application, :format, :partitions, :log_bucket_events,"
                + " :seq_data_buckets, :trust_level) IF NOT EXISTS");
  }

  /** The application's layout: the stored one, or the one asked for if there is none yet. */
  Layout open(String application, @Nullable Layout asked) {
    Layout stored = read(application);
    if (stored == null) {
      if (asked == null) {
        throw new UnknownApplicationException(application);
      }
      insert(application, resolve(asked, Layout.of(asked.partitions())));
      stored = read(application);
    }
    if (stored == null) {
      throw new StorageUnavailableException("application '" + application + "' was not stored");
    }
    return asked == null ? stored : stored.requireSame(resolve(asked, stored));
  }

  /** What was left to the storage's choice is taken from {@code stored}, else from the defaults. */
  private static Layout resolve(Layout asked, Layout stored) {
    TrustLevel level = asked.trustLevel() == null ? TrustLevel.LEVEL_0 : asked.trustLevel();
    return new Layout(
        asked.partitions(),
        firstSet(asked.logBucketEvents(), stored.logBucketEvents(), DEFAULT_LOG_BUCKET_EVENTS),
        firstSet(asked.seqDataBuckets(), stored.seqDataBuckets(), DEFAULT_SEQ_DATA_BUCKETS),
        level);
  }

  private static int firstSet(int asked, int stored, int otherwise) {
    return asked != 0 ? asked : stored != 0 ? stored : otherwise;
  }

  private @Nullable Layout read(String application) {
    Row row =
        cql.readOneSerial(
            "read the layout",
            read.boundStatementBuilder().setString("application", application).build());
    if (row == null) {
      return null;
    }
    if (row.getInt("format") != FORMAT) {
      throw new StorageCorruptedException(
          "application '%s' is stored in format %d, this release reads %d; use a newer release"
              .formatted(application, row.getInt("format"), FORMAT));
    }
    return new Layout(
        row.getInt("partitions"),
        row.getInt("log_bucket_events"),
        row.getInt("seq_data_buckets"),
        TrustLevel.of(row.getInt("trust_level")));
  }

  /** The stored form of a level. */
  private static int number(TrustLevel level) {
    return switch (level) {
      case LEVEL_0 -> 0;
      case LEVEL_1 -> 1;
      case LEVEL_2 -> 2;
    };
  }

  private void insert(String application, Layout layout) {
    TrustLevel level = layout.trustLevel() == null ? TrustLevel.LEVEL_0 : layout.trustLevel();
    try {
      cql.writeIf(
          "store the layout",
          insert
              .boundStatementBuilder()
              .setString("application", application)
              .setInt("format", FORMAT)
              .setInt("partitions", layout.partitions())
              .setInt("log_bucket_events", layout.logBucketEvents())
              .setInt("seq_data_buckets", layout.seqDataBuckets())
              .setInt("trust_level", number(level))
              .build());
    } catch (OutcomeUnknownException e) {
      // Opening again finds it, or stores it: for the caller nothing was opened.
      throw new StorageUnavailableException("application '" + application + "' may be stored", e);
    }
  }
}
