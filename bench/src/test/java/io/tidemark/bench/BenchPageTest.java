package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.Plot.Axis;
import io.tidemark.bench.Plot.Point;
import io.tidemark.bench.Plot.Scale;
import io.tidemark.bench.Plot.Series;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class BenchPageTest {
  private static final Pattern SVG = Pattern.compile("<svg viewBox=\"0 0 440 .*?</svg>");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

  @TempDir private Path folder;

  private static Plot plot(Scale x, Scale y) {
    List<Point> points =
        List.of(new Point(1, 2, 1, 3), new Point(50, 20, 18, 25), new Point(99.9, 300, 300, 300));
    return new Plot(
        "cost <&\"> size",
        new Axis("size", x),
        new Axis("ns", y),
        List.of(new Series("one", points), new Series("none", List.of())));
  }

  private static BenchReport report() {
    return new BenchReport(
        List.of(
            Line.atMost("fast <enough>", new Samples(1, 2, 3), "x (a)", 10).noting("a & b"),
            Line.atMost("too slow", new Samples(20), "x (a)", 10),
            Line.measured("just looked at", new Samples(5), "ns")),
        List.of(plot(Scale.LOG, Scale.LINEAR), plot(Scale.NINES, Scale.LOG)),
        Map.of("cores", "2"));
  }

  @Test
  void page_standsAlone() throws IOException {
    report().writeTo(folder.resolve("new"));
    String page = Files.readString(folder.resolve("new/bench.html"));

    assertThat(page).doesNotContain("<script", "http:", "https:", "<link", "<img", "@import");
    assertThat(page).contains("prefers-color-scheme: dark", "max-width: 48em", "name=\"viewport\"");
  }

  @Test
  void page_showsEveryFigureWithItsVerdict() {
    String page = BenchPage.write(report());

    assertThat(page)
        .contains(
            "fast &lt;enough&gt;",
            "a &amp; b",
            "class=\"verdict PASS\"",
            "<= 10".replace("<", "&lt;"))
        .contains("too slow", "class=\"verdict SHORT\"")
        .contains("just looked at", "class=\"verdict NONE\"")
        .contains("1 pass, 1 short, 0 unsure, 1 without a target.")
        .contains("cores");
  }

  @Test
  void plots_areWellFormedAndInsideTheirFrame() throws Exception {
    Matcher plots = SVG.matcher(BenchPage.write(report()));
    int found = 0;
    while (plots.find()) {
      found++;
      assertInside(parse(plots.group()));
    }
    assertThat(found).isEqualTo(2);
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static void assertInside(Document svg) {
    NodeList texts = svg.getElementsByTagName("text");
    assertThat(texts.getLength()).as("marks and labels").isGreaterThan(6);
    for (int i = 0; i < texts.getLength(); i++) {
      Element text = (Element) texts.item(i);
      assertThat(Double.parseDouble(text.getAttribute("x"))).isBetween(0.0, 440.0);
      assertThat(Double.parseDouble(text.getAttribute("y"))).isBetween(0.0, 290.0);
    }
    Element curve = (Element) ((Element) svg.getElementsByTagName("g").item(0)).getFirstChild();
    Matcher numbers = NUMBER.matcher(curve.getAttribute("d"));
    int count = 0;
    for (; numbers.find(); count++) {
      assertThat(Double.parseDouble(numbers.group())).isBetween(0.0, 440.0);
    }
    assertThat(count).as("three points").isEqualTo(6);
  }

  @Test
  void curves_withoutPoints_areLeftOut() {
    assertThat(plot(Scale.LOG, Scale.LOG).series()).extracting(Series::name).containsExactly("one");
  }

  @Test
  void marks_areRoundAndReachTheLargestValue() {
    assertThat(new PlotScale(Scale.LINEAR, new double[] {3, 87}).marks())
        .containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
    assertThat(new PlotScale(Scale.LOG, new double[] {1, 1_000_000}).marks())
        .containsExactly(1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6);
    assertThat(new PlotScale(Scale.NINES, new double[] {1, 99.9}).marks())
        .containsExactly(50.0, 90.0, 99.0, 99.9);
    assertThat(PlotScale.shown(1_000_000)).isEqualTo("1M");
    assertThat(PlotScale.shown(100)).isEqualTo("100");
    assertThat(PlotScale.shown(99.9)).isEqualTo("99.9");
  }
}
