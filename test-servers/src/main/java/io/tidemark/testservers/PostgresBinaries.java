package io.tidemark.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once per machine and user. */
final class PostgresBinaries {
  private static final String RESOURCE = "/postgres-%d/postgres-linux-x86_64.txz";

  private PostgresBinaries() {}

  /** The folder that holds {@code bin}, {@code lib} and {@code share} of this major version. */
  static Path unpacked(int version) {
    return ServerProcess.unchecked(
        () -> {
          try (InputStream packed = open(version)) {
            String name = "tidemark-postgres-%d-%s-%d";
            Path ready =
                temporary()
                    .resolve(
                        name.formatted(
                            version, System.getProperty("user.name"), packed.available()));
            return Files.isDirectory(ready) ? ready : unpack(packed, ready);
          }
        });
  }

  private static InputStream open(int version) {
    InputStream packed = PostgresBinaries.class.getResourceAsStream(RESOURCE.formatted(version));
    if (packed == null) {
      throw new IllegalStateException(
          "no binaries of PostgreSQL " + version + " on the class path; there are 15 and 18");
    }
    return packed;
  }

  private static Path unpack(InputStream packed, Path ready)
      throws IOException, InterruptedException {
    Path fresh = Files.createTempDirectory(temporary(), "tidemark-postgres-unpacking");
    // Another user may run the server: see PostgresServer.
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
    Process tar =
        new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", fresh.toString())
            .redirectErrorStream(true)
            .start();
    try (OutputStream in = tar.getOutputStream();
        XZInputStream unpacked = new XZInputStream(packed)) {
      unpacked.transferTo(in);
    }
    if (tar.waitFor() != 0) {
      throw new IOException(
          "tar failed: " + new String(tar.getInputStream().readAllBytes(), UTF_8));
    }
    try {
      Files.move(fresh, ready, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      Folders.delete(fresh); // another process was first
    }
    return ready;
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}
