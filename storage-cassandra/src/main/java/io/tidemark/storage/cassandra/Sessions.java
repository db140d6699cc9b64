package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import io.tidemark.api.StorageUnavailableException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/** Makes sessions as the storage needs them, and refuses others. */
final class Sessions {
  private Sessions() {}

  static DriverConfigLoader driverConfig(CassandraStorageConfig config) {
    return DriverConfigLoader.programmaticBuilder(Sessions.class.getClassLoader())
        // On V5 the driver breaks a whole connection when one conditional write times out.
        .withString(DefaultDriverOption.PROTOCOL_VERSION, DefaultProtocolVersion.V4.name())
        .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetryPolicy.class)
        .withClass(
            DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
            NoSpeculativeExecutionPolicy.class)
        .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, false)
        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, config.consistency().plain().name())
        .withString(
            DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY, config.consistency().serial().name())
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, config.requestTimeout())
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, config.requestTimeout())
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, config.requestTimeout())
        .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, config.dataCentre())
        .build();
  }

  static CqlSession open(CassandraStorageConfig config) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(driverConfig(config))
            .addContactPoints(config.contactPoints());
    if (config.user() != null && config.password() != null) {
      builder.withAuthCredentials(config.user(), config.password());
    }
    if (config.tls()) {
      builder.withSslContext(sslContext());
    }
    try {
      return builder.build();
    } catch (DriverException e) {
      throw new StorageUnavailableException("cannot connect to " + config, e);
    }
  }

  private static SSLContext sslContext() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no default TLS context", e);
    }
  }

  /** Refuses a session that would retry, speculate or lose a connection with a timeout. */
  static void requireSafe(CqlSession session) {
    String remedy = "; build the session with CassandraStorageDriver.driverConfig(config)";
    if (session.getContext().getProtocolVersion().getCode()
        != DefaultProtocolVersion.V4.getCode()) {
      throw new IllegalArgumentException(
          "the session must use native protocol V4, was "
              + session.getContext().getProtocolVersion()
              + remedy);
    }
    String profile = DriverExecutionProfile.DEFAULT_NAME;
    Object retries = session.getContext().getRetryPolicy(profile);
    if (!(retries instanceof NeverRetryPolicy)) {
      throw new IllegalArgumentException(
          "the session must never retry, its policy is " + retries.getClass().getName() + remedy);
    }
    Object speculation = session.getContext().getSpeculativeExecutionPolicy(profile);
    if (!(speculation instanceof NoSpeculativeExecutionPolicy)) {
      throw new IllegalArgumentException(
          "the session must not speculate, its policy is "
              + speculation.getClass().getName()
              + remedy);
    }
  }
}
