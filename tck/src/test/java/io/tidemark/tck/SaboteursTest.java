package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The kit tested: each saboteur is caught by its rule, and each check catches somebody. */
class SaboteursTest {
  private static final int TRIES = 6;

  /** Kept, so that it stays silent: an engine over a sabotaged storage has a lot to warn of. */
  private static final Logger ENGINE = Logger.getLogger("io.tidemark.core");

  @BeforeAll
  static void silence() {
    ENGINE.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    ENGINE.setLevel(null);
  }

  @Test
  void kit_overEachSaboteur_findsItsRuleBrokenAndNoOtherThanListed() {
    Map<String, Set<String>> caughtBy = new LinkedHashMap<>();
    Map<String, Set<String>> rules = new TreeMap<>(RuleOrder.INSTANCE);
    List<String> wrong = new ArrayList<>();
    for (Saboteur saboteur : all()) {
      CertificationReport report = SabotagedTck.run(saboteur, TRIES);
      for (CheckResult result : report.results()) {
        if (result.verdict() == Verdict.FAILED) {
          caughtBy.computeIfAbsent(result.name(), check -> new TreeSet<>()).add(saboteur.name());
          judge(saboteur, result, wrong);
        }
      }
      for (String rule : saboteur.breaks()) {
        rules.computeIfAbsent(rule, unused -> new TreeSet<>()).add(saboteur.name());
        if (!report.broken().contains(rule)) {
          wrong.add("'" + saboteur.name() + "' was not caught by " + rule);
        }
      }
    }
    List<Method> checks = Recorder.checks(StorageTck.class);
    for (Method check : checks) {
      if (!caughtBy.containsKey(check.getName())) {
        wrong.add("no saboteur is caught by " + check.getName());
      }
    }
    print(rules);
    assertThat(wrong).as("what is wrong with the kit or its saboteurs").isEmpty();
  }

  private static void judge(Saboteur saboteur, CheckResult broken, List<String> wrong) {
    if (!saboteur.accountsFor(broken)) {
      wrong.add(
          "'" + saboteur.name() + "' is caught by " + broken.name() + " too: " + broken.rules());
    }
    if (!broken.message().startsWith("rule ") || !broken.message().contains("replay with seed")) {
      wrong.add(broken.name() + " says: " + broken.message());
    }
  }

  private static void print(Map<String, Set<String>> rules) {
    StringBuilder table = new StringBuilder("Rules and who breaks them:\n");
    rules.forEach(
        (rule, who) -> table.append("  %-5s %s%n".formatted(rule, String.join("; ", who))));
    System.out.println(table);
  }

  private static List<Saboteur> all() {
    List<Saboteur> all = new ArrayList<>(NumberSaboteurs.all());
    all.addAll(LogSaboteurs.all());
    all.addAll(RowSaboteurs.all());
    all.addAll(OwnershipSaboteurs.all());
    all.addAll(SequenceSaboteurs.all());
    return all;
  }
}
