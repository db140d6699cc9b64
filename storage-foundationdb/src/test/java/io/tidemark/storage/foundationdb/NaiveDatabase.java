package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.MutationType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the documentation says, as plainly as it can be written: a sorted map, one operation after
 * the other. Keys and values are texts of one byte per character, which sort as their bytes do.
 */
final class NaiveDatabase {
  private final NavigableMap<String, String> rows = new TreeMap<>();

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  NaiveDatabase copy() {
    NaiveDatabase copy = new NaiveDatabase();
    copy.rows.putAll(rows);
    return copy;
  }

  Map<String, String> rows() {
    return rows;
  }

  @Nullable String get(String key) {
    return rows.get(key);
  }

  /** The key {@code offset} places behind the last one that is less than, or equal to, a key. */
  String getKey(String key, boolean orEqual, int offset) {
    List<String> keys = new ArrayList<>(rows.keySet());
    int lastLess = -1;
    for (int i = 0; i < keys.size(); i++) {
      int order = keys.get(i).compareTo(key);
      if (order < 0 || (orEqual && order == 0)) {
        lastLess = i;
      }
    }
    return keys.get(lastLess + offset);
  }

  List<String> getRange(String begin, String end, int limit, boolean reverse) {
    List<String> found = new ArrayList<>();
    if (begin.compareTo(end) < 0) {
      var range = rows.subMap(begin, true, end, false);
      (reverse ? range.descendingMap() : range).forEach((k, v) -> found.add(k + "=" + v));
    }
    return limit == 0 || found.size() < limit ? found : found.subList(0, limit);
  }

  void set(String key, String value) {
    rows.put(key, value);
  }

  void clear(String begin, String end) {
    if (begin.compareTo(end) < 0) {
      rows.subMap(begin, end).clear();
    }
  }

  void mutate(MutationType type, String key, String param) {
    String value = mutated(type, rows.get(key), param);
    if (value == null) {
      rows.remove(key);
    } else {
      rows.put(key, value);
    }
  }

  private static @Nullable String mutated(MutationType type, @Nullable String old, String param) {
    int length = param.length();
    return switch (type) {
      case ADD -> write(read(old, length).add(read(param, length)), length);
      case BIT_AND ->
          old == null ? param : write(read(old, length).and(read(param, length)), length);
      case BIT_OR -> write(read(old, length).or(read(param, length)), length);
      case BIT_XOR -> write(read(old, length).xor(read(param, length)), length);
      case MAX -> old == null ? param : write(read(old, length).max(read(param, length)), length);
      case MIN -> old == null ? param : write(read(old, length).min(read(param, length)), length);
      case BYTE_MAX -> old == null || old.compareTo(param) < 0 ? param : old;
      case BYTE_MIN -> old == null || old.compareTo(param) > 0 ? param : old;
      case APPEND_IF_FITS -> old == null ? param : old + param;
      case COMPARE_AND_CLEAR -> param.equals(old) ? null : old;
      default -> throw new IllegalArgumentException("not modelled: " + type);
    };
  }

  /** A little-endian number of exactly so many bytes. */
  private static BigInteger read(@Nullable String value, int length) {
    byte[] little = Arrays.copyOf(bytes(value == null ? "" : value), length);
    byte[] big = new byte[length];
    for (int i = 0; i < length; i++) {
      big[i] = little[length - 1 - i];
    }
    return new BigInteger(1, big);
  }

  private static String write(BigInteger number, int length) {
    byte[] little = new byte[length];
    for (int i = 0; i < length; i++) {
      little[i] = number.shiftRight(8 * i).byteValue();
    }
    return text(little);
  }
}
