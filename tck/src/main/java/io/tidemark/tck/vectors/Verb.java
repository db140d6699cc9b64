package io.tidemark.tck.vectors;

import java.util.Arrays;
import java.util.Set;

/** What a vector can ask for, with the arguments it needs and those it may have. */
enum Verb {
  CREATE("create", "", "seq definition"),
  DESCRIBE("describe", "", "seq"),
  NEXT("next", "", "seq tx"),
  CURRENT("current", "", "seq tx"),
  STATE("state", "", "seq"),
  RESTART("restart", "", "seq with tx"),
  SET("set", "value called", "seq tx"),
  ALTER("alter", "set", "seq"),
  DROP("drop", "", "seq"),
  BEGIN("begin", "tx", ""),
  COMMIT("commit", "tx", "durable"),
  ROLLBACK("rollback", "tx", ""),
  CLOSE("close", "", ""),
  CRASH("crash", "", ""),
  REOPEN("reopen", "", ""),
  CONCURRENT_NEXT("concurrentNext", "threads perThread", "seq"),
  PUT("put", "version value", "seq tx concurrent"),
  READ_LATEST("readLatest", "", "seq"),
  CONCURRENT_PUT("concurrentPut", "threads fromVersion toVersion valueOf", "seq"),
  CONCURRENT_PUT_AND_READ("concurrentPutAndRead", "threads fromVersion toVersion valueOf", "seq"),
  ENGINE_VERSION("engineVersion", "", "seq");

  private final String word;
  private final String required;
  private final String optional;

  Verb(String word, String required, String optional) {
    this.word = word;
    this.required = required;
    this.optional = optional;
  }

  static Verb read(Place word) {
    String text = word.text();
    return Arrays.stream(values())
        .filter(verb -> verb.word.equals(text))
        .findFirst()
        .orElseThrow(() -> word.malformed("one of " + Arrays.toString(values())));
  }

  Set<String> required() {
    return words(required);
  }

  Set<String> optional() {
    return words(optional);
  }

  private static Set<String> words(String text) {
    return text.isEmpty() ? Set.of() : Set.of(text.split(" ", -1));
  }

  @Override
  public String toString() {
    return word;
  }
}
