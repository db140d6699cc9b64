package io.tidemark.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

final class SequenceDefinitionTest {

  @Example
  @Tag("Q-1")
  void build_withContradiction_namesTheField() {
    assertField("increment", () -> SequenceDefinition.named("s").increment(0).build());
    assertField("range", () -> SequenceDefinition.named("s").min(7L).max(7L).build());
    assertField("start", () -> SequenceDefinition.named("s").start(1L).min(2L).build());
    assertField("start", () -> SequenceDefinition.named("s").start(10L).increment(-1).build());
    assertField("name", () -> SequenceDefinition.named(" ").build());
  }

  private static void assertField(String field, Runnable build) {
    assertThatThrownBy(build::run)
        .isInstanceOfSatisfying(
            InvalidSequenceException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  @Example
  void build_withDefaults_countsAsPostgresqlDoes() {
    assertThat(SequenceDefinition.named("up").build())
        .isEqualTo(new SequenceDefinition("up", 1, 1, Long.MAX_VALUE, 1, false));
    assertThat(SequenceDefinition.named("down").increment(-1).build())
        .isEqualTo(new SequenceDefinition("down", -1, Long.MIN_VALUE, -1, -1, false));
  }

  @Property
  @Tag("Q-2")
  @Tag("Q-3")
  void after_anyLastNumber_agreesWithExactArithmetic(
      @ForAll long min,
      @ForAll long max,
      @ForAll long increment,
      @ForAll long last,
      @ForAll boolean cycle) {
    Assume.that(increment != 0 && min < max);
    SequenceDefinition definition =
        SequenceDefinition.named("s").min(min).max(max).increment(increment).cycle(cycle).build();
    BigInteger next = BigInteger.valueOf(last).add(BigInteger.valueOf(increment));
    boolean shortOfRange = increment > 0 ? last < min : last > max;
    boolean exceeded =
        !shortOfRange
            && (increment > 0
                ? next.compareTo(BigInteger.valueOf(max)) > 0
                : next.compareTo(BigInteger.valueOf(min)) < 0);
    assertThat(definition.exceededAfter(last)).isEqualTo(exceeded);
    if (shortOfRange || (exceeded && cycle)) {
      assertThat(definition.after(last)).isEqualTo(increment > 0 ? min : max);
    } else if (exceeded) {
      assertThatThrownBy(() -> definition.after(last))
          .isInstanceOf(SequenceExhaustedException.class);
    } else {
      assertThat(definition.after(last)).isEqualTo(next.longValueExact());
    }
  }

  @Property
  void parse_ofWhatToStringWrote_isTheSame(
      @ForAll String name,
      @ForAll long min,
      @ForAll long max,
      @ForAll long increment,
      @ForAll boolean cycle) {
    Assume.that(increment != 0 && min < max && !name.isBlank());
    SequenceDefinition definition =
        SequenceDefinition.named(name).min(min).max(max).increment(increment).cycle(cycle).build();
    assertThat(SequenceDefinition.parse(definition.toString())).isEqualTo(definition);
  }

  @Example
  void parse_ofSqlText_readsEveryOption() {
    String sql = "create sequence s start with 10 increment by -1 minvalue 0 maxvalue 10 cycle;";
    assertThat(SequenceDefinition.parse(sql))
        .isEqualTo(new SequenceDefinition("s", 10, 0, 10, -1, true));
    assertThat(SequenceDefinition.parse("CREATE SEQUENCE \"a b\" NO MINVALUE NO MAXVALUE NO CYCLE"))
        .isEqualTo(SequenceDefinition.named("a b").build());
  }

  @Example
  void parse_ofBadText_namesPositionAndWord() {
    assertThatThrownBy(() -> SequenceDefinition.parse("CREATE SEQUENCE s START WITH ten"))
        .hasMessage("expected a whole number within 64 bits at position 30, found 'ten'");
    assertThatThrownBy(() -> SequenceDefinition.parse("CREATE TABLE s"))
        .hasMessage("expected SEQUENCE at position 8, found 'TABLE'");
    assertThatThrownBy(() -> SequenceDefinition.parse("CREATE SEQUENCE s CACHE 20"))
        .hasMessageContaining("at position 19, found 'CACHE'");
    assertThatThrownBy(() -> SequenceDefinition.parse("CREATE SEQUENCE s; x"))
        .hasMessage("expected the end of the text at position 20, found 'x'");
  }

  @Example
  void alteration_ofSqlText_changesWhatItNames() {
    SequenceDefinition old = SequenceDefinition.named("s").min(5L).max(50L).build();
    SequenceAlteration alteration =
        SequenceAlteration.parse("alter sequence s increment by 10 no maxvalue cycle;");
    assertThat(alteration.name()).isEqualTo("s");
    assertThat(alteration.isRestart()).isFalse();
    assertThat(alteration.of(old))
        .isEqualTo(new SequenceDefinition("s", 5, 5, Long.MAX_VALUE, 10, true));
  }

  @Example
  void alteration_thatRestarts_tellsWithWhat() {
    assertThat(SequenceAlteration.parse("ALTER SEQUENCE s RESTART").isRestart()).isTrue();
    assertThat(SequenceAlteration.parse("ALTER SEQUENCE s RESTART").restartWith()).isNull();
    assertThat(SequenceAlteration.parse("ALTER SEQUENCE s RESTART WITH -7").restartWith())
        .isEqualTo(-7);
    assertThat(SequenceAlteration.parse("ALTER SEQUENCE s RESTART 8;").restartWith()).isEqualTo(8);
    assertThatThrownBy(
            () ->
                SequenceAlteration.parse("ALTER SEQUENCE s RESTART")
                    .of(SequenceDefinition.named("s").build()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Example
  void alteration_ofBadText_namesPositionAndWord() {
    assertThatThrownBy(() -> SequenceAlteration.parse("ALTER SEQUENCE s"))
        .hasMessage("expected RESTART or an option at position 17, found the end of the text");
    assertThatThrownBy(() -> SequenceAlteration.parse("ALTER SEQUENCE s RESTART WITH 1 CYCLE"))
        .hasMessage("expected the end of the text at position 33, found 'CYCLE'");
  }
}
