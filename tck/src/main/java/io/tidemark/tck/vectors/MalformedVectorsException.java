package io.tidemark.tck.vectors;

/** A file is not one of test vectors; the message names the place. */
public final class MalformedVectorsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedVectorsException(String message, Throwable cause) {
    super(message, cause);
  }

  MalformedVectorsException(String place, String expected, Object found) {
    super("at " + place + ": expected " + expected + ", found " + found);
  }
}
