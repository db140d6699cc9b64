package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules as written and the rules as checked are the same. */
class SpecTest {
  private static final Pattern ROW = Pattern.compile("\\| ([A-Z]-?\\d+) \\| .* \\| (.*) \\|");
  private static final Pattern KIT = Pattern.compile("kit: ([A-Za-z]+Rules(?:, [A-Za-z]+Rules)*)");

  @Test
  void spec_whereItNamesAChapter_isCheckedThere() throws IOException {
    Map<String, Set<String>> written = new TreeMap<>(RuleOrder.INSTANCE);
    for (String line : Files.readAllLines(Path.of("..", "docs", "spec.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        assertThat(row.group(2)).as("where %s is checked", row.group(1)).isNotBlank();
        Matcher kit = KIT.matcher(row.group(2));
        Set<String> chapters = kit.find() ? Set.of(kit.group(1).split(", ")) : Set.of();
        assertThat(written.put(row.group(1), chapters))
            .as("%s stands twice", row.group(1))
            .isNull();
      }
    }
    written.values().removeIf(Set::isEmpty);
    assertThat(checked()).as("rules and chapters of the kit").isEqualTo(written);
  }

  private static Map<String, Set<String>> checked() {
    List<Method> checks = new ArrayList<>(Recorder.checks(StorageTck.class));
    checks.addAll(Recorder.checks(SequencesTck.class));
    Map<String, Set<String>> checked = new TreeMap<>(RuleOrder.INSTANCE);
    for (Method check : checks) {
      for (String rule : check.getAnnotation(Rule.class).value()) {
        checked
            .computeIfAbsent(rule, unused -> new TreeSet<>())
            .add(check.getDeclaringClass().getSimpleName());
      }
    }
    return checked;
  }
}
