package io.tidemark.pipeline;

import io.tidemark.api.ISequencer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives one command's records and objects their ids, and puts ids and drawn numbers into fields.
 *
 * <p>Explicit ids are observed before anything is drawn, so that no drawn id meets one of the same
 * command. Ids are drawn for records first, then for the argument, parents before their parts; then
 * the fields draw, in the same order. Several parts of a command about one record become one. [P-3]
 */
final class IdPlan {
  private final Command command;
  private final ISequencer sequencer;
  private final List<PayloadCodec.Placed> objects;
  private final long[] objectIds;

  /** One entry per record, and which part of the command it came from first. */
  private final List<Cud> folded;

  private final int[] origins;
  private @Nullable Map<Long, Integer> positions;

  private final Map<Long, Long> newIds = new HashMap<>();
  private @Nullable Set<Long> explicitIds;
  private List<Drawn> drawn = Collections.emptyList();

  IdPlan(Command command, ISequencer sequencer) {
    this.command = command;
    this.sequencer = sequencer;
    this.folded = new ArrayList<>(command.cuds().size());
    this.origins = new int[command.cuds().size()];
    ArgumentObject argument = command.argument();
    this.objects = argument == null ? List.of() : PayloadCodec.flatten(argument);
    this.objectIds = new long[objects.size()];
  }

  Map<Long, Long> newIds() {
    return newIds;
  }

  List<Drawn> drawn() {
    return drawn;
  }

  static IllegalArgumentException refused(int index, Cud cud, String problem) {
    return new IllegalArgumentException("cuds[" + index + "] (" + cud.type() + "): " + problem);
  }

  private static IllegalArgumentException refused(
      int index, ArgumentObject object, String problem) {
    return new IllegalArgumentException(
        "argument[" + index + "] (" + object.type() + "): " + problem);
  }

  /** Observes explicit ids and draws the others. */
  void place() {
    List<Cud> cuds = command.cuds();
    for (int i = 0; i < cuds.size(); i++) {
      Cud cud = cuds.get(i);
      String problem = idProblem(cud.type(), cud.id(), cud.isNew());
      if (problem != null) {
        throw refused(i, cud, problem);
      }
    }
    for (int i = 0; i < objects.size(); i++) {
      ArgumentObject object = objects.get(i).object();
      String problem = idProblem(object.type(), object.id(), true);
      if (problem != null) {
        throw refused(i, object, problem);
      }
    }
    for (int i = 0; i < cuds.size(); i++) {
      placeCud(i, cuds.get(i));
    }
    for (int i = 0; i < objects.size(); i++) {
      ArgumentObject object = objects.get(i).object();
      objectIds[i] = newId(object.type(), object.id());
    }
  }

  /** Checks an id, and observes it if it is explicit; answers what is wrong with it, or null. */
  private @Nullable String idProblem(RecordType type, long id, boolean isNew) {
    if (RecordIds.isRaw(id)) {
      return isNew && newIds.put(id, 0L) != null ? "raw id " + id + " is given twice" : null;
    }
    if (id == 0 && isNew) {
      return null;
    }
    if (!RecordIds.fits(type.kind(), id)) {
      return "id " + id + " is neither raw (1..65535) nor of the register of a " + type.kind();
    }
    if (isNew) {
      if (explicitIds == null) {
        explicitIds = new HashSet<>();
      }
      if (!explicitIds.add(id)) {
        return "id " + id + " is given twice";
      }
      if (!RecordIds.isSingleton(id)) {
        sequencer.observe(type.kind().sequence(), id);
      }
    }
    return null;
  }

  private long newId(RecordType type, long asked) {
    if (asked > RecordIds.MAX_RAW) {
      return asked;
    }
    long id = sequencer.next(type.kind().sequence());
    if (asked != 0) {
      newIds.put(asked, id);
    }
    return id;
  }

