package io.tidemark.spi;

import java.util.UUID;

/**
 * One term of ownership. Both parts are compared: a bare number is ambiguous when a bump times out
 * and another owner takes the same one.
 *
 * @param number grows with every claim and settle; 0 = never claimed
 * @param claimId random
 */
public record Epoch(long number, UUID claimId) {
  /** The epoch of a partition nobody has claimed. */
  public static final Epoch NONE = new Epoch(0, new UUID(0, 0));

  /** The next epoch, with this claim id. */
  public Epoch next(UUID id) {
    return new Epoch(Math.addExact(number, 1), id);
  }

  @Override
  public String toString() {
    return number + "/" + claimId;
  }
}
