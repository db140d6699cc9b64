package io.tidemark.cli;

import io.tidemark.api.BusyException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * One line for each failure, and the exit code: 1 a problem was found, 2 wrong usage, 3 the storage
 * cannot be reached.
 */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
  static final int PROBLEM = 1;
  static final int USAGE = 2;
  static final int UNREACHABLE = 3;

  Failures() {}

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("tidemark: " + failure.getMessage());
    if (command.getParent() == null && !(failure instanceof UnmatchedArgumentException)) {
      command.usage(err);
    } else if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    return USAGE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("tidemark: " + line(failure));
    if (parsed.expandedArgs().contains("--verbose")) {
      failure.printStackTrace(err);
    } else if (code(failure) == PROBLEM && !(failure instanceof StorageException)) {
      err.println("Run it again with --verbose to see where it comes from.");
    }
    return code(failure);
  }

  private static String line(Throwable failure) {
    String message = failure.getMessage();
    Throwable cause = failure.getCause();
    String text = message == null ? failure.getClass().getSimpleName() : message;
    boolean explains =
        failure instanceof StorageException
            && cause != null
            && cause.getMessage() != null
            && !text.contains(cause.getMessage());
    return (explains && cause != null ? text + ": " + cause.getMessage() : text)
        .replaceAll("\\s*\\R\\s*", " ");
  }

  private static int code(Throwable failure) {
    if (failure instanceof StorageUnavailableException) {
      return UNREACHABLE;
    }
    if (failure instanceof IllegalArgumentException || failure instanceof UncheckedIOException) {
      return USAGE;
    }
    return failure instanceof BusyException ? UNREACHABLE : PROBLEM;
  }
}
