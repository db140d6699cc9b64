package io.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What the runs find, as they find it. */
final class Findings {
  private final Consumer<String> progress;
  private final List<Line> lines = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();

  /**
   * @param progress hears what is done next
   */
  Findings(Consumer<String> progress) {
    this.progress = progress;
  }

  /** The next thing to be measured. */
  void begin(String what) {
    progress.accept("measuring " + what);
  }

  /** How far something is that takes long. */
  void tell(String what) {
    progress.accept(what);
  }

  void add(Line line) {
    lines.add(line);
  }

  void add(Plot plot) {
    plots.add(plot);
  }

  List<Line> lines() {
    return lines;
  }

  List<Plot> plots() {
    return plots;
  }
}
