package io.tidemark.storage.sqlite.guide;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The two methods of a handle that everything else depends on. */
// begin
public abstract class AcmePartition implements IPartitionStorage {
  private volatile Epoch epoch;
  private volatile @Nullable Epoch undecided; // where a settle of unknown outcome was going

  protected AcmePartition(Epoch epoch) {
    this.epoch = epoch;
  }

  /** Runs {@code work} in one transaction; what it throws rolls everything back. */
  protected abstract void atomically(Consumer<Rows> work);

  /** The partition's rows inside a transaction. */
  protected interface Rows {
    Epoch epoch();

    void epoch(Epoch next);

    byte @Nullable [] event(long offset);

    void event(long offset, byte[] stored);
  }

  @Override
  public final Epoch epoch() {
    return epoch;
  }

  @Override
  public final void append(List<PLogEvent> group, WriteMode mode) {
    atomically(
        rows -> {
          if (group.stream().allMatch(event -> isOwn(event, rows.event(event.offset())))) {
            return; // 1. our own write, already there: success, whatever the epoch
          }
          requireOwner(rows.epoch()); // 2.
          long before = group.get(0).offset() - 1;
          if (before > 0 && rows.event(before) == null) { // 3.
            throw new StorageCorruptedException("PLog offset " + before + " is missing");
          }
          for (PLogEvent event : group) {
            byte[] found = rows.event(event.offset());
            if (mode == WriteMode.INSERT_IF_NOT_EXISTS && found != null && !isOwn(event, found)) {
              throw new SequenceViolationException(event.key(), found.length + " bytes"); // 4.
            }
            rows.event(event.offset(), event.toBytes()); // 5.
          }
        });
  }

  private static boolean isOwn(PLogEvent event, byte @Nullable [] stored) {
    try {
      return stored != null
          && PLogEvent.fromBytes(event.offset(), stored)
              .header()
              .writeId()
              .equals(event.header().writeId());
    } catch (StorageCorruptedException e) {
      return false; // somebody else's bytes
    }
  }

  private void requireOwner(Epoch stored) {
    if (stored.equals(undecided)) {
      throw new StorageUnavailableException("the handle's settle is undecided: settle again");
    }
    if (!stored.equals(epoch)) {
      throw new FencedException("epoch " + epoch + " is over, the partition has " + stored);
    }
  }

  @Override
  public final synchronized void settle() {
    Epoch target = undecided != null ? undecided : epoch.next(UUID.randomUUID());
    undecided = target;
    atomically(
        rows -> {
          if (!rows.epoch().equals(target)) { // else an earlier settle has arrived: success
            if (!rows.epoch().equals(epoch)) {
              throw new FencedException("epoch " + epoch + " is over");
            }
            rows.epoch(target);
          }
        });
    epoch = target; // not reached when the outcome is unknown: the target stays undecided
    undecided = null;
  }
}
// end
