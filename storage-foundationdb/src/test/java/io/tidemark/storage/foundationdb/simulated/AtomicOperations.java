package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.MutationType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What atomic mutations make of a value, as documented since API version 510. */
final class AtomicOperations {
  static final int VALUE_LIMIT = 100_000;

  private AtomicOperations() {}

  /** The new value; null = none. */
  @SuppressWarnings("deprecation") // AND, OR and XOR are old names of the same mutations
  static byte @Nullable [] apply(MutationType type, byte @Nullable [] old, byte[] param) {
    return switch (type) {
      case ADD -> add(fitted(old, param.length), param);
      case AND, BIT_AND -> old == null ? param : bits(old, param, (a, b) -> a & b);
      case OR, BIT_OR -> bits(old, param, (a, b) -> a | b);
      case XOR, BIT_XOR -> bits(old, param, (a, b) -> a ^ b);
      case MAX ->
          old == null || littleEndian(fitted(old, param.length), param) < 0
              ? param
              : fitted(old, param.length);
      case MIN ->
          old == null || littleEndian(fitted(old, param.length), param) > 0
              ? param
              : fitted(old, param.length);
      case BYTE_MAX -> old == null || Arrays.compareUnsigned(old, param) < 0 ? param : old;
      case BYTE_MIN -> old == null || Arrays.compareUnsigned(old, param) > 0 ? param : old;
      case APPEND_IF_FITS -> append(old, param);
      case COMPARE_AND_CLEAR -> Arrays.equals(old, param) ? null : old;
      case SET_VERSIONSTAMPED_KEY, SET_VERSIONSTAMPED_VALUE ->
          throw new UnsupportedOperationException("versionstamps are not simulated");
    };
  }

  private interface ByteOperator {
    int apply(int a, int b);
  }

  /** The old value cut or filled up with zeros to the length of the parameter. */
  private static byte[] fitted(byte @Nullable [] old, int length) {
    return old == null ? new byte[length] : Arrays.copyOf(old, length);
  }

  private static byte[] bits(byte @Nullable [] old, byte[] param, ByteOperator operator) {
    byte[] result = fitted(old, param.length);
    for (int i = 0; i < result.length; i++) {
      result[i] = (byte) operator.apply(result[i], param[i]);
    }
    return result;
  }

  private static byte[] add(byte[] old, byte[] param) {
    byte[] sum = new byte[param.length];
    int carry = 0;
    for (int i = 0; i < sum.length; i++) {
      carry += Byte.toUnsignedInt(old[i]) + Byte.toUnsignedInt(param[i]);
      sum[i] = (byte) carry;
      carry >>= 8;
    }
    return sum;
  }

  private static int littleEndian(byte[] a, byte[] b) {
    for (int i = a.length - 1; i >= 0; i--) {
      int order = Byte.compareUnsigned(a[i], b[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static byte[] append(byte @Nullable [] old, byte[] param) {
    if (old == null) {
      return param;
    }
    if (old.length + param.length > VALUE_LIMIT) {
      return old;
    }
    byte[] result = Arrays.copyOf(old, old.length + param.length);
    System.arraycopy(param, 0, result, old.length, param.length);
    return result;
  }
}
