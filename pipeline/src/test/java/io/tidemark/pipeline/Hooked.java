package io.tidemark.pipeline;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A storage that tells a test of every call before it is made; what the test throws is thrown. */
@FunctionalInterface
interface Hooked {
  void before(String method, Object[] arguments);

  static IAppStorage storage(IAppStorage real, Hooked hook) {
    return proxy(IAppStorage.class, real, hook);
  }

  private static <T> T proxy(Class<T> type, T real, Hooked hook) {
    return type.cast(
        Proxy.newProxyInstance(
            Hooked.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              Object[] arguments = given == null ? new Object[0] : given;
              hook.before(method.getName(), arguments);
              return wrapped(invoke(real, method, arguments), hook);
            }));
  }

  private static @Nullable Object wrapped(@Nullable Object answer, Hooked hook) {
    return answer instanceof IPartitionStorage claimed
        ? proxy(IPartitionStorage.class, claimed, hook)
        : answer;
  }

  private static @Nullable Object invoke(Object real, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
