package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.NaiveDatabase.bytes;
import static io.tidemark.storage.foundationdb.NaiveDatabase.text;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * One operation of a random transaction, to run on a client and on the naive model. Keys stand
 * behind a prefix, between guards that are always there, so that no key selector leaves them.
 *
 * @param kind what is done
 * @param key the key it is done to
 * @param other the other end of a range
 * @param number an offset, a limit or a mutation's type
 * @param flag or equal, or reverse
 * @param value what is written
 */
record ClientStep(Kind kind, String key, String other, int number, boolean flag, String value) {
  enum Kind {
    GET,
    SNAPSHOT_GET,
    GET_KEY,
    GET_RANGE,
    ITERATE,
    SET,
    CLEAR,
    CLEAR_RANGE,
    MUTATE
  }

  static final int GUARDS = 5;
  private static final List<String> KEYS = List.of("b", "bb", "c", "d", "e", "ea", "f", "g");
  private static final List<MutationType> MUTATIONS =
      List.of(
          MutationType.ADD,
          MutationType.BIT_AND,
          MutationType.BIT_OR,
          MutationType.BIT_XOR,
          MutationType.MAX,
          MutationType.MIN,
          MutationType.BYTE_MAX,
          MutationType.BYTE_MIN,
          MutationType.APPEND_IF_FITS,
          MutationType.COMPARE_AND_CLEAR);

  /** Keys below and above all others, which nobody touches. */
  static void guard(NaiveDatabase model) {
    for (int i = 0; i < GUARDS; i++) {
      model.set("a" + i, "guard");
      model.set("z" + i, "guard");
    }
  }

  static Arbitrary<ClientStep> any(Kind... kinds) {
    Arbitrary<String> keys = Arbitraries.of(KEYS);
    Arbitrary<String> values =
        Arbitraries.strings()
            .withChars('\0', '\1', '\2', 'a', '\u007f', '\u00ff')
            .ofMinLength(1)
            .ofMaxLength(3);
    return Combinators.combine(
            Arbitraries.of(kinds),
            keys,
            keys,
            Arbitraries.integers().between(-3, 4),
            Arbitraries.of(true, false),
            values)
        .as(ClientStep::new);
  }

  private String begin() {
    return key.compareTo(other) < 0 ? key : other;
  }

  private String end() {
    return key.compareTo(other) < 0 ? other : key;
  }

  private int limit() {
    return Math.max(0, number);
  }

  private MutationType mutation() {
    return MUTATIONS.get(Math.floorMod(number + value.length() * 3, MUTATIONS.size()));
  }

  /** What the model answers. */
  String run(NaiveDatabase model) {
    switch (kind) {
      case GET, SNAPSHOT_GET -> {
        return String.valueOf(model.get(key));
      }
      case GET_KEY -> {
        return model.getKey(key, flag, number);
      }
      case GET_RANGE, ITERATE -> {
        return model.getRange(begin(), end(), limit(), flag).toString();
      }
      case SET -> model.set(key, value);
      case CLEAR -> model.clear(key, key + '\0');
      case CLEAR_RANGE -> model.clear(begin(), end());
      case MUTATE -> model.mutate(mutation(), key, value);
    }
    return "";
  }

  /** What the client answers. */
  String run(Transaction transaction, byte[] prefix) {
    byte[] place = at(prefix, key);
    switch (kind) {
      case GET -> {
        return get(transaction, place);
      }
      case SNAPSHOT_GET -> {
        return get(transaction.snapshot(), place);
      }
      case GET_KEY -> {
        byte[] found = transaction.getKey(new KeySelector(place, flag, number)).join();
        return text(found).substring(prefix.length);
      }
      case GET_RANGE -> {
        return rows(
            prefix,
            transaction
                .getRange(at(prefix, begin()), at(prefix, end()), limit(), flag)
                .asList()
                .join());
      }
      case ITERATE -> {
        List<KeyValue> found = new ArrayList<>();
        transaction
            .getRange(at(prefix, begin()), at(prefix, end()), limit(), flag, StreamingMode.ITERATOR)
            .iterator()
            .forEachRemaining(found::add);
        return rows(prefix, found);
      }
      case SET -> transaction.set(place, bytes(value));
      case CLEAR -> transaction.clear(place);
      case CLEAR_RANGE -> transaction.clear(at(prefix, begin()), at(prefix, end()));
      case MUTATE -> transaction.mutate(mutation(), place, bytes(value));
    }
    return "";
  }

  private static String get(ReadTransaction transaction, byte[] place) {
    byte[] found = transaction.get(place).join();
    return String.valueOf(found == null ? null : text(found));
  }

  static byte[] at(byte[] prefix, String key) {
    return ByteArrayUtil.join(prefix, bytes(key));
  }

  static String rows(byte[] prefix, List<KeyValue> found) {
    List<String> rows = new ArrayList<>();
    for (KeyValue row : found) {
      rows.add(text(row.getKey()).substring(prefix.length) + "=" + text(row.getValue()));
    }
    return rows.toString();
  }
}
