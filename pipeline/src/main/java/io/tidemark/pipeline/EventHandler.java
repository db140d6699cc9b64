package io.tidemark.pipeline;

/** Takes events, one at a time. */
@FunctionalInterface
public interface EventHandler {
  /** Takes one event. What it throws makes a subscription try the same event again. */
  void handle(Event event);
}
