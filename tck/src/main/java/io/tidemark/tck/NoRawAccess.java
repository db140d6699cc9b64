package io.tidemark.tck;

/** What a harness answers that cannot reach behind its storage's back. */
final class NoRawAccess implements RawAccess {
  @Override
  public void putPLog(String application, int partition, long offset, byte[] stored) {
    throw unsupported();
  }

  @Override
  public void removePLog(String application, int partition, long offset) {
    throw unsupported();
  }

  @Override
  public void putWLog(
      String application,
      int partition,
      long wsid,
      long wlogOffset,
      long plogOffset,
      byte[] payload) {
    throw unsupported();
  }

  @Override
  public void removeWLog(String application, int partition, long wsid, long wlogOffset) {
    throw unsupported();
  }

  @Override
  public void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data) {
    throw unsupported();
  }

  @Override
  public void removeRecord(String application, int partition, long wsid, long recordId) {
    throw unsupported();
  }

  @Override
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    throw unsupported();
  }

  @Override
  public void putNextOffset(String application, int partition, long nextOffset) {
    throw unsupported();
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("this harness has no raw access");
  }
}
