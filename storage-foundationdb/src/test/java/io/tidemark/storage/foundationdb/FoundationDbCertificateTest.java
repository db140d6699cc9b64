package io.tidemark.storage.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tck.CertificationReport;
import io.tidemark.tck.TckRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Writes the certificate, which says what it was earned on: the cluster that FDB_CLUSTER_FILE
 * names, or the simulated client.
 */
class FoundationDbCertificateTest {
  private static final Path FOLDER = Path.of("target", "certificate");

  @Test
  void certificate_ofTheWholeKit_saysWhatItRanOn() throws IOException {
    CertificationReport report = named(TckRunner.of(FoundationDbStorageTckTest.class).run());
    report.writeTo(FOLDER);
    // Standard output, not a log: it is what the one command of the guide is run for.
    System.out.println(report.summary());

    assertThat(report.missing()).as("checks between the storage and its certificate").isEmpty();
    assertThat(report.certified()).isTrue();
    String ranOn = TestCluster.isSimulated() ? "SIMULATED" : "REAL";
    assertThat(report.summary()).contains(ranOn + " c").contains("CERTIFIED FULL");
    assertThat(Files.readString(FOLDER.resolve("tck.html"))).contains(ranOn);
    assertThat(Files.readString(FOLDER.resolve("tck.json"))).contains(ranOn);
  }

  private static CertificationReport named(CertificationReport report) {
    String name =
        TestCluster.isSimulated()
            ? "FoundationDB, SIMULATED client (no certificate for a cluster)"
            : "FoundationDB, REAL cluster";
    return new CertificationReport(
        name,
        report.certificate(),
        report.started(),
        report.duration(),
        report.capabilities(),
        report.versions(),
        report.results());
  }
}
