package io.tidemark.bench;

import io.tidemark.bench.Plot.Point;
import io.tidemark.bench.Plot.Series;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Draws a plot as SVG that stands in a page; its colours are the page's. */
final class PlotSvg {
  private static final int WIDTH = 440;
  private static final int HEIGHT = 290;
  private static final int LEFT = 46;
  private static final int RIGHT = 22;
  private static final int TOP = 22;
  private static final int BOTTOM = 40;
  private static final int COLOURS = 5;

  private final Plot plot;
  private final PlotScale x;
  private final PlotScale y;
  private final StringBuilder svg = new StringBuilder();

  private PlotSvg(Plot plot) {
    this.plot = plot;
    x = new PlotScale(plot.x().scale(), values(plot, Point::x).toArray());
    y =
        new PlotScale(
            plot.y().scale(),
            DoubleStream.concat(values(plot, Point::low), values(plot, Point::high)).toArray());
  }

  private static DoubleStream values(Plot plot, ToDoubleFunction<Point> of) {
    return plot.series().stream().flatMap(s -> s.points().stream()).mapToDouble(of);
  }

  /** The plot with its title and its legend. */
  static String figure(Plot plot) {
    StringBuilder legend = new StringBuilder("<ul class=\"legend\">");
    for (int i = 0; i < plot.series().size(); i++) {
      legend.append("<li class=\"c").append(i % COLOURS).append("\"><svg viewBox=\"0 0 16 8\">");
      legend.append("<path d=\"M0 4H16\" stroke=\"currentColor\" stroke-width=\"2\"/>");
      legend.append(mark(i, 8, 4)).append("</svg> <span>");
      legend.append(BenchPage.escape(plot.series().get(i).name())).append("</span></li>");
    }
    return "<figure><figcaption>"
        + BenchPage.escape(plot.title())
        + "</figcaption>"
        + new PlotSvg(plot).draw()
        + legend
        + "</ul></figure>\n";
  }

  private String draw() {
    add(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
        WIDTH, HEIGHT, BenchPage.escape(plot.title()));
    for (double mark : x.marks()) {
      double at = across(mark);
      add("<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, TOP, HEIGHT - BOTTOM);
      add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          at, HEIGHT - BOTTOM + 15, PlotScale.shown(mark));
    }
    for (double mark : y.marks()) {
      double at = up(mark);
      add("<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at, WIDTH - RIGHT);
      add(
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
          LEFT - 5, at + 4, PlotScale.shown(mark));
    }
    add(
        "<path class=\"frame\" fill=\"none\" d=\"M%d %dV%dH%d\"/>",
        LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
        WIDTH - RIGHT, HEIGHT - 8, BenchPage.escape(plot.x().label()));
    add("<text x=\"4\" y=\"13\">%s</text>", BenchPage.escape(plot.y().label()));
    List<Series> series = plot.series();
    for (int i = 0; i < series.size(); i++) {
      curve(i, series.get(i).points());
    }
    return svg.append("</svg>").toString();
  }

  private void curve(int number, List<Point> points) {
    add("<g class=\"c%d\" stroke=\"currentColor\">", number % COLOURS);
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.isEmpty() ? "M" : "L");
      path.append(String.format(Locale.ROOT, "%.1f %.1f", across(point.x()), up(point.y())));
    }
    add("<path fill=\"none\" stroke-width=\"2\" d=\"%s\"/>", path);
    for (Point point : points) {
      double at = across(point.x());
      if (point.low() < point.high()) {
        add("<path d=\"M%.1f %.1fV%.1f\"/>", at, up(point.low()), up(point.high()));
      }
      svg.append(mark(number, at, up(point.y())));
    }
    svg.append("</g>");
  }

  /** Curves differ by shape too, for those who see colours otherwise. */
  private static String mark(int number, double x, double y) {
    String shape =
        switch (number % 4) {
          case 0 -> "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0";
          case 1 -> "m-3 -3h6v6h-6z";
          case 2 -> "m0 -4l4 7h-8z";
          default -> "m0 -4l4 4l-4 4l-4 -4z";
        };
    return String.format(
        Locale.ROOT, "<path fill=\"currentColor\" d=\"M%.1f %.1f%s\"/>", x, y, shape);
  }

  private double across(double value) {
    return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
  }

  private double up(double value) {
    return HEIGHT - BOTTOM - y.place(value) * (HEIGHT - BOTTOM - TOP);
  }

  private void add(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments));
  }
}
