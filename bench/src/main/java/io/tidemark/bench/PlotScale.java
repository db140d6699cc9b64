package io.tidemark.bench;

import io.tidemark.bench.Plot.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Where values lie along an axis, and which of them get a mark. */
final class PlotScale {
  private static final double[] NINES = {50, 90, 99, 99.9, 99.99, 99.999};

  private final Scale scale;
  private final double from;
  private final double to;
  private final List<Double> marks = new ArrayList<>();

  /** An axis that shows all {@code values}. */
  PlotScale(Scale scale, double[] values) {
    this.scale = scale;
    double least = DoubleStream.of(values).min().orElse(0);
    double most = DoubleStream.of(values).max().orElse(1);
    switch (scale) {
      case LINEAR -> {
        double step = step(most);
        from = 0;
        to = Math.max(step, Math.ceil(most / step) * step);
        for (int i = 0; i * step <= to * 1.0001; i++) {
          marks.add(i * step);
        }
      }
      case LOG -> {
        double low = Math.floor(along(Math.max(least, 1e-9)) + 1e-9);
        double high = Math.ceil(along(Math.max(most, 1e-9)) - 1e-9);
        from = low;
        to = Math.max(high, low + 1);
        for (double power = from; power <= to; power++) {
          marks.add(Math.pow(10, power));
          if (to - from <= 2 && power < to) {
            marks.add(2 * Math.pow(10, power));
            marks.add(5 * Math.pow(10, power));
          }
        }
      }
      default -> {
        from = 0;
        to = Math.max(along(99), along(most));
        for (double nine : NINES) {
          if (along(nine) <= to + 1e-9) {
            marks.add(nine);
          }
        }
      }
    }
  }

  /** 1, 2 or 5 times a power of ten, so that there are about five marks. */
  private static double step(double most) {
    double rough = Math.max(most, 1e-9) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  }

  private double along(double value) {
    return switch (scale) {
      case LINEAR -> value;
      case LOG -> Math.log10(value);
      case NINES -> -Math.log10(1 - value / 100);
    };
  }

  /** 0 at the axis' beginning, 1 at its end. */
  double place(double value) {
    double least = scale == Scale.LOG ? Math.pow(10, from) : 0;
    return (along(Math.max(value, least)) - from) / (to - from);
  }

  List<Double> marks() {
    return marks;
  }

  /** A mark's text: 1k, 1M; percentiles as they are. */
  static String shown(double value) {
    if (value >= 1e6) {
      return trimmed(value / 1e6) + "M";
    }
    return value >= 1e3 ? trimmed(value / 1e3) + "k" : trimmed(value);
  }

  private static String trimmed(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }
}
