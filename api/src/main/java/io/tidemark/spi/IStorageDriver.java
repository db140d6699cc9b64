package io.tidemark.spi;

import org.jspecify.annotations.Nullable;

/** Opens storages from URIs; found with {@link java.util.ServiceLoader}. */
public interface IStorageDriver {

  /** The URI scheme it answers to, such as {@code sqlite}. */
  String scheme();

  /** A URI to show in help texts. */
  String example();

  /**
   * Opens one application. With a layout it is created when new; without one it must be there, so
   * that a mistyped name creates nothing.
   *
   * @param layout the layout wanted, or null to adopt the stored one
   * @throws IllegalArgumentException for a malformed URI or another layout than the stored one
   * @throws UnknownApplicationException without a layout, where the application is not stored
   * @throws io.tidemark.api.StorageUnavailableException if the storage cannot be reached
   */
  IAppStorage open(StorageUri uri, @Nullable Layout layout);

  /** The statements that create the schema; empty where there is none. */
  default String schema(StorageUri uri) {
    return "";
  }
}
