package io.tidemark.storage.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Hands out one connection again and again, untested, and a new one when it is broken. A pool tests
 * connections that were idle for long: on a slow machine it would notice a cut before we do.
 */
final class KeptSource {
  private final DataSource target;
  private Connection kept;

  private KeptSource(DataSource target) {
    this.target = target;
  }

  static DataSource over(DataSource target) {
    KeptSource kept = new KeptSource(target);
    return proxy(
        DataSource.class,
        (proxy, method, arguments) ->
            method.getName().equals("getConnection")
                ? kept.connection()
                : method.invoke(target, arguments));
  }

  private synchronized Connection connection() throws SQLException {
    if (kept == null || kept.isClosed()) {
      kept = target.getConnection();
    }
    Connection real = kept;
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          try {
            return method.getName().equals("close") ? null : method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(KeptSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
