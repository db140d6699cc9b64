package io.tidemark.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A number as its event's payload has it, independent of the header the engine made. */
record Drawn(int seqId, long number, boolean observed) {
  private static final int BYTES = 4 + 8 + 1;

  static byte[] write(List<Drawn> all) {
    ByteBuffer out = ByteBuffer.allocate(all.size() * BYTES);
    for (Drawn drawn : all) {
      out.putInt(drawn.seqId).putLong(drawn.number).put((byte) (drawn.observed ? 1 : 0));
    }
    return out.array();
  }

  static List<Drawn> read(byte[] payload) {
    ByteBuffer in = ByteBuffer.wrap(payload);
    List<Drawn> all = new ArrayList<>();
    while (in.hasRemaining()) {
      all.add(new Drawn(in.getInt(), in.getLong(), in.get() == 1));
    }
    return all;
  }
}
