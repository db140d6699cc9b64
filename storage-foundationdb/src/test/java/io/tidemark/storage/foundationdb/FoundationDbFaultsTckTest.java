package io.tidemark.storage.foundationdb;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import io.tidemark.tck.RawAccess;
import io.tidemark.tck.StorageTck;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole kit once more, on a simulated client whose reads and commits fail at random: with
 * conflicts, with unknown outcomes, and with commits that arrive later.
 */
final class FoundationDbFaultsTckTest extends StorageTck {
  private static final SimulatedCluster SIMULATION = new SimulatedCluster();
  private static final TestCluster CLUSTER = TestCluster.simulated(SIMULATION);

  static {
    SIMULATION.faults().random(20, 0.04, 0.2);
  }

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    try {
      return PatientCaller.open(() -> CLUSTER.open(application, layout));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Set<StorageCapability> certifies() {
    return EnumSet.allOf(StorageCapability.class);
  }

  @Override
  public RawAccess raw() {
    // What is still on its way must not arrive over what is planted now.
    SIMULATION.deliverLate();
    return CLUSTER.rows();
  }
}
