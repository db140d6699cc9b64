package io.tidemark.cli;

import com.google.errorprone.annotations.FormatMethod;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How a command answers: text for people, or one JSON document on standard output. */
final class Output {
  private static final Gson JSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().setPrettyPrinting().create();

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--json",
      description = "Write one JSON document to standard output; everything else goes to error.")
  private boolean json;

  @Option(names = "--verbose", description = "Show the stack trace of an error.")
  private boolean verbose;

  Output() {}

  boolean isJson() {
    return json;
  }

  boolean isVerbose() {
    return verbose;
  }

  /** Where the answer goes: standard output, or nowhere for people's text when JSON was asked. */
  PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Where progress and complaints go. */
  PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** One line for people; nothing with {@code --json}. */
  @FormatMethod
  void say(String format, @Nullable Object... arguments) {
    if (!json) {
      out().println(String.format(Locale.ROOT, format, arguments));
    }
  }

  /** A word in green, on a terminal. */
  String good(String word) {
    return paint("fg(green),bold", word);
  }

  /** A word in red, on a terminal. */
  String bad(String word) {
    return paint("fg(red),bold", word);
  }

  /** A heading in bold, on a terminal. */
  String strong(String words) {
    return paint("bold", words);
  }

  private static String paint(String style, String words) {
    return Ansi.AUTO.enabled() ? Ansi.AUTO.string("@|" + style + " " + words + "|@") : words;
  }

  /** Writes the document, with {@code --json}. */
  void document(Object document) {
    if (json) {
      out().println(JSON.toJson(document));
    }
  }

  /** A bar for long work that counts to {@code total}; silent unless a person looks on. */
  Progress progress(String what, long total) {
    return new Progress(err(), Ansi.AUTO.enabled() && !json, what, total);
  }
}
