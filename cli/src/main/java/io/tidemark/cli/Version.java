package io.tidemark.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version the build wrote into the jar. */
final class Version implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  @Override
  public String[] getVersion() throws IOException {
    var properties = new Properties();
    try (var in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new FileNotFoundException(RESOURCE);
      }
      properties.load(in);
    }
    return new String[] {"tidemark " + properties.getProperty("version")};
  }
}
