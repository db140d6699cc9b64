package io.tidemark.storage.foundationdb.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.CommitFault;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.Fate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, errors, faults and time of the simulation, each with the documented code. */
class SimulatedClientTest {
  private static final byte[] KEY = bytes("key");
  private static final byte[] OTHER = bytes("other");
  private static final byte[] VALUE = bytes("value");

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final SimulatedDatabase database = cluster.connect();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static int code(CompletableFuture<?> future) {
    try {
      future.join();
      return 0;
    } catch (CompletionException e) {
      return e.getCause() instanceof FDBException failure ? failure.getCode() : -1;
    }
  }

  private byte[] stored(byte[] key) {
    return cluster.connectSafely().run(transaction -> transaction.get(key).join());
  }

  private void set(byte[] key, byte[] value) {
    cluster
        .connectSafely()
        .run(
            transaction -> {
              transaction.set(key, value);
              return true;
            });
  }

  @Test
  void key_ofMoreThan10000Bytes_isError2102() {
    Transaction transaction = database.createTransaction();
    transaction.set(new byte[10_000], VALUE);
    assertThat(code(transaction.commit())).isZero();
    Transaction larger = database.createTransaction();
    larger.set(new byte[10_001], VALUE);
    assertThat(code(larger.get(KEY))).as("told by the next read").isEqualTo(2102);
    assertThat(code(larger.commit())).as("and by the commit").isEqualTo(2102);
  }

  @Test
  void value_ofMoreThan100000Bytes_isError2103() {
    Transaction transaction = database.createTransaction();
    transaction.set(KEY, new byte[100_000]);
    assertThat(code(transaction.commit())).isZero();
    Transaction larger = database.createTransaction();
    larger.set(KEY, new byte[100_001]);
    assertThat(code(larger.commit())).isEqualTo(2103);
  }

  @Test
  void transaction_ofMoreThan10Megabytes_isError2101() {
    Transaction transaction = database.createTransaction();
    for (int i = 0; i < 99; i++) {
      transaction.set(bytes("key" + i), new byte[100_000]);
    }
    assertThat(code(transaction.commit())).isZero();
    Transaction larger = database.createTransaction();
    for (int i = 0; i < 101; i++) {
      larger.set(bytes("new" + i), new byte[100_000]);
    }
    assertThat(code(larger.commit())).isEqualTo(2101);
    assertThat(stored(bytes("new0"))).isNull();
    Transaction limited = database.createTransaction();
    limited.options().setSizeLimit(1_000);
    limited.set(KEY, new byte[1_000]);
    assertThat(code(limited.commit())).isEqualTo(2101);
  }

  @Test
  void transaction_olderThan5Seconds_isError1007() {
    Transaction transaction = database.createTransaction();
    transaction.get(KEY).join();
    cluster.advance(Duration.ofMillis(4_990));
    assertThat(code(transaction.get(OTHER))).isZero();
    cluster.advance(Duration.ofMillis(20));
    assertThat(code(transaction.get(OTHER))).isEqualTo(1007);
    transaction.set(KEY, VALUE);
    assertThat(code(transaction.commit())).isEqualTo(1007);
    assertThat(stored(KEY)).isNull();
  }

  @Test
  void transaction_pastItsTimeout_isError1031() {
    Transaction transaction = database.createTransaction();
    transaction.options().setTimeout(100);
    assertThat(code(transaction.get(KEY))).isZero();
    cluster.advance(Duration.ofMillis(100));
    assertThat(code(transaction.get(KEY))).isEqualTo(1031);
    assertThat(code(transaction.commit())).isEqualTo(1031);
  }

  @Test
  void key_outsideTheUsersKeys_isError2004AndAnInvertedRange2005() {
    Transaction system = database.createTransaction();
    system.set(new byte[] {(byte) 0xFF, 1}, VALUE);
    assertThat(code(system.commit())).isEqualTo(2004);
    assertThat(code(database.createTransaction().get(new byte[] {(byte) 0xFF, 1}))).isEqualTo(2004);
    Transaction inverted = database.createTransaction();
    inverted.clear(OTHER, KEY);
    assertThat(code(inverted.commit())).isEqualTo(2005);
  }

  @Test
  void transaction_usedAfterItsCommit_isError2017AndAfterCancel1025() {
    Transaction committed = database.createTransaction();
    committed.set(KEY, VALUE);
    committed.commit().join();
    assertThat(code(committed.get(KEY))).isEqualTo(2017);
    assertThat(code(committed.commit())).isEqualTo(2017);
    Transaction cancelled = database.createTransaction();
    cancelled.cancel();
    assertThat(code(cancelled.get(KEY))).isEqualTo(1025);
    Transaction closed = database.createTransaction();
    closed.close();
    assertThatIllegalStateException().isThrownBy(() -> closed.get(KEY));
    database.close();
    assertThatIllegalStateException().isThrownBy(database::createTransaction);
  }

