package io.tidemark.storage.memory;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.UnknownApplicationException;
import io.tidemark.spi.WLogRow;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A storage server in memory: many applications, each opened by any number of would-be processes.
 *
 * <p>Every call is one atomic step under one lock. What becomes of a call can be scripted with
 * {@link #outcomes}; a late request arrives with {@link #deliverLate}. By default each acknowledged
 * write is durable at once; a store built with {@link Builder#untilSync} keeps writes volatile
 * until {@link #sync}, and {@link #crash} drops them. Rows of somebody else are made with the
 * {@code plant…} methods: foreign to every owner, with PLog offset 0, no condition checked.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once.
 */
public final class MemoryStore {
  /** What one append may hold unless told otherwise. */
  public static final GroupLimit DEFAULT_GROUP_LIMIT = new GroupLimit(1000, 1 << 20);

  private final Supplier<UUID> claimIds;
  private final GroupLimit groupLimit;
  private final Journal journal;
  private final Outcomes outcomes = new Outcomes();
  private final Requests requests = new Requests(outcomes);
  private final Map<String, AppState> applications = new HashMap<>();
  private long crashes;

  /** A store whose writes are durable at once. */
  public MemoryStore() {
    this(builder());
  }

  private MemoryStore(Builder builder) {
    claimIds = builder.claimIds;
    groupLimit = builder.groupLimit;
    journal = new Journal(builder.untilSync);
  }

  /** Begins a store with other choices than the default ones. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Opens an application, creating it when new; that alone is durable at once in every store.
   *
   * @param layout the layout wanted, or null to adopt the stored one
   * @throws IllegalArgumentException for another layout than the stored one
   * @throws UnknownApplicationException without a layout, where the application is not stored
   */
  public IAppStorage open(String application, @Nullable Layout layout) {
    if (application.isBlank()) {
      throw new IllegalArgumentException(
          "application must not be blank, was '" + application + "'");
    }
    return requests.atomically(
        () -> {
          AppState state = applications.get(application);
          if (state == null) {
            if (layout == null) {
              throw new UnknownApplicationException(application);
            }
            state = new AppState(application, layout, journal);
            applications.put(application, state);
          } else if (layout != null) {
            state.layout().requireSame(layout);
          }
          return new MemoryAppStorage(this, requests, state);
        });
  }

  /** Begins a transaction for SQL-like sequences. */
  public MemoryTransaction begin() {
    return requests.atomically(() -> new MemoryTransaction(this, crashes));
  }

  /** The script of this store. */
  public Outcomes outcomes() {
    return outcomes;
  }

  /** Scripts the next writes, whatever their kind; see {@link #outcomes} for more. */
  public void script(Outcome... next) {
    outcomes.script(next);
  }

  /** How many requests are still on their way. */
  public int lateCount() {
    return requests.lateCount();
  }

  /** Lets every late request arrive, in the order sent; answers how many met their conditions. */
  public int deliverLate() {
    return requests.deliverLate();
  }

  /** Lets one late request arrive, 0 being the oldest; answers whether it met its conditions. */
  public boolean deliverLate(int index) {
    return requests.deliverLate(index);
  }

  /** Loses every late request. */
  public void dropLate() {
    requests.dropLate();
  }

  /** Makes all that was written durable. */
  public void sync() {
    requests.step(journal::sync);
  }

  /**
   * Drops all that is not durable, and every open transaction. Connections and handles stay, as if
   * they had found the server again; requests on their way are still on their way.
   */
  public void crash() {
    requests.step(
        () -> {
          journal.crash();
          crashes++;
        });
  }

  /** Puts bytes where an event stands or would stand; they need not be readable. */
  public void plantPLog(String application, int partition, long offset, byte[] bytes) {
    LogRow row = LogRow.planted(MemoryLogReader.requireOffset("offset", offset), bytes);
    requests.step(() -> logOf(application, partition).plog().put(row));
  }

  /** Puts a foreign row into a workspace's log. */
  public void plantWLog(String application, long wsid, long offset, byte[] bytes) {
    WLogRow row = new WLogRow(wsid, offset, 0, bytes.clone());
    requests.step(() -> logOf(application, wsid).wlog().put(row));
  }

  /** Puts a foreign record. */
  public void plantRecord(String application, long wsid, long recordId, byte[] bytes) {
    RecordRow row = new RecordRow(wsid, recordId, 0, false, bytes.clone());
    requests.step(() -> logOf(application, wsid).records().put(row));
  }

  /** Removes an event, whoever wrote it; false if there was none. */
  public boolean removePLog(String application, int partition, long offset) {
    return requests.atomically(() -> logOf(application, partition).plog().remove(offset));
  }

  /** Removes a row of a workspace's log; false if there was none. */
  public boolean removeWLog(String application, long wsid, long offset) {
    RowKey key = new RowKey(wsid, offset);
    return requests.atomically(() -> logOf(application, wsid).wlog().remove(key));
  }

  /** Removes a record; false if there was none. */
  public boolean removeRecord(String application, long wsid, long recordId) {
    RowKey key = new RowKey(wsid, recordId);
    return requests.atomically(() -> logOf(application, wsid).records().remove(key));
  }

  private LogState logOf(String application, int partition) {
    return stateOf(application, partition).log();
  }

  /** Needs the lock. */
  PartitionState stateOf(String application, int partition) {
    return known(application).partition(partition);
  }

  private LogState logOf(String application, long wsid) {
    AppState state = known(application);
    return state.partition(state.layout().partitionOf(wsid)).log();
  }

  private AppState known(String application) {
    AppState state = applications.get(application);
    if (state == null) {
      throw new IllegalArgumentException("application '" + application + "' was never opened");
    }
    return state;
  }

  Requests requests() {
    return requests;
  }

  GroupLimit groupLimit() {
    return groupLimit;
  }

  UUID newClaimId() {
    return claimIds.get();
  }

  /** Needs the lock. */
  void requireNoCrashSince(long count) {
    if (crashes != count) {
      throw new StorageUnavailableException("the transaction was lost when the store crashed");
    }
  }

  /** Collects what a store is to be like; starts with the defaults. */
  public static final class Builder {
    private Supplier<UUID> claimIds = UUID::randomUUID;
    private GroupLimit groupLimit = DEFAULT_GROUP_LIMIT;
    private boolean untilSync;

    private Builder() {}

    /** Where claim ids come from; random unless told. They must never repeat. */
    public Builder claimIds(Supplier<UUID> ids) {
      claimIds = requireNonNull(ids, "ids");
      return this;
    }

    /** What one append may hold; {@link #DEFAULT_GROUP_LIMIT} unless told. */
    public Builder groupLimit(GroupLimit limit) {
      groupLimit = requireNonNull(limit, "limit");
      return this;
    }

    /** Keeps acknowledged writes volatile until {@link MemoryStore#sync}. */
    public Builder untilSync() {
      untilSync = true;
      return this;
    }

    /** The store. */
    public MemoryStore build() {
      return new MemoryStore(this);
    }
  }
}
