package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/**
 * A real session that does something of the test's just before one of its statements is sent, or
 * fails with what that throws instead of sending it.
 */
final class HookedSession {
  private final CqlSession session;
  private String start = "";
  private Runnable hook = () -> {};

  HookedSession(CqlSession real) {
    session =
        (CqlSession)
            Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, arguments) -> {
                  boolean isLater = method.getName().equals("executeAsync");
                  try {
                    if ((isLater || method.getName().equals("execute"))
                        && arguments[0] instanceof BoundStatement statement) {
                      sending(statement.getPreparedStatement().getQuery());
                    }
                  } catch (DriverException e) {
                    if (isLater) {
                      return CompletableFuture.failedFuture(e);
                    }
                    throw e;
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  CqlSession session() {
    return session;
  }

  /** Runs {@code work} once, before the next statement that begins like this. */
  void before(String statement, Runnable work) {
    start = statement;
    hook = work;
  }

  private void sending(String query) {
    if (!start.isEmpty() && query.startsWith(start)) {
      start = "";
      hook.run();
    }
  }
}