  @Test
  void whatIsNotSimulated_isRefused() {
    Transaction transaction = database.createTransaction();
    for (MutationType type :
        new MutationType[] {
          MutationType.SET_VERSIONSTAMPED_KEY, MutationType.SET_VERSIONSTAMPED_VALUE
        }) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> transaction.mutate(type, KEY, VALUE));
    }
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(transaction::getVersionstamp);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> transaction.options().setAccessSystemKeys());
  }

  @Test
  void commit1021_isAppliedOrLostAndNeverOnItsWay() {
    cluster.faults().commit(1021, Fate.APPLIED).commit(1021, Fate.LOST);
    Transaction applied = database.createTransaction();
    applied.set(KEY, VALUE);
    assertThat(code(applied.commit())).isEqualTo(1021);
    Transaction lost = database.createTransaction();
    lost.set(OTHER, VALUE);
    assertThat(code(lost.commit())).isEqualTo(1021);

    assertThat(stored(KEY)).isEqualTo(VALUE);
    assertThat(stored(OTHER)).isNull();
    assertThat(cluster.lateCommits()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> new CommitFault(1021, Fate.LATER));
    assertThatIllegalArgumentException().isThrownBy(() -> new CommitFault(1020, Fate.APPLIED));
  }

  @ParameterizedTest
  @ValueSource(ints = {1025, 1031, 1039, 1101})
  void commitThatIsStillOnItsWay_isAppliedLaterUnlessItConflictsThen(int code) {
    cluster.faults().commit(code, Fate.LATER).commit(code, Fate.LATER);
    for (byte[] key : new byte[][] {KEY, OTHER}) {
      Transaction transaction = database.createTransaction();
      transaction.get(key).join();
      transaction.set(key, VALUE);
      assertThat(code(transaction.commit())).isEqualTo(code);
      transaction.close();
    }
    assertThat(stored(KEY)).isNull();
    set(OTHER, bytes("meanwhile"));

    assertThat(cluster.deliverLate()).isEqualTo(1);
    assertThat(stored(KEY)).isEqualTo(VALUE);
    assertThat(stored(OTHER)).isEqualTo(bytes("meanwhile"));
  }

  @Test
  void commitThatArrivesMoreThan5SecondsLate_isNotApplied() {
    cluster.faults().commit(1031, Fate.LATER);
    Transaction transaction = database.createTransaction();
    transaction.get(KEY).join();
    transaction.set(KEY, VALUE);
    assertThat(code(transaction.commit())).isEqualTo(1031);
    cluster.advance(Duration.ofSeconds(6));

    assertThat(cluster.deliverLate()).isZero();
    assertThat(stored(KEY)).isNull();
  }

  @Test
  void onError_ofARetryableError_waitsAndGivesANewTransactionUntilTheLimit() {
    Transaction first = database.createTransaction();
    first.options().setRetryLimit(1);
    first.set(KEY, VALUE);
    long before = cluster.nanoTime();
    Transaction second = first.onError(new FDBException("conflict", 1020)).join();
    assertThat(cluster.nanoTime()).as("virtual time passed").isGreaterThan(before);
    assertThatIllegalStateException().isThrownBy(() -> first.get(KEY));
    assertThat(code(second.commit())).as("nothing of the first is left").isZero();
    assertThat(stored(KEY)).isNull();
    assertThat(code(second.onError(new FDBException("conflict", 1020)))).isEqualTo(1020);
    Transaction other = database.createTransaction();
    assertThat(code(other.onError(new FDBException("misuse", 2004)))).isEqualTo(2004);
  }

  @Test
  void run_ofTheDatabase_repeatsConflictsAndUnknownCommits() {
    cluster.faults().commit(1020, Fate.LOST).commit(1021, Fate.APPLIED);
    int[] attempts = {0};
    database.run(
        transaction -> {
          attempts[0]++;
          transaction.mutate(MutationType.ADD, KEY, new byte[] {1});
          return true;
        });

    assertThat(attempts[0]).isEqualTo(3);
    assertThat(stored(KEY)).as("so ADD counted twice").isEqualTo(new byte[] {2});
  }

  @Test
  void options_ofOwnWrites_areHonoured() {
    set(KEY, VALUE);
    Transaction transaction = database.createTransaction();
    transaction.set(KEY, OTHER);
    assertThat(transaction.snapshot().get(KEY).join()).isEqualTo(OTHER);
    transaction.options().setSnapshotRywDisable();
    assertThat(transaction.snapshot().get(KEY).join()).isEqualTo(VALUE);
    assertThat(transaction.get(KEY).join()).isEqualTo(OTHER);
    Transaction blind = database.createTransaction();
    blind.options().setReadYourWritesDisable();
    blind.set(KEY, OTHER);
    assertThat(blind.get(KEY).join()).isEqualTo(VALUE);
    Transaction quiet = database.createTransaction();
    Transaction reader = database.createTransaction();
    reader.get(OTHER).join();
    reader.set(KEY, VALUE);
    quiet.options().setNextWriteNoWriteConflictRange();
    quiet.set(OTHER, VALUE);
    quiet.commit().join();
    assertThat(code(reader.commit())).as("the write had no conflict range").isZero();
  }

  @Test
  void randomFaults_ofOneSeed_repeat() {
    StringBuilder[] codes = {new StringBuilder(), new StringBuilder()};
    for (StringBuilder seen : codes) {
      SimulatedCluster repeated = new SimulatedCluster();
      repeated.faults().random(7, 0.2, 0.5);
      for (int i = 0; i < 50; i++) {
        Transaction transaction = repeated.connect().createTransaction();
        seen.append(code(transaction.get(KEY))).append(' ');
        transaction.set(KEY, VALUE);
        seen.append(code(transaction.commit())).append(' ');
      }
    }
    assertThat(codes[0]).hasToString(codes[1].toString()).contains("1021").contains("1020");
  }
}
