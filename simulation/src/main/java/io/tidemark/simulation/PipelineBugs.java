package io.tidemark.simulation;

import java.util.List;

/** Every known bug of the pipeline that its simulation must find. */
public final class PipelineBugs {
  private static final String PIPELINE = "io.tidemark.pipeline.";
  private static final String STORE = "io.tidemark.storage.memory.";

  private static final List<SeededBug> ALL =
      List.of(
          bug(
              "reapply-last-only",
              "after a crash only the last event of a group is applied again",
              edit(PIPELINE + "Applier", "return first < end ? read", "return first > end ? read")),
          bug(
              "reapply-blind-put",
              "re-application overwrites the foreign row that is a violation",
              edit(
                  PIPELINE + "Applier",
                  "cancellation.check(); putRecords(records);",
                  "cancellation.check(); if (!records.isEmpty()) {"
                      + " storage.putRecords(records, io.tidemark.api.WriteMode.PUT); }")),
          bug(
              "older-record-wins",
              "a paused owner wakes up and puts an older version over a newer one",
              edit(
                  STORE + "LogState",
                  "RecordRow found = records.get(RowKey.of(row)); if (found == null ||"
                      + " found.plogOffset() <= row.plogOffset()) {",
                  "RecordRow found = records.get(RowKey.of(row)); if (found == null ||"
                      + " found.plogOffset() <= row.plogOffset() || !row.isNew()) {")),
          bug(
              "two-of-a-workspace",
              "two commands of one workspace share a group",
              edit(PIPELINE + "CommandQueue", "if (before == null) {", "if (size >= 0) {")),
          bug(
              "hole-in-a-group",
              "a refused command in the middle of a group keeps its offset",
              edit(
                  PIPELINE + "GroupCommit",
                  "boolean ended = !giveBack();",
                  "boolean ended = false; sequencer.stage();")),
          bug(
              "no-reapply",
              "a new owner is ready before the last group is applied again",
              edit(
                  PIPELINE + "OwnedPartition",
                  "reapplied.accept(applier.reapply(cancellation));",
                  "reapplied.accept(applier.tail());")),
          bug(
              "answered-unapplied",
              "a command is answered although applying it failed",
              edit(
                  PIPELINE + "GroupCommit",
                  "group.logged = true; unasked = true; unresolved = group; return; }"
                      + " answer(group);",
                  "} answer(group);")),
          bug(
              "unknown-is-lost",
              "a commit with an unknown outcome is answered as not written",
              edit(
                  PIPELINE + "GroupCommit",
                  "unresolved = group; actualize(); return;",
                  "actualize(); refuseAll(group, new StorageUnavailableException(\"lost\"));"
                      + " return;")),
          bug(
              "unknown-is-done",
              "a commit with an unknown outcome is taken for done",
              edit(
                  PIPELINE + "GroupCommit",
                  "group.logged = !tail.isEmpty()",
                  "group.logged = true || !tail.isEmpty()")),
          bug(
              "append-before-applied",
              "a group is appended while the one before it is not applied",
              edit(
                  PIPELINE + "GroupCommit",
                  "boolean isRecovering() { return unresolved != null; }",
                  "boolean isRecovering() { return unresolved != null && !unasked; }")),
          bug(
              "unprojected",
              "re-application leaves the projectors out",
              edit(
                  PIPELINE + "Applier",
                  "for (Event view : views) { cancellation.check(); project(view); }",
                  "")));

  private PipelineBugs() {}

  /** All of them. */
  public static List<SeededBug> all() {
    return ALL;
  }

  private static SeededBug bug(String name, String hazard, Mutation... mutations) {
    return new SeededBug(name, hazard, List.of(mutations));
  }

  private static Mutation edit(String type, String original, String replacement) {
    return new Mutation(type, original, replacement);
  }
}
