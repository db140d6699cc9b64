package io.tidemark.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
    name = "completion",
    description = {
      "Prints a completion script for bash and zsh.",
      "Now, in this shell: source <(tidemark completion). For ever: add that line to ~/.bashrc or "
          + "~/.zshrc."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  CompletionCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(AutoComplete.bash("tidemark", Main.commandLine()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
