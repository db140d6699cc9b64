package io.tidemark.storage.sqlite;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.tck.RawAccess;
import io.tidemark.tck.StorageTck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

// begin
/** Certifies the storage in full, on a real file. */
final class SqliteStorageTckTest extends StorageTck {
  private static final Path FILE = newFile();

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    return SqliteStorageDriver.open(
        SqliteStorageConfig.of(FILE, application).withTimeout(Fixture.PATIENCE), layout);
  }

  @Override
  public Set<StorageCapability> certifies() {
    return Set.of(
        StorageCapability.DURABLE,
        StorageCapability.ATOMIC_COMMIT,
        StorageCapability.FENCING_AT_LEVEL_2,
        StorageCapability.MULTI_PROCESS,
        StorageCapability.TRANSACTIONAL_SEQUENCES,
        StorageCapability.FENCED_SEQUENCES);
  }

  @Override
  public RawAccess raw() {
    return new SqliteRawAccess(FILE);
  }

  private static Path newFile() {
    try {
      Files.createDirectories(Path.of("target"));
      Path folder = Files.createTempDirectory(Path.of("target"), "tck");
      return folder.resolve("tck.db");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
// end
