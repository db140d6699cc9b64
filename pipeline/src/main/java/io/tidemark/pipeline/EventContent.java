package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command said, with every id and number in its place: the payload of a logged event.
 *
 * @param name the command's name
 * @param cuds the records it created and updated, each once
 * @param argument its argument, or null
 */
public record EventContent(String name, List<Cud> cuds, @Nullable ArgumentObject argument) {
  /** Copies. */
  public EventContent {
    requireNonNull(name, "name");
    cuds = List.copyOf(cuds);
  }

  /**
   * Reads a payload.
   *
   * @throws io.tidemark.api.StorageCorruptedException if it is not one
   */
  public static EventContent fromBytes(byte[] payload) {
    return PayloadCodec.decode(payload);
  }

  /** The stored form: version, checksum, content. Ids and numbers must be in place. */
  public byte[] toBytes() {
    return PayloadCodec.encode(this, new ByteWriter());
  }
}
