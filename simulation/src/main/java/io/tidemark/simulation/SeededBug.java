package io.tidemark.simulation;

import java.util.List;

/**
 * A known way to get the algorithm wrong, and the edits that do so.
 *
 * @param name its name on the command line
 * @param hazard what is wrong
 * @param mutations the edits
 */
public record SeededBug(String name, String hazard, List<Mutation> mutations) {
  /** Copies. */
  public SeededBug {
    mutations = List.copyOf(mutations);
  }
}
