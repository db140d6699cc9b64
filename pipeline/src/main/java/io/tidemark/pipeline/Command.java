package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.SequenceTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks a workspace to do.
 *
 * @param wsKind the workspace's kind
 * @param wsid the workspace
 * @param name what is asked for, such as {@code CreateOrder}
 * @param argument the argument, or null
 * @param cuds the records to create and update
 * @param patience how long it may wait for its turn; null = the configured time
 */
public record Command(
    int wsKind,
    long wsid,
    String name,
    @Nullable ArgumentObject argument,
    List<Cud> cuds,
    @Nullable Duration patience) {
  /** Copies, and refuses what cannot be. */
  public Command {
    SequenceTypes.requireKind(wsKind);
    requireNonNull(name, "name");
    cuds = List.copyOf(cuds);
    if (name.isBlank()) {
      throw new IllegalArgumentException("a command's name must not be blank");
    }
    if (patience != null && patience.isNegative()) {
      throw new IllegalArgumentException("patience must not be negative, was " + patience);
    }
  }

  /** Begins a command. */
  public static Builder named(String name, int wsKind, long wsid) {
    return new Builder(name, wsKind, wsid);
  }

  /** Collects a command; checks nothing. */
  public static final class Builder {
    private final int wsKind;
    private final long wsid;
    private final String name;
    private final List<Cud> cuds = new ArrayList<>();
    private @Nullable ArgumentObject argument;
    private @Nullable Duration patience;

    Builder(String name, int wsKind, long wsid) {
      this.name = name;
      this.wsKind = wsKind;
      this.wsid = wsid;
    }

    /** The argument. */
    public Builder argument(ArgumentObject value) {
      argument = value;
      return this;
    }

    /** Creates a record; the id is raw, explicit, or 0. */
    public Builder create(RecordType type, long id, Object... namesAndValues) {
      return cud(Cud.create(type, id, namesAndValues));
    }

    /** Replaces a record's content. */
    public Builder update(RecordType type, long id, Object... namesAndValues) {
      return cud(Cud.update(type, id, namesAndValues));
    }

    /** Creates or updates a record. */
    public Builder cud(Cud value) {
      cuds.add(value);
      return this;
    }

    /** How long it may wait for its turn. */
    public Builder patience(Duration value) {
      patience = value;
      return this;
    }

    /** The command, checked. */
    public Command build() {
      return new Command(wsKind, wsid, name, argument, cuds, patience);
    }
  }
}
