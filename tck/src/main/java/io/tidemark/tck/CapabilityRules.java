package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;

/** Rule C-1: a storage promises what its certificate says, no more and no less. */
interface CapabilityRules extends StorageHarness {

  @Rule("C-1")
  @Example
  default void capabilities_asDeclared_areThoseTheTestRestates() {
    assertThat(Scene.of(this).app().capabilities())
        .as("what the storage declares, against what its test certifies")
        .containsExactlyInAnyOrderElementsOf(certifies());
  }
}
