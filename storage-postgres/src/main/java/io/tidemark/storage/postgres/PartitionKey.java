package io.tidemark.storage.postgres;

/**
 * One partition of one application.
 *
 * @param app the application's number in this schema
 * @param application its name, for messages
 */
record PartitionKey(int app, String application, int partition) {
  @Override
  public String toString() {
    return "partition " + partition + " of application '" + application + "'";
  }
}
