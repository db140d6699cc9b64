package io.tidemark.testservers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Whether containers can be had. */
final class ContainerEngine {
  private ContainerEngine() {}

  /**
   * Looks without loading Testcontainers, which takes a second and an error in the log to say no. A
   * {@code docker} command proves nothing.
   */
  static boolean isThere() {
    return isThere(System.getenv(), Path.of(System.getProperty("user.home")), Path.of("/"));
  }

  static boolean isThere(Map<String, String> environment, Path home, Path root) {
    return environment.containsKey("DOCKER_HOST")
        || Stream.of(
                root.resolve("var/run/docker.sock"),
                home.resolve(".docker/run/docker.sock"),
                home.resolve(".testcontainers.properties"))
            .anyMatch(Files::isReadable);
  }
}
