package io.tidemark.cli;

import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.SequenceAlteration;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.VersionedValue;
import io.tidemark.core.Sequences;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.UnknownApplicationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** SQL-like sequences. */
@Command(
    name = "sequence",
    description = {
      "SQL-like sequences: creates, draws, changes.",
      "Each of these claims the application's sequences: a process that serves them now is fenced."
    },
    subcommands = CheckVectorsCommand.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true)
final class SequenceCommand {
  private static final int MOST_DRAWS = 1_000_000;

  @Spec private CommandSpec spec;

  SequenceCommand() {}

  /** One sequence, as shown. */
  record Shown(
      String name,
      long id,
      long start,
      long increment,
      long min,
      long max,
      boolean cycle,
      long value,
      boolean called,
      long version,
      String sql) {

    static Shown of(ISequence<?> sequence) {
      SequenceDefinition definition = sequence.definition();
      VersionedValue state = sequence.state();
      return new Shown(
          definition.name(),
          sequence.id(),
          definition.start(),
          definition.increment(),
          definition.min(),
          definition.max(),
          definition.cycle(),
          state.value(),
          state.issued(),
          state.version(),
          definition.toString());
    }
  }

  /** Creates a sequence. */
  @Command(
      name = "create",
      description = {
        "Creates a sequence, and the application with one partition when it is new.",
        "Give a name and options, or the SQL text: create \"CREATE SEQUENCE s INCREMENT BY -1\"."
      },
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int create(
      @Mixin Storages storages,
      @Mixin Output output,
      @Mixin SequenceFlags flags,
      @Parameters(paramLabel = "NAME|SQL", description = "The name, or the whole statement.")
          String text) {
    SequenceDefinition definition = definition(text, flags);
    try (IAppStorage app = openOrCreate(storages);
        ISequences<?> sequences = claim(app)) {
      long id = sequences.create(definition);
      output.document(Shown.of(sequences.open(definition.name())));
      output.say("created with id %d: %s", id, definition);
      return 0;
    }
  }

  private SequenceDefinition definition(String text, SequenceFlags flags) {
    if (!isStatement(text, "CREATE")) {
      return flags.on(SequenceDefinition.named(text));
    }
    requireNone(flags);
    return SequenceDefinition.parse(text);
  }

  private static boolean isStatement(String text, String verb) {
    return text.strip().toUpperCase(Locale.ROOT).matches("(?s)" + verb + "\\s.*");
  }

  private void requireNone(SequenceFlags flags) {
    if (flags.isAnyGiven()) {
      throw new ParameterException(
          spec.commandLine(), "Give the definition as SQL text or as options, not as both");
    }
  }

  private static IAppStorage openOrCreate(Storages storages) {
    try {
      return storages.open();
    } catch (UnknownApplicationException e) {
      return storages.open(Layout.of(1));
    }
  }

  private static ISequences<?> claim(IAppStorage app) {
    return Sequences.open(app, "tidemark sequence " + Owners.here());
  }

  private static int with(Storages storages, ToIntFunction<ISequences<?>> work) {
    try (IAppStorage app = storages.open();
        ISequences<?> sequences = claim(app)) {
      return work.applyAsInt(sequences);
    }
  }

  /** Lists all sequences. */
  @Command(
      name = "list",
      description = "Lists all sequences of the application.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int list(@Mixin Storages storages, @Mixin Output output) {
    return with(
        storages,
        sequences -> {
          List<Shown> shown = new ArrayList<>();
          Table table =
              new Table("name", "id", "increment", "min", "max", "cycle", "value", "drawn");
          for (SequenceDefinition each : sequences.list()) {
            Shown one = Shown.of(sequences.open(each.name()));
            shown.add(one);
            table.row(
                one.name,
                one.id,
                one.increment,
                one.min,
                one.max,
                one.cycle ? "yes" : "no",
                one.value,
                one.called ? "yes" : "next");
          }
          output.document(shown);
          output.say("%s", shown.isEmpty() ? "There is no sequence." : table);
          return 0;
        });
  }

  /** Shows one sequence. */
  @Command(
      name = "show",
      description = "Shows a sequence: its definition as SQL text, and where it stands.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int show(
      @Mixin Storages storages,
      @Mixin Output output,
      @Parameters(paramLabel = "NAME") String name) {
    return with(
        storages,
        sequences -> {
          report(output, sequences.open(name));
          return 0;
        });
  }

  private static void report(Output output, ISequence<?> sequence) {
    Shown shown = Shown.of(sequence);
    output.document(shown);
    output.say("%s", shown.sql);
    output.say(
        shown.called ? "last number %d, version %d" : "next number %d, version %d",
        shown.value,
        shown.version);
  }

  /** Draws numbers. */
  @Command(
      name = "next",
      description = "Draws a number, durable when it is printed.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int next(
      @Mixin Storages storages,
      @Mixin Output output,
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--count",
              paramLabel = "N",
              defaultValue = "1",
              description = "How many, one a line (default: ${DEFAULT-VALUE}).")
          int count) {
    if (count < 1 || count > MOST_DRAWS) {
      throw new ParameterException(
          spec.commandLine(), "--count must be within 1.." + MOST_DRAWS + ", was " + count);
    }
    return with(
        storages,
        sequences -> {
          ISequence<?> sequence = sequences.open(name);
          List<Long> drawn = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            long number = sequence.nextDurable();
            output.say("%d", number);
            drawn.add(number);
          }
          output.document(Map.of("name", name, "numbers", drawn));
          return 0;
        });
  }

  /** Sets the value. */
  @Command(
      name = "set",
      description = "Sets the value: the next draw follows it, or answers it with --not-called.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int set(
      @Mixin Storages storages,
      @Mixin Output output,
      @Parameters(index = "0", paramLabel = "NAME") String name,
      @Parameters(index = "1", paramLabel = "VALUE") long value,
      @Option(names = "--not-called", description = "The next draw answers the value itself.")
          boolean notCalled) {
    return with(
        storages,
        sequences -> {
          ISequence<?> sequence = sequences.open(name);
          sequence.set(value, !notCalled);
          report(output, sequence);
          return 0;
        });
  }

  /** Restarts. */
  @Command(
      name = "restart",
      description = "The next draw answers the definition's start, or the number given.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int restart(
      @Mixin Storages storages,
      @Mixin Output output,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--with", paramLabel = "N", description = "The next number.")
          @Nullable Long with) {
    return with(
        storages,
        sequences -> {
          ISequence<?> sequence = sequences.open(name);
          restart(sequence, with);
          report(output, sequence);
          return 0;
        });
  }

  private static void restart(ISequence<?> sequence, @Nullable Long with) {
    if (with == null) {
      sequence.restart();
    } else {
      sequence.restart(with);
    }
  }

  /** Changes a definition. */
  @Command(
      name = "alter",
      description = {
        "Changes a definition in place.",
        "Give a name and options, or the SQL text: alter \"ALTER SEQUENCE s MAXVALUE 99\"."
      },
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int alter(
      @Mixin Storages storages,
      @Mixin Output output,
      @Mixin SequenceFlags flags,
      @Parameters(paramLabel = "NAME|SQL", description = "The name, or the whole statement.")
          String text) {
    boolean statement = isStatement(text, "ALTER");
    if (statement) {
      requireNone(flags);
    } else if (!flags.isAnyGiven()) {
      throw new ParameterException(spec.commandLine(), "Give at least one option to change");
    }
    SequenceAlteration alteration = statement ? SequenceAlteration.parse(text) : null;
    return with(
        storages,
        sequences -> {
          String name = alteration == null ? text : alteration.name();
          SequenceDefinition old = sequences.describe(name);
          if (alteration != null && alteration.isRestart()) {
            restart(sequences.open(name), alteration.restartWith());
          } else {
            sequences.alter(alteration == null ? flags.on(old.toBuilder()) : alteration.of(old));
          }
          report(output, sequences.open(name));
          return 0;
        });
  }

  /** Drops a sequence. */
  @Command(
      name = "drop",
      description = "Removes a sequence for ever; its id is never given again.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int drop(
      @Mixin Storages storages,
      @Mixin Output output,
      @Parameters(paramLabel = "NAME") String name) {
    return with(
        storages,
        sequences -> {
          sequences.drop(name);
          output.document(Map.of("dropped", name));
          output.say("dropped %s", name);
          return 0;
        });
  }
}
