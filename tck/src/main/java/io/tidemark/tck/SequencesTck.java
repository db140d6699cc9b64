package io.tidemark.tck;

import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * Certifies the four methods of an {@link io.tidemark.spi.ISeqStorage} for somebody who keeps their
 * own log. Its author extends this class in a test whose name ends in {@code TckTest}.
 */
@AddLifecycleHook(KitHooks.class)
public abstract class SequencesTck implements SequencesHarness, OwnNumbersRules, OwnReplayRules {

  /** For the storage's author. */
  protected SequencesTck() {}
}
