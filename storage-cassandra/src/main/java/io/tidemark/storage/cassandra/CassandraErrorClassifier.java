package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.UnsupportedProtocolVersionException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Sorts what the driver throws by what the caller may conclude.
 *
 * <p>A write is <em>unknown</em> unless the error proves that nothing was sent, or that the
 * coordinator refused before it asked any replica. A conditional write asks replicas in its first
 * round already, so for it "unavailable" proves nothing.
 */
final class CassandraErrorClassifier {
  /** Thrown before a request leaves, or answered by a coordinator that did not begin with it. */
  private static final Set<Class<?>> NOTHING_WRITTEN =
      Set.of(
          NoNodeAvailableException.class,
          NodeUnavailableException.class,
          BusyConnectionException.class,
          RequestThrottlingException.class,
          ConnectionInitException.class,
          AuthenticationException.class,
          UnsupportedProtocolVersionException.class,
          InvalidKeyspaceException.class,
          BootstrappingException.class,
          InvalidQueryException.class,
          InvalidConfigurationInQueryException.class,
          SyntaxError.class,
          UnauthorizedException.class,
          AlreadyExistsException.class,
          CodecNotFoundException.class);

  private CassandraErrorClassifier() {}

  static StorageException classify(RequestKind kind, String what, Throwable thrown) {
    Throwable error =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    if (error instanceof StorageException classified) {
      return classified;
    }
    String message = what + ": " + describe(error);
    return isNothingWritten(kind, error)
        ? new StorageUnavailableException(message, error)
        : new OutcomeUnknownException(message, error);
  }

  private static boolean isNothingWritten(RequestKind kind, Throwable error) {
    if (kind == RequestKind.READ || NOTHING_WRITTEN.contains(error.getClass())) {
      return true;
    }
    if (error instanceof UnavailableException) {
      return kind == RequestKind.WRITE;
    }
    if (error instanceof AllNodesFailedException all) {
      for (List<Throwable> perNode : all.getAllErrors().values()) {
        for (Throwable each : perNode) {
          if (!isNothingWritten(kind, each)) {
            return false;
          }
        }
      }
      return !all.getAllErrors().isEmpty();
    }
    return false;
  }

  private static String describe(Throwable error) {
    return error.getClass().getSimpleName() + ", " + error.getMessage();
  }
}
