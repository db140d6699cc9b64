package io.tidemark.cli;

import io.tidemark.spi.StorageUri;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints what an administrator must run where the application may not create tables itself. */
@Command(
    name = "schema",
    description = "The storage's schema.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true)
final class SchemaCommand {
  SchemaCommand() {}

  /** Prints the statements. */
  @Command(
      name = "print",
      description = "Prints the statements that create the schema; connects to nothing.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  int print(@Mixin Storages storages, @Mixin Output output) {
    StorageUri uri = storages.uri();
    String schema = Storages.driver(uri).schema(uri);
    output.document(Map.of("scheme", uri.scheme(), "schema", schema));
    output.say(
        "%s", schema.isBlank() ? "-- the storage '" + uri.scheme() + "' has no schema" : schema);
    return 0;
  }
}
