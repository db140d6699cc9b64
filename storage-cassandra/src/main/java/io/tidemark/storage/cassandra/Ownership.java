package io.tidemark.storage.cassandra;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;

/** Says why a write under an epoch did not apply. */
final class Ownership {
  private Ownership() {}

  /**
   * The epoch on the meta row is not the handle's.
   *
   * <p>A fenced handle may take a log read as final. The new owner may stand between its two steps,
   * meta row and bucket, so the bucket is fenced for it first: what it would do, done twice, is
   * done once.
   */
  static StorageException lost(
      Term sent, Meta now, PartitionLog log, long lastBucket, String what) {
    if (now.epoch().equals(sent.undecided())) {
      return undecided(what);
    }
    log.fence(lastBucket, now.epoch());
    return new FencedException(
        "%s with epoch %s is fenced: owner '%s' holds the partition with epoch %s"
            .formatted(what, sent.epoch(), now.owner(), now.epoch()));
  }

  static StorageUnavailableException undecided(String what) {
    return new StorageUnavailableException(
        what + " must wait: the handle's settle is undecided, settle again");
  }
}
