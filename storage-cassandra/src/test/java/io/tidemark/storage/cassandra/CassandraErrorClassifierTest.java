package io.tidemark.storage.cassandra;

import static io.tidemark.storage.cassandra.RequestKind.CONDITIONAL;
import static io.tidemark.storage.cassandra.RequestKind.READ;
import static io.tidemark.storage.cassandra.RequestKind.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverExecutionException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.UnsupportedProtocolVersionException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.connection.CrcMismatchException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.CDCWriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ProtocolError;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.TruncateException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("F-1")
@Tag("F-2")
class CassandraErrorClassifierTest {
  private static final DefaultConsistencyLevel QUORUM = DefaultConsistencyLevel.QUORUM;
  private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("host", 1);
  private static final Node NODE = stub(Node.class);

  /** The conclusion for a plain write and for a conditional one: U unknown, N nothing written. */
  record Case(Throwable error, char write, char conditional) {}

  @SuppressWarnings("unchecked")
  private static <T> T stub(Class<T> type) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  case "toString" -> "stub";
                  default -> null;
                });
  }

  private static AllNodesFailedException all(Throwable... errors) {
    return AllNodesFailedException.fromErrors(
        Stream.of(errors).map(error -> Map.entry(stub(Node.class), error)).toList());
  }

  static List<Case> cases() {
    return List.of(
        // Told by a replica or the coordinator after it began.
        new Case(new WriteTimeoutException(NODE, QUORUM, 1, 2, DefaultWriteType.CAS), 'U', 'U'),
        new Case(
            new WriteFailureException(NODE, QUORUM, 1, 2, DefaultWriteType.CAS, 1, Map.of()),
            'U',
            'U'),
        new Case(new CASWriteUnknownException(NODE, QUORUM, 1, 2), 'U', 'U'),
        new Case(new CDCWriteFailureException(NODE), 'U', 'U'),
        new Case(new ReadTimeoutException(NODE, QUORUM, 1, 2, false), 'U', 'U'),
        new Case(new ReadFailureException(NODE, QUORUM, 1, 2, 1, false, Map.of()), 'U', 'U'),
        new Case(new ServerError(NODE, "boom"), 'U', 'U'),
        new Case(new OverloadedException(NODE), 'U', 'U'),
        new Case(new TruncateException(NODE, "no"), 'U', 'U'),
        new Case(new FunctionFailureException(NODE, "no"), 'U', 'U'),
        new Case(new ProtocolError(NODE, "no"), 'U', 'U'),
        // Lost on the way there or back.
        new Case(new DriverTimeoutException("late"), 'U', 'U'),
        new Case(new ClosedConnectionException("gone"), 'U', 'U'),
        new Case(new HeartbeatException(ADDRESS, "gone", null), 'U', 'U'),
        new Case(new CrcMismatchException("broken"), 'U', 'U'),
        new Case(new FrameTooLongException(ADDRESS, "long"), 'U', 'U'),
        new Case(new DriverExecutionException(new IOException("no")), 'U', 'U'),
        new Case(new IOException("not the driver's"), 'U', 'U'),
        // A plain write is refused before a replica is asked; a conditional one after a round.
        new Case(new UnavailableException(NODE, QUORUM, 2, 1), 'N', 'U'),
        // Never sent, or refused by a coordinator that did not begin.
        new Case(new NoNodeAvailableException(), 'N', 'N'),
        new Case(new NodeUnavailableException(NODE), 'N', 'N'),
        new Case(new BusyConnectionException(9), 'N', 'N'),
        new Case(new RequestThrottlingException("later"), 'N', 'N'),
        new Case(new ConnectionInitException("no", null), 'N', 'N'),
        new Case(new BootstrappingException(NODE), 'N', 'N'),
        new Case(new InvalidQueryException(NODE, "no"), 'N', 'N'),
        new Case(new InvalidConfigurationInQueryException(NODE, "no"), 'N', 'N'),
        new Case(new SyntaxError(NODE, "no"), 'N', 'N'),
        new Case(new UnauthorizedException(NODE, "no"), 'N', 'N'),
        new Case(new AlreadyExistsException(NODE, "a", "b"), 'N', 'N'),
        new Case(new InvalidKeyspaceException("no"), 'N', 'N'),
        new Case(new CodecNotFoundException(DataTypes.INT, GenericType.STRING), 'N', 'N'),
        new Case(
            new UnsupportedProtocolVersionException(stub(EndPoint.class), "no", List.of()),
            'N',
            'N'),
        // Many nodes: as bad as the worst of them.
        new Case(all(new BusyConnectionException(9)), 'N', 'N'),
        new Case(all(new BusyConnectionException(9), new ClosedConnectionException("x")), 'U', 'U'),
        new Case(all(new UnavailableException(NODE, QUORUM, 2, 1)), 'N', 'U'));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void error_ofEachKind_isSorted(Case each) {
    Throwable error = each.error;

    assertThat(CassandraErrorClassifier.classify(READ, "read", error))
        .isInstanceOf(StorageUnavailableException.class)
        .hasCause(error)
        .hasMessageContaining(error.getClass().getSimpleName());
    assertThat(CassandraErrorClassifier.classify(WRITE, "write", error))
        .isInstanceOf(conclusion(each.write));
    assertThat(CassandraErrorClassifier.classify(CONDITIONAL, "append", error))
        .isInstanceOf(conclusion(each.conditional));
    assertThat(
            CassandraErrorClassifier.classify(
                CONDITIONAL, "append", new CompletionException(error)))
        .isInstanceOf(conclusion(each.conditional))
        .hasCause(error);
  }

  private static Class<?> conclusion(char sign) {
    return sign == 'U' ? OutcomeUnknownException.class : StorageUnavailableException.class;
  }

  @Test
  void error_alreadySorted_staysAsItIs() {
    FencedException fenced = new FencedException("fenced");

    assertThat(CassandraErrorClassifier.classify(CONDITIONAL, "append", fenced)).isSameAs(fenced);
  }

  @Test
  void table_againstTheDriversJar_namesEveryException() throws Exception {
    Set<String> covered =
        cases().stream().map(each -> each.error.getClass().getName()).collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>();
    Path jar =
        Path.of(DriverException.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int found = 0;
    try (JarFile file = new JarFile(jar.toFile())) {
      for (String name : file.stream().map(Object::toString).toList()) {
        if (name.matches("com/datastax/oss/driver/api/core/.*(Exception|Error)\\.class")) {
          Class<?> type = Class.forName(name.substring(0, name.length() - 6).replace('/', '.'));
          if (DriverException.class.isAssignableFrom(type)
              && !Modifier.isAbstract(type.getModifiers())) {
            found++;
            if (!covered.contains(type.getName())) {
              missing.add(type.getName());
            }
          }
        }
      }
    }
    assertThat(found).as("exceptions found in the jar").isGreaterThan(30);
    assertThat(missing).as("exceptions of the driver that the table does not name").isEmpty();
  }
}
