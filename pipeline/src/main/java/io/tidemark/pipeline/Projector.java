package io.tidemark.pipeline;

/**
 * Follows the log in step: sees each event after its records are written and before the command is
 * answered.
 *
 * <p>Projectors run in the order configured, event by event in log order, one event at a time per
 * partition. [P-12] Each event is projected at least once: after a restart, a takeover or a failure
 * the last group comes again, so a projector that counts must remember the highest {@link
 * Event#plogOffset} it has seen. [P-13]
 *
 * <p><b>Failure.</b> What it throws is tried again until it succeeds; meanwhile the partition is
 * busy.
 */
@FunctionalInterface
public interface Projector {
  /** Takes one event. */
  void project(Event event);
}
