package io.tidemark.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tidemark} command: options that stand alone, and the list of its subcommands. */
@Command(
    name = "tidemark",
    description = "Monotonic numbers for event-sourced platforms, on the storage of your choice.",
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      InspectCommand.class,
      VerifyCommand.class,
      RebuildCommand.class,
      ImportCommand.class,
      ResolveCommand.class,
      SimulateCommand.class,
      TortureCommand.class,
      SequenceCommand.class,
      TckCommand.class,
      BenchCommand.class,
      SchemaCommand.class,
      ConfigCommand.class,
      CompletionCommand.class,
      WorkerCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a problem was found",
      "2:wrong usage",
      "3:the storage cannot be reached"
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  Main() {}

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param args what the user typed after {@code tidemark}
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    Failures failures = new Failures();
    return new CommandLine(new Main())
        .registerConverter(java.time.Duration.class, new Durations())
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing a subcommand or an option");
  }
}