  private void placeCud(int index, Cud cud) {
    if (cud.isNew()) {
      long id = newId(cud.type(), cud.id());
      if (positions != null && positions.containsKey(id)) {
        throw refused(index, cud, "record " + id + " is updated before it is created");
      }
      add(index, new Cud(cud.type(), id, true, cud.fields()));
      return;
    }
    long id = RecordIds.isRaw(cud.id()) ? newIds.getOrDefault(cud.id(), 0L) : cud.id();
    if (id == 0) {
      throw refused(index, cud, "raw id " + cud.id() + " names no record created before");
    }
    Integer position = positions().get(id);
    if (position == null) {
      add(index, new Cud(cud.type(), id, false, cud.fields()));
      return;
    }
    Cud earlier = folded.get(position);
    if (!earlier.type().equals(cud.type())) {
      throw refused(index, cud, "record " + id + " is a " + earlier.type());
    }
    folded.set(position, new Cud(cud.type(), id, earlier.isNew(), cud.fields()));
  }

  private void add(int index, Cud cud) {
    origins[folded.size()] = index;
    if (positions != null) {
      positions.put(cud.id(), folded.size());
    }
    folded.add(cud);
  }

  /** Where each record stands; made for the first update, as new records alone never meet. */
  private Map<Long, Integer> positions() {
    Map<Long, Integer> known = positions;
    if (known == null) {
      known = new HashMap<>();
      for (int i = 0; i < folded.size(); i++) {
        known.put(folded.get(i).id(), i);
      }
      positions = known;
    }
    return known;
  }

  /** Whether the command itself creates this record. */
  boolean creates(long id) {
    return explicitIds != null && explicitIds.contains(id);
  }

  /** The records with all ids and numbers in place. */
  List<Cud> placedCuds() {
    List<Cud> placed = new ArrayList<>(folded.size());
    for (int i = 0; i < folded.size(); i++) {
      Cud cud = folded.get(i);
      Fields fields = placed(cud.fields(), "cuds[", origins[i]);
      placed.add(new Cud(cud.type(), cud.id(), cud.isNew(), fields));
    }
    return placed;
  }

  /** The argument with all ids and numbers in place. */
  @Nullable ArgumentObject placedArgument() {
    Deque<PayloadCodec.Open> open = new ArrayDeque<>();
    for (int i = 0; i < objects.size(); i++) {
      PayloadCodec.Placed next = objects.get(i);
      while (open.size() > next.depth()) {
        PayloadCodec.close(open);
      }
      ArgumentObject object = next.object();
      Fields fields = placed(object.fields(), "argument[", i);
      open.push(new PayloadCodec.Open(object.type(), objectIds[i], fields, new ArrayList<>(1)));
    }
    return PayloadCodec.closeAll(open);
  }

  private Fields placed(Fields fields, String of, int index) {
    Object[] values = null;
    String[] names = null;
    for (int i = 0; i < fields.size(); i++) {
      Object value = fields.value(i);
      Object placed = value;
      if (value instanceof Ref ref && RecordIds.isRaw(ref.id())) {
        placed = new Ref(reference(ref.id(), of, index, fields.name(i)));
      } else if (value instanceof Draw draw) {
        placed = draw(draw.seqId());
      } else if (value instanceof Drawn copied) {
        placed = copied.number(); // it was drawn by another event: here it is only a number
      }
      if (placed != value) {
        if (values == null) {
          values = new Object[fields.size()];
          names = new String[values.length];
          for (int j = 0; j < values.length; j++) {
            names[j] = fields.name(j);
            values[j] = fields.value(j);
          }
        }
        values[i] = placed;
      }
    }
    return values == null || names == null ? fields : Fields.trusted(names, values);
  }

  private long reference(long rawId, String of, int index, String field) {
    Long id = newIds.get(rawId);
    if (id == null) {
      throw new IllegalArgumentException(
          of + index + "], field " + field + ": raw id " + rawId + " names nothing new");
    }
    return id;
  }

  private Drawn draw(int seqId) {
    Drawn number = new Drawn(seqId, sequencer.next(seqId));
    if (drawn.isEmpty()) {
      drawn = new ArrayList<>();
    }
    drawn.add(number);
    return number;
  }
}
