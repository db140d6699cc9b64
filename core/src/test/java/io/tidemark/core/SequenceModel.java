package io.tidemark.core;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.VersionedValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an SQL-like sequence must do, said again with numbers that cannot overflow, and what the
 * storage must hold of it. Knows nothing of the engine's step function.
 */
final class SequenceModel {
  /** A registration that is on its way: into the committed, or into the durable ones. */
  record Registration(
      long version, BigInteger value, boolean issued, @Nullable SequenceDefinition definition) {}

  private final List<Registration> committed = new ArrayList<>();
  private SequenceDefinition definition;
  private long version;
  private BigInteger value;
  private boolean issued;
  private @Nullable BigInteger current;

  private SequenceDefinition durableDefinition;
  private @Nullable Registration durable;

  /** Up to which version the engine knows that there is nothing left to register. */
  private long known;

  SequenceModel(SequenceDefinition definition) {
    this.definition = definition;
    durableDefinition = definition;
    value = BigInteger.valueOf(definition.start());
  }

  SequenceDefinition definition() {
    return definition;
  }

  long value() {
    return value.longValueExact();
  }

  @Nullable BigInteger current() {
    return current;
  }

  VersionedValue state() {
    return new VersionedValue(version, value.longValueExact(), issued);
  }

  /** What a draw answers; null when the range is used up, and then nothing changes. */
  @Nullable Registration draw() {
    BigInteger drawn = following();
    if (drawn == null) {
      return null;
    }
    value = drawn;
    issued = true;
    current = drawn;
    version++;
    return new Registration(version, value, true, null);
  }

  private @Nullable BigInteger following() {
    BigInteger min = BigInteger.valueOf(definition.min());
    BigInteger max = BigInteger.valueOf(definition.max());
    BigInteger increment = BigInteger.valueOf(definition.increment());
    boolean inside = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    if (!issued && inside) {
      return value;
    }
    BigInteger candidate = value.add(increment);
    if (increment.signum() > 0) {
      if (value.compareTo(min) < 0) {
        return min;
      }
      return candidate.compareTo(max) <= 0 ? candidate : definition.cycle() ? min : null;
    }
    if (value.compareTo(max) > 0) {
      return max;
    }
    return candidate.compareTo(min) >= 0 ? candidate : definition.cycle() ? max : null;
  }

  /** What a change to this state would register. */
  Registration changed(long to, boolean called, @Nullable SequenceDefinition newDefinition) {
    return new Registration(version + 1, BigInteger.valueOf(to), called, newDefinition);
  }

  /** The change was made and is durable. */
  void apply(Registration change) {
    version = change.version();
    value = change.value();
    issued = change.issued();
    known = version;
    if (change.definition() != null) {
      definition = change.definition();
    } else if (issued) {
      current = value;
    }
    commit(List.of(change));
    sync();
  }

  /** Nobody knows whether the change was made: its version is used up. */
  void skipVersion() {
    version++;
  }

  /** The engine was told that its last draw is durable. */
  void acknowledged() {
    known = version;
  }

  void commit(List<Registration> registrations) {
    committed.addAll(registrations);
  }

  void sync() {
    for (Registration each : committed) {
      if (each.definition() != null) {
        durableDefinition = each.definition();
      }
      if (durable == null || each.version() > durable.version()) {
        durable = each;
      }
    }
    committed.clear();
  }

  void crash() {
    committed.clear();
    reopen();
  }

  void close() {
    if (version != known) {
      commit(List.of(new Registration(version + 1, value, issued, null)));
      sync();
    }
    reopen();
  }

  private void reopen() {
    definition = durableDefinition;
    version = durable == null ? 0 : durable.version();
    value = durable == null ? BigInteger.valueOf(definition.start()) : durable.value();
    issued = durable != null && durable.issued();
    current = null;
    known = version;
  }
}
