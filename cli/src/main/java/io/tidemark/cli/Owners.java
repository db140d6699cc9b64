package io.tidemark.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a claim made by this process says of it. */
final class Owners {
  private Owners() {}

  /** Host and process. */
  static String here() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "localhost";
    }
    return host + ":" + ProcessHandle.current().pid();
  }
}
