package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

/**
 * What is stored of a record: its type first, then its fields.
 *
 * @param type the record's type
 * @param fields its content
 */
public record StoredRecord(RecordType type, Fields fields) {
  private static final int VERSION = 1;

  /** Refuses nothing. */
  public StoredRecord {
    requireNonNull(type, "type");
    requireNonNull(fields, "fields");
  }

  /**
   * Reads a record's data.
   *
   * @throws io.tidemark.api.StorageCorruptedException if it is not one
   */
  public static StoredRecord fromBytes(byte[] data) {
    ByteReader in = new ByteReader(data, VERSION);
    RecordType type = in.type();
    Fields fields = FieldsCodec.read(in);
    in.end();
    return new StoredRecord(type, fields);
  }

  /** The stored form: version, checksum, type, fields. */
  public byte[] toBytes() {
    return toBytes(new ByteWriter());
  }

  byte[] toBytes(ByteWriter out) {
    out.begin(VERSION).type(type);
    FieldsCodec.write(fields, out);
    return out.end();
  }
}
