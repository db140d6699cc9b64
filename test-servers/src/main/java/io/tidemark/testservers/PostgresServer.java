package io.tidemark.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A real PostgreSQL on a random loopback port, with a data folder of its own. User {@code postgres}
 * is let in without a password; user {@code guarded} must give one.
 *
 * <p>The server refuses to run as root. As root it is started in a user namespace of its own, or,
 * where that is not allowed, as user 65534.
 */
public final class PostgresServer extends ServerProcess {
  /** The versions there are binaries for, the newest first. */
  public static final List<Integer> VERSIONS = List.of(18, 15);

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Object SHARED_LOCK = new Object();
  private static final Map<Integer, PostgresServer> SHARED = new TreeMap<>();

  private final Path binaries;
  private final Path folder;
  private final int port;
  private final List<String> settings;
  private final List<String> prefix;

  private PostgresServer(int version, List<String> settings) {
    binaries = PostgresBinaries.unpacked(version);
    this.settings = List.copyOf(settings);
    folder = unchecked(() -> Files.createTempDirectory("tidemark-postgres-data"));
    prefix = unchecked(() -> prefix(folder));
    port = unchecked(PostgresServer::freePort);
  }

  /**
   * Starts a server of its own.
   *
   * @param version the major version
   * @param settings such as {@code max_connections=20}; they win over the defaults
   */
  public static PostgresServer started(int version, String... settings) {
    PostgresServer server = new PostgresServer(version, List.of(settings));
    try {
      server.initialize();
      server.start(PATIENCE);
      return server;
    } catch (RuntimeException e) {
      Folders.delete(server.folder);
      throw e;
    }
  }

  /** The server all tests of this JVM share; give each a database or a schema of its own. */
  public static PostgresServer shared(int version) {
    synchronized (SHARED_LOCK) {
      return SHARED.computeIfAbsent(
          version,
          v -> {
            PostgresServer server = started(v);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
          });
    }
  }

  private void initialize() {
    List<String> initdb = new ArrayList<>(prefix);
    initdb.add(binaries.resolve("bin/initdb").toString());
    initdb.addAll(List.of("-D", data().toString(), "-U", "postgres", "-A", "trust"));
    initdb.addAll(List.of("-E", "UTF8", "--locale=C", "--no-sync"));
    run(initdb, log());
    unchecked(
        () -> {
          Path access = data().resolve("pg_hba.conf");
          String guarded = "host all guarded 127.0.0.1/32 scram-sha-256\n";
          return Files.writeString(access, guarded + Files.readString(access));
        });
  }

  private static void run(List<String> command, Path log) {
    unchecked(
        () -> {
          int answer =
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                  .start()
                  .waitFor();
          if (answer != 0) {
            throw new IOException(command + " failed: " + Files.readString(log));
          }
          return null;
        });
  }

  /** What to put before a command so that it does not run as root. */
  private static List<String> prefix(Path folder) throws IOException, InterruptedException {
    if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      return List.of();
    }
    List<String> namespace = List.of("unshare", "-U");
    if (new ProcessBuilder("unshare", "-U", "true").start().waitFor() == 0) {
      return namespace;
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    new ProcessBuilder("chown", "65534:65534", folder.toString()).start().waitFor();
    return List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  protected ProcessBuilder command() {
    List<String> command = new ArrayList<>(prefix);
    command.add(binaries.resolve("bin/postgres").toString());
    command.addAll(List.of("-D", data().toString(), "-p", Integer.toString(port)));
    // No Unix socket: its path may be too long. No fsync: tests kill processes, not machines.
    command.addAll(List.of("-h", "127.0.0.1", "-k", "", "-F", "-c", "max_connections=200"));
    for (String setting : settings) {
      command.addAll(List.of("-c", setting));
    }
    return new ProcessBuilder(command);
  }

  @Override
  protected boolean answers() {
    try (Connection connection = connect("postgres")) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  protected Path log() {
    return folder.resolve("log");
  }

  @Override
  protected String stopSignal() {
    return "INT";
  }

  private Path data() {
    return folder.resolve("data");
  }

  /** What the server has said so far. */
  public String output() {
    return unchecked(() -> Files.readString(log()));
  }

  /** Its port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** A connection as superuser. */
  public Connection connect(String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "postgres");
    properties.setProperty("loginTimeout", "10");
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, properties);
  }

  /** Makes an empty database. */
  public void createDatabase(String name) {
    unchecked(
        () -> {
          try (Connection connection = connect("postgres");
              Statement statement = connection.createStatement()) {
            return statement.execute("CREATE DATABASE \"" + name + "\"");
          }
        });
  }

  /** Stops it and deletes its data. */
  @Override
  public void close() {
    super.close();
    Folders.delete(folder);
  }
}
