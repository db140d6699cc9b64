package io.tidemark.tck;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A number as its event's payload has it, independent of the header the engine made. */
record Drawn(int seqId, long number) {
  private static final int BYTES = Integer.BYTES + Long.BYTES;

  static byte[] write(List<Drawn> all) {
    ByteBuffer out = ByteBuffer.allocate(all.size() * BYTES);
    all.forEach(drawn -> out.putInt(drawn.seqId).putLong(drawn.number));
    return out.array();
  }

  static List<Drawn> read(byte[] payload) {
    ByteBuffer in = ByteBuffer.wrap(payload);
    List<Drawn> all = new ArrayList<>();
    while (in.hasRemaining()) {
      all.add(new Drawn(in.getInt(), in.getLong()));
    }
    return all;
  }
}
