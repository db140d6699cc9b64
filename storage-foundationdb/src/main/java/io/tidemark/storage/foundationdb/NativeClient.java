package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.FDBException;
import io.tidemark.api.StorageUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The one class that touches {@code FDB}, which loads the native client library. */
final class NativeClient {
  /** The oldest whose calls are all used; a newer library knows it too. */
  static final int API_VERSION = 730;

  private NativeClient() {}

  static Database open(@Nullable Path clusterFile) {
    try {
      FDB client = FDB.isAPIVersionSelected() ? FDB.instance() : FDB.selectAPIVersion(API_VERSION);
      if (clusterFile != null && !Files.isReadable(clusterFile)) {
        throw new IllegalArgumentException(
            "the cluster file must be readable, was '"
                + clusterFile
                + "'; copy it from a machine of the cluster, usually"
                + " /etc/foundationdb/fdb.cluster");
      }
      return clusterFile == null ? client.open() : client.open(clusterFile.toString());
    } catch (LinkageError e) {
      throw new StorageUnavailableException(missing(reason(e)), e);
    } catch (FDBException e) {
      throw new StorageUnavailableException(
          "FoundationDB's client refused to open '%s': error %d, %s"
              .formatted(clusterFile, e.getCode(), e.getMessage()),
          e);
    }
  }

  static String missing(String reason) {
    return "FoundationDB's native client library libfdb_c, version 7.3 or newer and not newer than"
        + " the cluster, could not be loaded: "
        + reason
        + ". Install the package foundationdb-clients of the cluster's version from FoundationDB's"
        + " releases, or name the file with -DFDB_LIBRARY_PATH_FDB_C=/path/to/libfdb_c.so";
  }

  /**
   * The first failure says why; every later one only that the class could not be initialized, and
   * keeps the reason as its cause.
   */
  private static String reason(Throwable error) {
    Throwable found = error;
    while (found.getCause() != null && found.getCause() != found) {
      found = found.getCause();
    }
    return String.valueOf(found.getMessage())
        .replaceFirst("^Exception [\\w.]+: ", "")
        .replaceFirst(" \\[in thread .*]$", "");
  }
}
