package io.tidemark.storage.foundationdb;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.StorageUri;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a FoundationDB cluster is used.
 *
 * @param clusterFile the cluster file; null = the client's own default, which the environment
 *     variable {@code FDB_CLUSTER_FILE} changes
 * @param prefix the first part of every key, 1..64 bytes; two prefixes never meet; default {@code
 *     tm}
 * @param timeout the longest one call may take, retries included; default 5 s
 * @param retryLimit how often one call tries again after an error that wrote nothing; default 20
 * @param tags transaction tags for the cluster's throttling, at most 5 of at most 16 bytes
 * @param transactionBytes the most one transaction may write, keys and conflict ranges included;
 *     100,000..9,000,000, default 1,000,000
 */
public record FoundationDbStorageConfig(
    @Nullable Path clusterFile,
    String prefix,
    Duration timeout,
    int retryLimit,
    List<String> tags,
    int transactionBytes) {
  private static final int MAX_PREFIX_BYTES = 64;
  private static final int MAX_TAGS = 5;
  private static final int MAX_TAG_BYTES = 16;
  private static final int MIN_TRANSACTION_BYTES = 100_000;

  /** FoundationDB's own limit is 10 MB; the rest is for what an estimate may miss. */
  private static final int MAX_TRANSACTION_BYTES = 9_000_000;

  /** Refuses what the cluster would refuse later. */
  public FoundationDbStorageConfig {
    requireLength("prefix", prefix, MAX_PREFIX_BYTES);
    requireNonNull(timeout, "timeout");
    if (timeout.compareTo(Duration.ofMillis(1)) < 0
        || timeout.compareTo(Duration.ofMinutes(10)) > 0) {
      throw new IllegalArgumentException("timeout must be 1 ms..10 min, was " + timeout);
    }
    if (retryLimit < 0) {
      throw new IllegalArgumentException("retryLimit must be >= 0, was " + retryLimit);
    }
    tags = List.copyOf(tags);
    if (tags.size() > MAX_TAGS) {
      throw new IllegalArgumentException("tags must be at most 5, was " + tags.size());
    }
    tags.forEach(tag -> requireLength("tag", tag, MAX_TAG_BYTES));
    if (transactionBytes < MIN_TRANSACTION_BYTES || transactionBytes > MAX_TRANSACTION_BYTES) {
      throw new IllegalArgumentException(
          "transactionBytes must be %d..%d, was %d"
              .formatted(MIN_TRANSACTION_BYTES, MAX_TRANSACTION_BYTES, transactionBytes));
    }
  }

  private static void requireLength(String name, String text, int most) {
    int bytes = requireNonNull(text, name).getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > most) {
      throw new IllegalArgumentException(
          "%s must have 1..%d bytes, was '%s'".formatted(name, most, text));
    }
  }

  /** The defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Reads {@code fdb:/path/to/cluster.file?prefix=…&timeout=…}, naming what is wrong with it. */
  static FoundationDbStorageConfig of(StorageUri uri) {
    Builder builder = builder();
    if (!uri.location().isEmpty()) {
      builder.clusterFile(Path.of(uri.location()));
    }
    for (Map.Entry<String, String> option : uri.options().entrySet()) {
      String value = option.getValue();
      switch (option.getKey()) {
        case "app" -> {}
        case "prefix" -> builder.prefix(value);
        case "timeout" -> builder.timeout(Duration.ofMillis(number("timeout", value)));
        case "retryLimit" -> builder.retryLimit(number("retryLimit", value));
        case "tags" -> List.of(value.split(",", -1)).forEach(builder::tag);
        case "transactionBytes" -> builder.transactionBytes(number("transactionBytes", value));
        default ->
            throw new IllegalArgumentException(
                "an fdb URI knows the options app, prefix, timeout (milliseconds), retryLimit, tags"
                    + " and transactionBytes, was '"
                    + option.getKey()
                    + "'");
      }
    }
    return builder.build();
  }

  private static int number(String name, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, was '" + text + "'", e);
    }
  }

  /** Holds the defaults; {@link #build} checks. */
  public static final class Builder {
    private @Nullable Path clusterFile;
    private String prefix = "tm";
    private Duration timeout = Duration.ofSeconds(5);
    private int retryLimit = 20;
    private final List<String> tags = new ArrayList<>();
    private int transactionBytes = 1_000_000;

    private Builder() {}

    /** Sets the cluster file. */
    public Builder clusterFile(@Nullable Path value) {
      clusterFile = value;
      return this;
    }

    /** Sets the first part of every key. */
    public Builder prefix(String value) {
      prefix = value;
      return this;
    }

    /** Sets the longest one call may take. */
    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    /** Sets how often one call tries again. */
    public Builder retryLimit(int value) {
      retryLimit = value;
      return this;
    }

    /** Adds a transaction tag. */
    public Builder tag(String value) {
      tags.add(value);
      return this;
    }

    /** Sets the most one transaction may write. */
    public Builder transactionBytes(int value) {
      transactionBytes = value;
      return this;
    }

    /** The config. */
    public FoundationDbStorageConfig build() {
      return new FoundationDbStorageConfig(
          clusterFile, prefix, timeout, retryLimit, tags, transactionBytes);
    }
  }
}
