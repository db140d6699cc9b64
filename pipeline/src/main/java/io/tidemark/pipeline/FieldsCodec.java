package io.tidemark.pipeline;

/** The stored form of fields: their number, then name, tag and value of each. */
final class FieldsCodec {
  private static final int FALSE = 0;
  private static final int TRUE = 1;
  private static final int LONG = 2;
  private static final int DOUBLE = 3;
  private static final int TEXT = 4;
  private static final int BYTES = 5;
  private static final int REF = 6;
  private static final int DRAWN = 7;

  private FieldsCodec() {}

  static void write(Fields fields, ByteWriter out) {
    out.varint(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      out.text(fields.name(i));
      write(fields.value(i), out);
    }
  }

  private static void write(Object value, ByteWriter out) {
    if (value instanceof Long number) {
      out.put(LONG).signed(number);
    } else if (value instanceof String text) {
      out.put(TEXT).text(text);
    } else if (value instanceof Ref ref) {
      out.put(REF).varint(ref.id());
    } else if (value instanceof Drawn drawn) {
      out.put(DRAWN).varint(drawn.seqId()).varint(drawn.number());
    } else if (value instanceof Boolean flag) {
      out.put(flag ? TRUE : FALSE);
    } else if (value instanceof Double number) {
      out.put(DOUBLE).fixed(Double.doubleToRawLongBits(number));
    } else if (value instanceof byte[] bytes) {
      out.put(BYTES).bytes(bytes);
    } else {
      throw new IllegalStateException("a field still has the value " + value);
    }
  }

  static Fields read(ByteReader in) {
    int count = in.count(2);
    String[] names = new String[count];
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      names[i] = in.text();
      values[i] = readValue(in);
    }
    return Fields.trusted(names, values);
  }

  private static Object readValue(ByteReader in) {
    int tag = in.get();
    return switch (tag) {
      case FALSE -> false;
      case TRUE -> true;
      case LONG -> in.signed();
      case DOUBLE -> Double.longBitsToDouble(in.fixed());
      case TEXT -> in.text();
      case BYTES -> in.bytes();
      case REF -> readRef(in);
      case DRAWN -> readDrawn(in);
      default -> throw ByteReader.corrupted("value tag " + tag + " is unknown");
    };
  }

  private static Ref readRef(ByteReader in) {
    long id = in.varint();
    if (id < 1) {
      throw ByteReader.corrupted("a reference is to " + id);
    }
    return new Ref(id);
  }

  private static Drawn readDrawn(ByteReader in) {
    long seqId = in.varint();
    long number = in.varint();
    if (seqId < 1 || seqId > 65535 || number < 1) {
      throw ByteReader.corrupted("number " + number + " of sequence " + seqId + " cannot be");
    }
    return new Drawn((int) seqId, number);
  }
}
