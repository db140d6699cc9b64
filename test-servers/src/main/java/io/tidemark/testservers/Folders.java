package io.tidemark.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary folders. */
final class Folders {
  private Folders() {}

  /** Deletes a folder and all that is in it; what vanishes meanwhile is fine. */
  static void delete(Path folder) {
    ServerProcess.unchecked(
        () -> {
          for (Path file : contents(folder)) {
            Files.deleteIfExists(file);
          }
          return null;
        });
  }

  private static List<Path> contents(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
