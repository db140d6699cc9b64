package io.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the settings in force. */
@Command(
    name = "config",
    description = "The settings of this command.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true)
final class ConfigCommand {
  ConfigCommand() {}

  /** One setting, as shown. */
  record Shown(String name, @Nullable String value, String source, String meaning) {}

  /** Prints the settings. */
  @Command(
      name = "print",
      description = {
        "Prints each setting in force and where it comes from; passwords are hidden.",
        "A setting is an environment variable (TIDEMARK_STORAGE), a line of tidemark.properties in "
            + "the current folder (storage=…), or the default. Options of a command win."
      },
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int print(@Mixin Output output) {
    Settings settings = Settings.load();
    List<Shown> shown = new ArrayList<>();
    Table table = new Table("setting", "value", "from", "meaning");
    for (Settings.Key key : Settings.KEYS) {
      Settings.Setting setting = settings.get(key);
      String value = setting.shown();
      shown.add(new Shown(key.name(), value, setting.source(), key.meaning()));
      table.row(key.name(), value == null ? "(none)" : value, setting.source(), key.meaning());
    }
    output.document(shown);
    output.say("%s", table);
    return 0;
  }
}
