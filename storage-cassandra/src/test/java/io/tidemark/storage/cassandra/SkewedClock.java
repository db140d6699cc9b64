package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sessions of clients whose clock is wrong. */
final class SkewedClock {
  private SkewedClock() {}

  /** A session whose clock goes {@code skew} wrong. */
  static CqlSession session(CassandraStorageConfig config, Duration skew) {
    return new SkewedBuilder(skew)
        .withConfigLoader(CassandraStorageDriver.driverConfig(config))
        .addContactPoints(config.contactPoints())
        .build();
  }

  private static final class SkewedBuilder extends SessionBuilder<SkewedBuilder, CqlSession> {
    private final Duration skew;

    SkewedBuilder(Duration skew) {
      this.skew = skew;
    }

    @Override
    protected DriverContext buildContext(
        DriverConfigLoader loader, ProgrammaticArguments arguments) {
      return new DefaultDriverContext(loader, arguments) {
        @Override
        public TimestampGenerator getTimestampGenerator() {
          return new TimestampGenerator() {
            @Override
            public long next() {
              long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
              return now + TimeUnit.SECONDS.toMicros(skew.toSeconds());
            }

            @Override
            public void close() {}
          };
        }
      };
    }

    @Override
    protected CqlSession wrap(CqlSession session) {
      return session;
    }
  }
}
