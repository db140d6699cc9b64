package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Keeps the usage texts of docs/cli.md equal to what the commands print. After a change run the
 * test with {@code -Dtidemark.docs=write}, which writes them anew; what stands between them is
 * kept.
 */
final class CliDocTest {
  private static final Path PAGE = Path.of("../docs/cli.md");

  @Test
  void page_showsTheUsageOfEveryCommand_asItIs() throws IOException {
    List<CommandLine> commands = new ArrayList<>();
    collect(Main.commandLine(), commands);
    if ("write".equals(System.getProperty("tidemark.docs"))) {
      write(commands);
    }
    String page = Files.readString(PAGE);
    for (CommandLine command : commands) {
      assertThat(page)
          .as("docs/cli.md; run this test with -Dtidemark.docs=write")
          .contains(block(command));
    }
  }

  private static void write(List<CommandLine> commands) throws IOException {
    String page = Files.readString(PAGE);
    for (CommandLine command : commands) {
      int begin = page.indexOf(begin(command));
      int end = begin < 0 ? -1 : page.indexOf(end(), begin) + end().length() + 1;
      page =
          begin < 0
              ? page + "\n" + block(command)
              : page.substring(0, begin) + block(command) + page.substring(end);
    }
    Files.writeString(PAGE, page);
  }

  private static void collect(CommandLine command, List<CommandLine> into) {
    into.add(command);
    for (CommandLine sub : command.getSubcommands().values()) {
      if (!sub.getCommandSpec().usageMessage().hidden()) {
        collect(sub, into);
      }
    }
  }

  private static String block(CommandLine command) {
    String usage =
        command.setUsageHelpAutoWidth(false).setUsageHelpWidth(100).getUsageMessage(Ansi.OFF);
    return begin(command) + "\n```\n" + usage.replace("\r\n", "\n") + "```\n" + end() + "\n";
  }

  private static String begin(CommandLine command) {
    return "<!-- usage of " + command.getCommandSpec().qualifiedName() + " -->";
  }

  private static String end() {
    return "<!-- end of usage -->";
  }
}
