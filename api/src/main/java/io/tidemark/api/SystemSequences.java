package io.tidemark.api;

/** The sequences every platform has. Ids and names are fixed for ever; 6..255 are reserved. */
public final class SystemSequences {
  /** Offsets of the partition log; answered by {@link ISequencer#start}, never by {@code next}. */
  public static final int PLOG_OFFSET = 1;

  /** Offsets of a workspace's log. */
  public static final int WLOG_OFFSET = 2;

  /** Ids of configuration documents and records. */
  public static final int CRECORD_ID = 3;

  /** Ids of operational and workflow documents and records. */
  public static final int OWRECORD_ID = 4;

  /** The workspace's kind, kept as a number so that another kind is noticed. */
  public static final int WORKSPACE_KIND = 5;

  /** The first id free for custom sequences. */
  public static final int FIRST_CUSTOM = 256;

  /** The largest sequence id and workspace kind. */
  public static final int MAX_ID = 65535;

  private static final long REGISTER = 5_000_000_000L;
  private static final long FIRST_FREE_BASE = 131_072;
  private static final long OW_REGISTER = 64_536;
  private static final long C_REGISTER = 64_537;

  private SystemSequences() {}

  /** The definition of {@link #WLOG_OFFSET}. */
  public static SequenceDefinition wlogOffset() {
    return SequenceDefinition.named("sys.WLogOffsetSeq").build();
  }

  /** The definition of {@link #CRECORD_ID}: 322685000131072..322689999999999. */
  public static SequenceDefinition crecordId() {
    return register("sys.CRecIDSeq", C_REGISTER);
  }

  /** The definition of {@link #OWRECORD_ID}: 322680000131072..322684999999999. */
  public static SequenceDefinition owrecordId() {
    return register("sys.RecIDSeq", OW_REGISTER);
  }

  /** The fixed name of a system sequence. */
  public static String name(int seqId) {
    return switch (seqId) {
      case PLOG_OFFSET -> "sys.PLogOffsetSeq";
      case WLOG_OFFSET -> "sys.WLogOffsetSeq";
      case CRECORD_ID -> "sys.CRecIDSeq";
      case OWRECORD_ID -> "sys.RecIDSeq";
      case WORKSPACE_KIND -> "sys.WSKind";
      default -> throw new UnknownSequenceException("no system sequence has the id " + seqId);
    };
  }

  private static SequenceDefinition register(String name, long register) {
    long first = register * REGISTER;
    return SequenceDefinition.named(name)
        .min(first + FIRST_FREE_BASE)
        .max(first + REGISTER - 1)
        .build();
  }
}
