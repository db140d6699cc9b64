package io.tidemark.storage.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import io.tidemark.storage.foundationdb.FoundationDbErrorClassifier.Conclusion;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoundationDbErrorClassifierTest {

  @ParameterizedTest(name = "{0} {1}: before the commit {2}, at the commit {3}")
  @CsvSource({
    "1004, timed_out, UNAVAILABLE, MAYBE_LATER",
    "1007, transaction_too_old, AGAIN, AGAIN",
    "1009, future_version, AGAIN, AGAIN",
    "1020, not_committed, AGAIN, AGAIN",
    "1021, commit_unknown_result, AGAIN, MAYBE_WRITTEN",
    "1022, commit_unknown_result_fatal, UNAVAILABLE, MAYBE_LATER",
    "1025, transaction_cancelled, UNAVAILABLE, MAYBE_LATER",
    "1026, connection_failed, UNAVAILABLE, MAYBE_LATER",
    "1030, request_maybe_delivered, UNAVAILABLE, MAYBE_LATER",
    "1031, transaction_timed_out, UNAVAILABLE, MAYBE_LATER",
    "1037, process_behind, AGAIN, AGAIN",
    "1038, database_locked, AGAIN, AGAIN",
    "1039, cluster_version_changed, AGAIN, MAYBE_LATER",
    "1042, commit_proxy_memory_limit_exceeded, AGAIN, AGAIN",
    "1051, batch_transaction_throttled, AGAIN, AGAIN",
    "1078, grv_proxy_memory_limit_exceeded, AGAIN, AGAIN",
    "1100, broken_promise, UNAVAILABLE, MAYBE_LATER",
    "1101, operation_cancelled, UNAVAILABLE, MAYBE_LATER",
    "1213, tag_throttled, AGAIN, AGAIN",
    "1223, proxy_tag_throttled, AGAIN, AGAIN",
    "1235, transaction_throttled_hot_shard, AGAIN, AGAIN",
    "1500, platform_error, UNAVAILABLE, MAYBE_LATER",
    "2004, key_outside_legal_range, REFUSED, REFUSED",
    "2017, used_during_commit, REFUSED, REFUSED",
    "2101, transaction_too_large, REFUSED, REFUSED",
    "2102, key_too_large, REFUSED, REFUSED",
    "2103, value_too_large, REFUSED, REFUSED",
    "4100, internal_error, UNAVAILABLE, MAYBE_LATER",
    "9999, one of a newer client, UNAVAILABLE, MAYBE_LATER"
  })
  @Tag("F-1")
  @Tag("F-2")
  void conclude_ofACode_saysWhatMayBeConcluded(
      int code, String name, Conclusion before, Conclusion atCommit) {
    assertThat(FoundationDbErrorClassifier.conclude(code, false)).as(name).isEqualTo(before);
    assertThat(FoundationDbErrorClassifier.conclude(code, true)).as(name).isEqualTo(atCommit);
  }

  @Test
  void find_ofAWrappedError_unwrapsItAndNothingElse() {
    FDBException failure = new FDBException("conflict", 1020);

    assertThat(FoundationDbErrorClassifier.find(failure)).isSameAs(failure);
    assertThat(
            FoundationDbErrorClassifier.find(
                new CompletionException(new CompletionException(failure))))
        .isSameAs(failure);
    assertThat(FoundationDbErrorClassifier.find(new IllegalStateException(failure))).isNull();
    assertThat(FoundationDbErrorClassifier.find(new CompletionException("alone", null))).isNull();
  }
}
