package io.tidemark.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class StorageUriTest {

  @Test
  void parse_ofAUri_readsSchemeLocationAndOptions() {
    StorageUri uri = StorageUri.parse("postgres://u:secret@host:1/db?app=shop&schema=a%20b");
    assertThat(uri.scheme()).isEqualTo("postgres");
    assertThat(uri.location()).isEqualTo("//u:secret@host:1/db");
    assertThat(uri.application()).isEqualTo("shop");
    assertThat(uri.options()).containsEntry("schema", "a b");
    assertThat(uri.toString()).doesNotContain("secret");
    assertThat(StorageUri.parse("memory:x").application()).isEqualTo("default");
  }

  @Test
  void parse_ofAMalformedUri_saysWhatIsWrong() {
    assertThatThrownBy(() -> StorageUri.parse("shop.db")).hasMessageContaining("'shop.db'");
    assertThatThrownBy(() -> StorageUri.parse("sqlite:a?app")).hasMessageContaining("'app'");
    assertThatThrownBy(() -> StorageUri.parse("sqlite:a?x=1&x=2")).hasMessageContaining("'x'");
  }

  @Test
  void parse_ofAMalformedUri_neverShowsAPassword() {
    for (String uri :
        new String[] {
          "Postgres://u:s3cret@h/db",
          "postgres://u:pa?s3cret@h/db",
          "postgres://h/db?password=s3cret&password=s3cret2",
          "postgres://h/db?password=%zs3cret"
        }) {
      assertThatThrownBy(() -> StorageUri.parse(uri))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("s3cret")
          .hasNoCause();
    }
  }
}
