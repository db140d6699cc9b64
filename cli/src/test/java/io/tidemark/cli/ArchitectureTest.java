package io.tidemark.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The arrows between the modules' main code. They are checked here because the command line is the
 * one module that has all the others on its class path. A module that is missing there fails its
 * rule, since a rule about no class at all is refused.
 */
final class ArchitectureTest {
  private static final List<String> API = List.of("io.tidemark.api..", "io.tidemark.spi..");
  private static final String CORE = "io.tidemark.core..";
  private static final String PIPELINE = "io.tidemark.pipeline..";
  private static final String MEMORY = "io.tidemark.storage.memory..";
  private static final String SQLITE = "io.tidemark.storage.sqlite..";
  private static final String POSTGRES = "io.tidemark.storage.postgres..";
  private static final String CASSANDRA = "io.tidemark.storage.cassandra..";
  private static final String FOUNDATIONDB = "io.tidemark.storage.foundationdb..";
  private static final String SIMULATION = "io.tidemark.simulation..";
  private static final String TCK = "io.tidemark.tck..";
  private static final String BENCH = "io.tidemark.bench..";
  private static final String CLI = "io.tidemark.cli..";

  /** Each module, and what it may see besides the api. */
  private static final Map<String, List<String>> ARROWS =
      Map.ofEntries(
          Map.entry(CORE, List.of()),
          Map.entry(MEMORY, List.of()),
          Map.entry(SQLITE, List.of()),
          Map.entry(POSTGRES, List.of()),
          Map.entry(CASSANDRA, List.of()),
          Map.entry(FOUNDATIONDB, List.of()),
          Map.entry(PIPELINE, List.of(CORE)),
          Map.entry(SIMULATION, List.of(CORE, PIPELINE, MEMORY)),
          Map.entry(TCK, List.of(CORE, PIPELINE, MEMORY, SIMULATION)),
          Map.entry(BENCH, List.of(CORE, PIPELINE, MEMORY)),
          // Storages are found with ServiceLoader.
          Map.entry(CLI, List.of(CORE, PIPELINE, SIMULATION, TCK, BENCH)));

  private static final JavaClasses MAIN_CODE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("test-servers")) // never published
          .importPackages("io.tidemark");

  static Stream<Arguments> arrows() {
    return ARROWS.entrySet().stream().map(e -> arguments(e.getKey(), e.getValue()));
  }

  @ParameterizedTest(name = "{0} sees {1}")
  @MethodSource("arrows")
  void module_seesOfOurs_onlyWhatItsArrowsAllow(String module, List<String> allowed) {
    var seen = new ArrayList<>(API);
    seen.add(module);
    seen.addAll(allowed);
    noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.tidemark..")
                .and(resideOutsideOfPackages(seen.toArray(String[]::new))))
        .check(MAIN_CODE);
  }

  @Test
  void api_seesTheJdkAndJSpecify_andNothingElse() {
    classes()
        .that()
        .resideInAnyPackage(API.toArray(String[]::new))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify..", "io.tidemark.api..", "io.tidemark.spi..")
        .check(MAIN_CODE);
  }

  @Test
  void everyClass_belongsToAModuleWithArrows() {
    var modules = new ArrayList<>(API);
    modules.addAll(ARROWS.keySet());
    classes().should().resideInAnyPackage(modules.toArray(String[]::new)).check(MAIN_CODE);
  }
}
