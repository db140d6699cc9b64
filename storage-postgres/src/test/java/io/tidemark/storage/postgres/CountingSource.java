package io.tidemark.storage.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A data source that counts the statements sent through it: each is one round trip. */
final class CountingSource {
  private final AtomicLong executed = new AtomicLong();
  private final DataSource source;

  CountingSource(DataSource target) {
    source = wrap(DataSource.class, target);
  }

  DataSource source() {
    return source;
  }

  long executed() {
    return executed.get();
  }

  private <T> T wrap(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            CountingSource.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("execute")) {
                executed.incrementAndGet();
              }
              Object answer;
              try {
                answer = method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              return wrapped(method.getReturnType(), answer);
            }));
  }

  private Object wrapped(Class<?> type, Object answer) {
    if (type == Connection.class) {
      return wrap(Connection.class, answer);
    }
    if (type == PreparedStatement.class) {
      return wrap(PreparedStatement.class, answer);
    }
    return type == Statement.class ? wrap(Statement.class, answer) : answer;
  }
}
