package io.tidemark.testservers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Whether containers can be had. */
final class ContainerEngine {
  private ContainerEngine() {}

  /**
   * Looks without loading Testcontainers, which takes a second and an error in the log to say no. A
   * {@code docker} command proves nothing.
   */
  static boolean isThere() {
    String home = System.getProperty("user.home");
    return System.getenv("DOCKER_HOST") != null
        || Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(home, ".docker/run/docker.sock"),
                Path.of(home, ".testcontainers.properties"))
            .anyMatch(Files::isReadable);
  }
}
