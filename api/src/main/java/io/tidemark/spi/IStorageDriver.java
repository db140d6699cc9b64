package io.tidemark.spi;

import org.jspecify.annotations.Nullable;

/** Opens storages from URIs; found with {@link java.util.ServiceLoader}. */
public interface IStorageDriver {

  /** The URI scheme it answers to, such as {@code sqlite}. */
  String scheme();

  /** A URI to show in help texts. */
  String example();

  /**
   * Opens one application, creating it when new.
   *
   * @param layout the layout wanted, or null to adopt the stored one (a new application then gets
   *     one partition)
   * @throws IllegalArgumentException for a malformed URI or another layout than the stored one
   */
  IAppStorage open(StorageUri uri, @Nullable Layout layout);

  /** The statements that create the schema; empty where there is none. */
  default String schema(StorageUri uri) {
    return "";
  }
}
