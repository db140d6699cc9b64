package io.tidemark.spi;

/** The storage holds no such application, and none was to be created: a layout creates one. */
public final class UnknownApplicationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Names the application. */
  public UnknownApplicationException(String application) {
    super(
        "the storage holds no application '"
            + application
            + "'; name another one (?app=NAME), or give a layout to create it");
  }
}
