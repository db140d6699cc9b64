package io.tidemark.simulation;

import io.tidemark.api.BusyException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment.Signal;
import io.tidemark.core.SequencerConfig;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.pipeline.Command;
import io.tidemark.pipeline.CommandReply;
import io.tidemark.pipeline.Draw;
import io.tidemark.pipeline.Event;
import io.tidemark.pipeline.PipelineConfig;
import io.tidemark.pipeline.Ref;
import java.time.Duration;
import java.util.List;

/** A process: it deploys the partition, and its clients send commands until they are done. */
final class PipelineNode {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final Duration LONG_PATIENCE = Duration.ofMinutes(10);

  private final PipelineStory story;
  private final SimulatedProcess process;
  private final Choices choices;
  private final AppPartitions partitions;
  private final Signal changed;
  private final int commands;
  private int clientsLeft;
  private boolean deploying;
  private boolean failed;

  PipelineNode(PipelineStory story, SimulatedProcess process, int commands) {
    this.story = story;
    this.process = process;
    this.commands = commands;
    this.choices = story.world().choices();
    this.changed = process.newSignal();
    SequencerConfig sequencer =
        SequencerConfig.builder(PipelineStory.SEQUENCES).maxUnflushedValues(10).build();
    this.partitions =
        new AppPartitions(
            story.connect(),
            PipelineConfig.builder(sequencer)
                .trustLevel(story.scope().level())
                .owner(process.name())
                .cache(CacheBudget.of(12))
                .queueLimit(8)
                .patience(story.scope().alone() ? LONG_PATIENCE : PATIENCE)
                .projectors(this::project)
                .environment(process)
                .build());
  }

  SimulatedProcess process() {
    return process;
  }

  private void project(Event event) {
    story.world().step();
    if (!story.isCalm() && choices.chance(1, 30)) {
      throw new IllegalStateException("the projector fails");
    }
    story.checker().projected(event);
  }

  void main() {
    deploy();
    clientsLeft = story.scope().clients();
    for (int i = 0; i < story.scope().clients(); i++) {
      story.world().spawn(process, "client" + i, this::client);
    }
    while (clientsLeft > 0) {
      changed.await(changed.ticket(), SHORT.toNanos());
    }
    partitions.close();
  }

  private void pause() {
    process.newSignal().await(0, SHORT.toNanos());
  }

  /** Claims the partition, again if need be; one client at a time. */
  private void deploy() {
    if (deploying) {
      pause();
      return;
    }
    deploying = true;
    try {
      partitions.redeploy(0);
    } catch (StorageException e) {
      story.world().log("deploy failed: " + e.getClass().getSimpleName());
      pause();
    } finally {
      deploying = false;
    }
  }

  private void client() {
    for (int i = 0; i < commands && !failed; i++) {
      send();
    }
    clientsLeft--;
    changed.raise();
  }

  private void send() {
    long wsid = choices.choose(story.scope().workspaces());
    String name = "c" + story.nextName();
    boolean again = true;
    while (again && !failed) {
      again = false;
      try {
        CommandReply reply = partitions.processor(0).execute(command(name, wsid));
        story.checker().answered(name, wsid, reply);
        if (reply.newIds().containsKey(1L)) {
          story.orders(wsid).add(reply.newId(1));
        }
      } catch (BusyException e) {
        again = busy(e, name);
      } catch (OutcomeUnknownException e) {
        story.world().log(name + " in doubt");
      } catch (SequenceViolationException e) {
        failed = true;
      } catch (StorageUnavailableException | IllegalArgumentException e) {
        story.checker().refused(name);
      } catch (IllegalStateException e) { // not deployed at the moment
        deploy();
        again = story.isCalm();
      }
    }
  }

  /** Answers whether to send the same command again. */
  private boolean busy(BusyException e, String name) {
    story.world().log(name + " " + e.reason());
    switch (e.reason()) {
      case FENCED, CLOSED -> {
        deploy();
        return story.isCalm();
      }
      case FAILED -> {
        failed = true;
        return false;
      }
      default -> {
        pause();
        if (story.isCalm()) {
          return true;
        }
        story.checker().refused(name);
        return false;
      }
    }
  }

  private Command command(String name, long wsid) {
    Command.Builder command = Command.named(name, PipelineStory.KIND, wsid);
    List<Long> orders = story.orders(wsid);
    int kind = story.isCalm() ? 0 : choices.choose(12); // at last only what must succeed
    if (kind >= 6 && kind <= 10 && orders.isEmpty()) {
      kind = 0;
    }
    return switch (kind) {
      case 11 -> command.create(PipelineStory.ORDER, 1, "to", Ref.to(2)).build();
      case 6, 7, 8, 9, 10 -> // of one record, so that late writes meet newer ones
          command.update(PipelineStory.ORDER, orders.get(0), "by", name).build();
      case 5 ->
          choices.choose(2) == 0
              ? command
                  .create(PipelineStory.CUSTOMER, 2, "by", name)
                  .create(PipelineStory.ORDER, 1, "customer", Ref.to(2))
                  .build()
              : command
                  .create(
                      PipelineStory.CUSTOMER,
                      PipelineStory.FIRST_CUSTOMER + 10L * story.nextName(),
                      "explicit",
                      true)
                  .build();
      default ->
          command
              .create(PipelineStory.ORDER, 1, "by", name, "invoice", Draw.of(PipelineStory.INVOICE))
              .build();
    };
  }
}
