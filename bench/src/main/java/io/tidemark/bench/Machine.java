package io.tidemark.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Where the figures come from. */
final class Machine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** The machine, the JVM, and how loaded the machine is now. */
  static Map<String, String> here() {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("processor", processor());
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("loadAverageAtStart", load());
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("jvm", System.getProperty("java.vm.name") + " " + Runtime.version());
    machine.put("maxHeapMiB", Long.toString(Runtime.getRuntime().maxMemory() >> 20));
    return machine;
  }

  private static String load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? "not known here" : String.format(Locale.ROOT, "%.2f", load);
  }

  private static String processor() {
    String architecture = System.getProperty("os.arch");
    try {
      for (String line : Files.readAllLines(PROCESSORS)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (IOException e) { // only Linux has it
      return architecture;
    }
    return architecture;
  }
}
