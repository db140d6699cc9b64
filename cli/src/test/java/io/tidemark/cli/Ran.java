package io.tidemark.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A command that ran inside this process: its exit code and what it wrote. */
record Ran(int code, String out, String err) {
  static Ran tidemark(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Ran(code, out.toString(), err.toString());
  }
}
