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
import java.util.stream.Collectors;

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
  private static final int NO_LIMIT = 0;
  private static final Object SHARED_LOCK = new Object();
  private static final Map<Integer, PostgresServer> SHARED = new TreeMap<>();

  private final Path binaries;
  private final Path folder;
  private final int port;
  private final List<String> settings;
  private final List<String> prefix;
  private final int diskMegabytes;

  private PostgresServer(int version, List<String> settings, int diskMegabytes) {
    this.diskMegabytes = diskMegabytes;
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
    PostgresServer server = new PostgresServer(version, List.of(settings), NO_LIMIT);
    return server.begun(server::initialize);
  }

  /**
   * Starts a server whose tables have a small disk of their own; its write-ahead log does not
   * count. The disk is made with the process and ends with it: such a server cannot be restarted.
   */
  public static PostgresServer startedOnSmallDisk(int version, int megabytes) {
    PostgresServer server = new PostgresServer(version, List.of(), megabytes);
    return server.begun(() -> unchecked(() -> Files.createDirectory(server.disk())));
  }

  private PostgresServer begun(Runnable preparation) {
    try {
      preparation.run();
      start(PATIENCE);
      return this;
    } catch (RuntimeException e) {
      Folders.delete(folder);
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
    List<String> command = new ArrayList<>(prefix);
    command.addAll(initdb());
    run(command, log());
    unchecked(
        () -> {
          Path access = data().resolve("pg_hba.conf");
          String guarded = "host all guarded 127.0.0.1/32 scram-sha-256\n";
          return Files.writeString(access, guarded + Files.readString(access));
        });
  }

  private List<String> initdb() {
    List<String> initdb = new ArrayList<>(List.of(binaries.resolve("bin/initdb").toString()));
    initdb.addAll(List.of("-D", data().toString(), "-U", "postgres", "-A", "trust"));
    initdb.addAll(List.of("-E", "UTF8", "--locale=C", "--no-sync"));
    return initdb;
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
    List<String> postgres = new ArrayList<>(List.of(binaries.resolve("bin/postgres").toString()));
    postgres.addAll(List.of("-D", data().toString(), "-p", Integer.toString(port)));
    // No Unix socket: its path may be too long. No fsync: tests kill processes, not machines.
    postgres.addAll(List.of("-h", "127.0.0.1", "-k", "", "-F", "-c", "max_connections=200"));
    for (String setting : settings) {
      postgres.addAll(List.of("-c", setting));
    }
    List<String> command = new ArrayList<>(diskMegabytes == NO_LIMIT ? prefix : List.of());
    command.addAll(diskMegabytes == NO_LIMIT ? postgres : onSmallDisk(postgres));
    return new ProcessBuilder(command);
  }

  /**
   * Root in a namespace of its own mounts the disk; nobody in one further inside runs the server.
   */
  private List<String> onSmallDisk(List<String> postgres) {
    List<String> initdb = initdb();
    initdb.addAll(List.of("-X", folder.resolve("wal").toString()));
    String script =
        "mount -t tmpfs -o size=%dm tmpfs '%s' && exec unshare -U sh -c \"%s && exec %s\""
            .formatted(diskMegabytes, disk(), quoted(initdb), quoted(postgres));
    return List.of("unshare", "-Urm", "sh", "-c", script);
  }

  private static String quoted(List<String> command) {
    return command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
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
    return (diskMegabytes == NO_LIMIT ? folder : disk()).resolve("data");
  }

  private Path disk() {
    return folder.resolve("disk");
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
