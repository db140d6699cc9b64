package io.tidemark.pipeline;

import io.tidemark.api.SystemSequences;

/**
 * How record ids are laid out: register x 5,000,000,000 + base id.
 *
 * <table>
 * <caption>Ranges [P-1]</caption>
 * <tr><th>ids</th><th>what they are</th></tr>
 * <tr><td>1..65535</td><td>raw: a command's own names for its new records, never stored</td></tr>
 * <tr><td>65536..66047</td><td>singletons: documents with an id fixed by the application</td></tr>
 * <tr><td>66048..131071</td><td>reserved</td></tr>
 * <tr><td>322680000131072..322684999999999</td><td>operational and workflow records</td></tr>
 * <tr><td>322685000131072..322689999999999</td><td>configuration records</td></tr>
 * </table>
 */
public final class RecordIds {
  /** The largest raw id; the smallest is 1. */
  public static final long MAX_RAW = 65_535;

  /** The smallest id of a singleton. */
  public static final long MIN_SINGLETON = 65_536;

  /** The largest id of a singleton. */
  public static final long MAX_SINGLETON = 66_047;

  /** The largest reserved id. */
  public static final long MAX_RESERVED = 131_071;

  private static final long REGISTER = 5_000_000_000L;
  private static final long OW_REGISTER = SystemSequences.owrecordId().min() / REGISTER;
  private static final long C_REGISTER = SystemSequences.crecordId().min() / REGISTER;

  private RecordIds() {}

  /** Whether the id is a command's own name for a new record. */
  public static boolean isRaw(long id) {
    return id >= 1 && id <= MAX_RAW;
  }

  /** Whether the id is a singleton's. */
  public static boolean isSingleton(long id) {
    return id >= MIN_SINGLETON && id <= MAX_SINGLETON;
  }

  /** The register of a stored id. */
  public static long register(long id) {
    return id / REGISTER;
  }

  /** The id within its register. */
  public static long base(long id) {
    return id % REGISTER;
  }

  /** The sequence a stored id belongs to; 0 where it belongs to none. */
  public static int sequence(long id) {
    if (base(id) <= MAX_RESERVED) {
      return 0;
    }
    if (register(id) == OW_REGISTER) {
      return SystemSequences.OWRECORD_ID;
    }
    return register(id) == C_REGISTER ? SystemSequences.CRECORD_ID : 0;
  }

  /** Whether a record of this kind may have this id when a command gives it. */
  static boolean fits(RecordKind kind, long id) {
    return sequence(id) == kind.sequence() || (kind == RecordKind.CDOC && isSingleton(id));
  }
}
