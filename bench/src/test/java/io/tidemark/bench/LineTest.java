package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.bench.Line.Verdict;
import org.junit.jupiter.api.Test;

final class LineTest {
  private static final Samples ONE_TO_NINE = new Samples(9, 1, 8, 2, 7, 3, 6, 4, 5);

  @Test
  void samples_answerTheirMedianAndFifths() {
    assertThat(ONE_TO_NINE.median()).isEqualTo(5);
    assertThat(ONE_TO_NINE.low()).isEqualTo(2.6);
    assertThat(ONE_TO_NINE.high()).isEqualTo(7.4);
  }

  @Test
  void ratios_areTakenRoundByRound() {
    // The machine was ten times slower in the second round: the ratio does not see it.
    Samples ratios = Samples.ratios(new double[] {20, 200, 20}, new double[] {10, 100, 10});

    assertThat(ratios.low()).isEqualTo(2);
    assertThat(ratios.high()).isEqualTo(2);
  }

  @Test
  void ratios_ofUnequalRounds_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Samples.ratios(new double[] {1, 2}, new double[] {1}))
        .withMessageContaining("2 and 1");
  }

  @Test
  void verdict_ofAnUpperBound_looksAtTheWholeSpread() {
    assertThat(Line.atMost("x", ONE_TO_NINE, "y", 7.4).verdict()).isEqualTo(Verdict.PASS);
    assertThat(Line.atMost("x", ONE_TO_NINE, "y", 7.3).verdict()).isEqualTo(Verdict.UNSURE);
    assertThat(Line.atMost("x", ONE_TO_NINE, "y", 2.6).verdict()).isEqualTo(Verdict.UNSURE);
    assertThat(Line.atMost("x", ONE_TO_NINE, "y", 2.5).verdict()).isEqualTo(Verdict.SHORT);
  }

  @Test
  void verdict_ofALowerBound_looksAtTheWholeSpread() {
    assertThat(Line.atLeast("x", ONE_TO_NINE, "y", 2.6).verdict()).isEqualTo(Verdict.PASS);
    assertThat(Line.atLeast("x", ONE_TO_NINE, "y", 5).verdict()).isEqualTo(Verdict.UNSURE);
    assertThat(Line.atLeast("x", ONE_TO_NINE, "y", 7.5).verdict()).isEqualTo(Verdict.SHORT);
  }

  @Test
  void verdict_withoutATarget_isNone() {
    Line line = Line.measured("x", ONE_TO_NINE, "y");

    assertThat(line.verdict()).isEqualTo(Verdict.NONE);
    assertThat(line.verdict().word()).isEmpty();
    assertThat(line.shownTarget()).isEqualTo("-");
  }

  @Test
  void figures_areShownWithTheirSpreadAndTarget() {
    Line line = Line.atMost("x", new Samples(1.234, 1.234, 1.5), "x (a)", 10);

    assertThat(line.shown()).isEqualTo("1.23 x (a)");
    assertThat(line.spread()).isEqualTo("1.23 - 1.39");
    assertThat(line.shownTarget()).isEqualTo("<= 10");
    assertThat(Line.measured("x", new Samples(3), "y").spread()).isEqualTo("-");
  }

  @Test
  void smallFigures_areNeverShownAsZero() {
    assertThat(Line.format(0)).isEqualTo("0");
    assertThat(Line.format(0.00025)).isEqualTo("2.5e-04");
    assertThat(Line.format(0.0123)).isEqualTo("0.0123");
    assertThat(Line.format(123456.7)).isEqualTo("123,457");
  }
}
