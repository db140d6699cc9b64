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
    subcommands = SimulateCommand.class,
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  Main() {}

  /**
   * Runs the command and ends the process with its exit code: 0 done, 1 failed, 2 wrongly called.
   *
   * @param args what the user typed after {@code tidemark}
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing a subcommand or an option");
  }
}
