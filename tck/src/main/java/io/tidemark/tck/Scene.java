package io.tidemark.tck;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;

/**
 * A partition nobody has touched, for one try of one rule. Its application is shared with other
 * tries, so that the storage is opened a few times only.
 */
final class Scene {
  private final StorageHarness harness;
  private final IAppStorage app;
  private final int partition;
  private final TrustLevel level;

  Scene(StorageHarness harness, IAppStorage app, int partition, TrustLevel level) {
    this.harness = harness;
    this.app = app;
    this.partition = partition;
    this.level = level;
  }

  /** A fresh partition whose rows are written at level 0. */
  static Scene of(StorageHarness harness) {
    return of(harness, TrustLevel.LEVEL_0);
  }

  /** A fresh partition whose rows are written at {@code level}. */
  static Scene of(StorageHarness harness, TrustLevel level) {
    return Scenes.of(harness).fresh(harness, level);
  }

  /** Fresh partitions of one application. */
  static List<Scene> several(StorageHarness harness, int count) {
    return Scenes.of(harness).fresh(harness, TrustLevel.LEVEL_0, count);
  }

  IAppStorage app() {
    return app;
  }

  int partition() {
    return partition;
  }

  TrustLevel level() {
    return level;
  }

  IPartitionStorage claim() {
    return claim("tck");
  }

  IPartitionStorage claim(String owner) {
    return app.claim(partition, owner);
  }

  IPartitionReader reader() {
    return app.reader(partition);
  }

  /** The same application through a connection of its own, as another process would open it. */
  IAppStorage openAgain() {
    return harness.open(app.application(), null);
  }

  /** The {@code index}th workspace of this partition. */
  long workspace(int index) {
    return partition + (long) index * app.layout().partitions();
  }

  /** The workspace of this partition at or near these 64 bits. */
  long workspaceNear(long bits) {
    Layout layout = app.layout();
    long base = bits - Long.remainderUnsigned(bits, layout.partitions());
    long wsid = base + partition;
    return Long.compareUnsigned(wsid, base) < 0 ? wsid - layout.partitions() : wsid;
  }

  void plantPLog(long offset, byte[] stored) {
    harness.raw().putPLog(app.application(), partition, offset, stored);
  }

  void removePLog(long offset) {
    harness.raw().removePLog(app.application(), partition, offset);
  }

  void plantWLog(WLogRow row) {
    harness
        .raw()
        .putWLog(
            app.application(),
            partition,
            row.wsid(),
            row.wlogOffset(),
            row.plogOffset(),
            row.payload());
  }

  void removeWLog(long wsid, long wlogOffset) {
    harness.raw().removeWLog(app.application(), partition, wsid, wlogOffset);
  }

  void plantRecord(RecordRow row) {
    harness
        .raw()
        .putRecord(
            app.application(), partition, row.wsid(), row.recordId(), row.plogOffset(), row.data());
  }

  void removeRecord(long wsid, long recordId) {
    harness.raw().removeRecord(app.application(), partition, wsid, recordId);
  }

  void plantNumber(long wsid, int seqId, long number) {
    harness.raw().putNumber(app.application(), partition, wsid, seqId, number);
  }

  void plantNextOffset(long nextOffset) {
    harness.raw().putNextOffset(app.application(), partition, nextOffset);
  }
}
