package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BacklogTest {
  private final Backlog backlog = new Backlog(new Kinds(Fixture.TYPES).places());

  @Test
  void fillBatch_afterEverythingWasForgotten_stillHasAllThatWasTaken() {
    backlog.waiting().merge(7, 300, 1);
    backlog.waiting().merge(8, 300, 2);
    backlog.cover(5);
    assertThat(backlog.take()).isTrue();
    assertThat(backlog.drop()).as("something was lost").isTrue();
    assertThat(backlog.fillBatch().size()).as("never the offset without its numbers").isEqualTo(2);
    assertThat(backlog.batchOffset()).isEqualTo(5);
  }

  @Test
  void fillBatch_whileMoreArrives_hasWhatWasTakenAlone() {
    backlog.waiting().merge(7, 300, 1);
    backlog.cover(2);
    assertThat(backlog.take()).isTrue();
    backlog.waiting().merge(7, 300, 2);
    backlog.cover(3);
    assertThat(backlog.fillBatch().number(0)).isEqualTo(1);
    assertThat(backlog.fillBatch().size()).as("as often as it is tried").isEqualTo(1);
    backlog.written();
    assertThat(backlog.take()).isTrue();
    assertThat(backlog.fillBatch().number(0)).isEqualTo(2);
    assertThat(backlog.batchOffset()).isEqualTo(3);
  }
}
