package io.tidemark.storage.foundationdb;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.ISequenceStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Repeats every call of a storage that was not done or may have been done. Each call must then find
 * its own earlier attempt, or do no harm: that is what the rules of the storage say of it.
 */
final class PatientCaller {
  private static final int ATTEMPTS = 60;
  private static final List<Class<?>> HANDLES =
      List.of(
          IAppStorage.class,
          IPartitionStorage.class,
          IPartitionReader.class,
          ISeqGeneration.class,
          ISequenceStorage.class);

  private PatientCaller() {}

  static IAppStorage open(Callable<IAppStorage> open) throws Exception {
    return wrapped(IAppStorage.class, requireNonNull(repeated(open::call)));
  }

  private interface Call {
    Object run() throws Exception;
  }

  private static @Nullable Object repeated(Call call) throws Exception {
    boolean maybeDone = false;
    for (int attempt = 1; ; attempt++) {
      try {
        return call.run();
      } catch (OutcomeUnknownException | StorageUnavailableException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        maybeDone |= e instanceof OutcomeUnknownException;
      } catch (UnknownSequenceException e) {
        // A sequence that is gone when it is dropped again was dropped by the first attempt.
        if (!maybeDone) {
          throw e;
        }
        return null;
      }
    }
  }

  private static <T> T wrapped(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(target, method, arguments)));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object answer =
        takesVisitor(method)
            ? invoke(target, method, arguments)
            : repeated(() -> invoke(target, method, arguments));
    for (Class<?> handle : HANDLES) {
      if (handle.isInstance(answer) && method.getReturnType() == handle) {
        return wrapped(handle, answer);
      }
    }
    return answer;
  }

  /** A visitor would see again what it has seen, and what it throws is its own. */
  private static boolean takesVisitor(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .anyMatch(type -> type.getName().matches(".*(Visitor|Batcher)"));
  }

  private static Object invoke(Object target, Method method, Object @Nullable [] arguments)
      throws Exception {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw (Error) e.getCause();
    }
  }
}
