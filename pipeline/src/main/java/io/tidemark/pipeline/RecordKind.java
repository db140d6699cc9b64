package io.tidemark.pipeline;

import io.tidemark.api.SystemSequences;

/** What a type of records is for, and which ids its records get. */
public enum RecordKind {
  /** A configuration document. */
  CDOC(1, SystemSequences.CRECORD_ID),
  /** A part of a configuration document. */
  CRECORD(2, SystemSequences.CRECORD_ID),
  /** A workflow document. */
  WDOC(3, SystemSequences.OWRECORD_ID),
  /** A part of a workflow document. */
  WRECORD(4, SystemSequences.OWRECORD_ID),
  /** An operational document: the argument of a command, kept in the event alone. */
  ODOC(5, SystemSequences.OWRECORD_ID),
  /** A part of an operational document. */
  ORECORD(6, SystemSequences.OWRECORD_ID);

  private static final RecordKind[] ALL = values();

  /** Fixed for ever: it is stored. */
  private final int code;

  private final int sequence;

  RecordKind(int code, int sequence) {
    this.code = code;
    this.sequence = sequence;
  }

  /** The sequence its ids are drawn from. */
  public int sequence() {
    return sequence;
  }

  /** Whether its records come as a command's argument; all others are created and updated. */
  public boolean isArgument() {
    return this == ODOC || this == ORECORD;
  }

  int code() {
    return code;
  }

  static RecordKind ofCode(int code) {
    if (code < 1 || code > ALL.length) {
      throw ByteReader.corrupted("record kind " + code + " is unknown");
    }
    return ALL[code - 1];
  }
}
