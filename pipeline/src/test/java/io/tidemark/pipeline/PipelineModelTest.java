package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceExtractor;
import io.tidemark.storage.memory.MemoryStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

/** Random commands and restarts against a model that counts. */
final class PipelineModelTest {
  /** One thing that happens: what, in which workspace. */
  record Deed(int what, long wsid) {}

  private static final class Model {
    private final Map<String, Long> last = new HashMap<>();
    private final Map<Long, Map<Long, StoredRecord>> records = new HashMap<>();

    long next(long wsid, String what, long first) {
      return last.merge(wsid + what, first, (old, unused) -> old + 1);
    }

    void put(long wsid, long id, RecordType type, Object... fields) {
      records
          .computeIfAbsent(wsid, unused -> new TreeMap<>())
          .put(id, new StoredRecord(type, Fields.of(fields)));
    }
  }

  @Provide
  Arbitrary<Deed> deeds() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 5), Arbitraries.longs().between(0, 2))
        .as(Deed::new);
  }

  @Property(tries = 150)
  @Tag("P-2")
  @Tag("P-15")
  void pipeline_doesWhatTheModelSays(
      @ForAll @Size(max = 30) List<@From("deeds") Deed> deeds,
      @ForAll TrustLevel level,
      @ForAll boolean atomic) {
    IAppStorage storage = Server.open(new MemoryStore(), atomic);
    Server server = Server.start(storage, level);
    Model model = new Model();
    long offset = 0;
    for (Deed deed : deeds) {
      if (deed.what == 5) {
        server = Server.start(storage, level);
        continue;
      }
      CommandReply reply = run(server, model, deed);
      assertThat(reply.plogOffset()).isEqualTo(++offset);
      assertThat(reply.wlogOffset()).isEqualTo(model.next(deed.wsid, "wlog", 1));
    }
    AppPartitions partitions = server.partitions;
    model.records.forEach(
        (wsid, records) ->
            records.forEach(
                (id, record) -> assertThat(partitions.readRecord(wsid, id)).isEqualTo(record)));
    Applied.assertExactlyOnce(storage.reader(0));
    storage
        .reader(0)
        .readPLog(
            1,
            event -> {
              assertThat(numbers(new EventExtractor(), event))
                  .isEqualTo(numbers(SequenceExtractor.HEADER, event));
              return true;
            });
  }

  private static CommandReply run(Server server, Model model, Deed deed) {
    long wsid = deed.wsid;
    Command.Builder command = Command.named("deed" + deed.what, Shop.KIND, wsid);
    Map<Long, StoredRecord> known = model.records.getOrDefault(wsid, Map.of());
    switch (deed.what) {
      case 0 -> {
        long order = model.next(wsid, "ow", Shop.FIRST_OW);
        model.put(
            wsid,
            order,
            Shop.ORDER,
            "invoice",
            new Drawn(Shop.INVOICE, model.next(wsid, "invoice", 1)));
        command.create(Shop.ORDER, 9, "invoice", Draw.of(Shop.INVOICE));
      }
      case 1 -> {
        long customer = model.next(wsid, "c", Shop.FIRST_C);
        long order = model.next(wsid, "ow", Shop.FIRST_OW);
        model.put(wsid, customer, Shop.CUSTOMER, "name", "Ada");
        model.put(wsid, order, Shop.ORDER, "customer", Ref.to(customer));
        command
            .create(Shop.CUSTOMER, 7, "name", "Ada")
            .create(Shop.ORDER, 0, "customer", Ref.to(7));
      }
      case 2 -> {
        if (!known.isEmpty()) {
          long id = known.keySet().iterator().next();
          RecordType type = known.get(id).type();
          model.put(wsid, id, type, "changed", true);
          command.update(type, id, "changed", true);
        }
      }
      case 3 -> {
        model.next(wsid, "ow", Shop.FIRST_OW);
        model.next(wsid, "ow", Shop.FIRST_OW);
        command.argument(
            ArgumentObject.of(Shop.LINES, 1)
                .with(ArgumentObject.of(Shop.LINE, 2, "lines", Ref.to(1))));
      }
      default -> {
        long explicit = model.next(wsid, "c", Shop.FIRST_C) + 5;
        model.last.put(wsid + "c", explicit);
        model.put(wsid, explicit, Shop.CUSTOMER, "explicit", true);
        command.create(Shop.CUSTOMER, explicit, "explicit", true);
      }
    }
    return server.processor().execute(command.build());
  }

  private static Map<Integer, Long> numbers(SequenceExtractor extractor, PLogEvent event) {
    SeqValues values = new SeqValues();
    extractor.extract(event, values);
    Map<Integer, Long> highest = new TreeMap<>();
    for (int i = 0; i < values.size(); i++) {
      highest.merge(values.seqId(i), values.number(i), Math::max);
    }
    return highest;
  }
}
