package io.tidemark.storage.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.registry.CodecRegistry;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.VersionedValue;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a caller is told where a later write of one call fails; needs no server. */
@Tag("F-1")
@Tag("F-2")
class SequenceFailuresTest {
  private static final SequenceDefinition ORDERS = SequenceDefinition.named("orders").build();
  private static final VersionedValue FIRST = new VersionedValue(1, 1, true);
  private static final List<String> VARIABLES =
      List.of("application", "definition", "issued", "id", "version", "value", "stamp", "before");

  private final List<String> sent = new ArrayList<>();
  private String failing = "nothing";
  private final CassandraSequences sequences =
      new CassandraSequences(new Cql(session(), Consistency.QUORUM), "shop", "orders");

  @Test
  void alter_whoseValueIsRefused_isUnknownBecauseTheDefinitionIsWritten() {
    failing = "INSERT INTO shop.sequence_values";
    assertThatThrownBy(
            () ->
                sequences.transact(
                    session -> {
                      sequences.alter(session, 1, ORDERS);
                      sequences.put(session, 1, FIRST);
                    }))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCauseInstanceOf(StorageUnavailableException.class);
  }

  @Test
  void drop_whoseValueIsNotDeleted_isUnknownBecauseTheSequenceIsGone() {
    failing = "DELETE FROM shop.sequence_values";
    assertThatThrownBy(() -> sequences.transact(session -> sequences.drop(session, 1)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCauseInstanceOf(StorageUnavailableException.class);
  }

  @Test
  void firstWrite_refused_isStillToldAsNothingWritten() {
    sequences.transact(session -> sequences.alter(session, 1, ORDERS));
    failing = "INSERT INTO shop.sequence_values";
    assertThatThrownBy(() -> sequences.transact(session -> sequences.put(session, 1, FIRST)))
        .isInstanceOf(StorageUnavailableException.class);
    assertThat(sent).last().asString().startsWith(failing);
  }

  private ResultSet execute(String query) {
    sent.add(query);
    if (query.startsWith(failing)) {
      throw new NoNodeAvailableException();
    }
    Object columns = fake(ColumnDefinitions.class, Map.of("contains", any -> true));
    Object applied =
        fake(Row.class, Map.of("getColumnDefinitions", any -> columns, "getBoolean", any -> true));
    return fake(ResultSet.class, query.contains(" IF ") ? Map.of("one", any -> applied) : Map.of());
  }

  private CqlSession session() {
    return fake(
        CqlSession.class,
        Map.of(
            "prepare",
            arguments -> prepared((String) arguments[0]),
            "execute",
            arguments ->
                execute(((BoundStatement) arguments[0]).getPreparedStatement().getQuery())));
  }

  private static PreparedStatement prepared(String query) {
    Object variables =
        fake(
            ColumnDefinitions.class,
            Map.of(
                "size", any -> VARIABLES.size(),
                "firstIndexOf", arguments -> VARIABLES.indexOf(arguments[0]),
                "allIndicesOf", arguments -> List.of(VARIABLES.indexOf(arguments[0])),
                "get", arguments -> column((int) arguments[0])));
    PreparedStatement[] self = new PreparedStatement[1];
    self[0] =
        fake(
            PreparedStatement.class,
            Map.of(
                "getQuery", any -> query,
                "getVariableDefinitions", any -> variables,
                "boundStatementBuilder", any -> builder(self[0])));
    return self[0];
  }

  private static Object column(int index) {
    return fake(
        ColumnDefinition.class,
        Map.of(
            "getType",
            any -> index < 2 ? DataTypes.TEXT : index == 2 ? DataTypes.BOOLEAN : DataTypes.BIGINT));
  }

  private static BoundStatementBuilder builder(PreparedStatement statement) {
    return new BoundStatementBuilder(
        fake(
            BoundStatement.class,
            Map.of(
                "getPreparedStatement", any -> statement,
                "getValues", any -> Arrays.asList(new ByteBuffer[VARIABLES.size()]),
                "getCustomPayload", any -> Map.of(),
                "codecRegistry", any -> CodecRegistry.DEFAULT,
                "protocolVersion", any -> ProtocolVersion.DEFAULT)));
  }

  /** Answers the named methods; of all others nothing, zero or false. */
  private static <T> T fake(Class<T> type, Map<String, Function<Object[], Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Function<Object[], Object> answer = answers.get(method.getName());
              if (answer != null) {
                return answer.apply(arguments);
              }
              Class<?> result = method.getReturnType();
              return result == boolean.class
                  ? (Object) false
                  : result == int.class ? (Object) 0 : result == long.class ? (Object) 0L : null;
            }));
  }
}
