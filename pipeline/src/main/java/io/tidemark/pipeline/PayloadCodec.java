package io.tidemark.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an event's content: name, number of records, each with flag, type, id and
 * fields; number of argument objects, each with depth, type, id and fields, parents before their
 * parts. No recursion: an argument may be as deep as its bytes allow.
 */
final class PayloadCodec {
  static final int VERSION = 1;
  private static final int UPDATED = 0;
  private static final int NEW = 1;
  private static final int LEAST_CUD = 5;
  private static final int LEAST_OBJECT = 5;

  private PayloadCodec() {}

  static byte[] encode(EventContent content, ByteWriter out) {
    out.begin(VERSION).text(content.name());
    out.varint(content.cuds().size());
    for (Cud cud : content.cuds()) {
      out.put(cud.isNew() ? NEW : UPDATED).type(cud.type()).varint(cud.id());
      FieldsCodec.write(cud.fields(), out);
    }
    ArgumentObject argument = content.argument();
    if (argument == null) {
      out.varint(0);
    } else {
      List<Placed> objects = flatten(argument);
      out.varint(objects.size());
      for (Placed placed : objects) {
        ArgumentObject object = placed.object;
        out.varint(placed.depth).type(object.type()).varint(object.id());
        FieldsCodec.write(object.fields(), out);
      }
    }
    return out.end();
  }

  static EventContent decode(byte[] payload) {
    ByteReader in = new ByteReader(payload, VERSION);
    String name = in.text();
    int cudCount = in.count(LEAST_CUD);
    List<Cud> cuds = new ArrayList<>(cudCount);
    for (int i = 0; i < cudCount; i++) {
      cuds.add(readCud(in));
    }
    ArgumentObject argument = readArgument(in, in.count(LEAST_OBJECT));
    in.end();
    return new EventContent(name, cuds, argument);
  }

  private static Cud readCud(ByteReader in) {
    int flag = in.get();
    RecordType type = in.type();
    long id = in.varint();
    if (flag > NEW || id < 1 || type.kind().isArgument()) {
      throw ByteReader.corrupted("flag " + flag + " of " + type + " " + id + " cannot be");
    }
    return new Cud(type, id, flag == NEW, FieldsCodec.read(in));
  }

  private static @Nullable ArgumentObject readArgument(ByteReader in, int count) {
    Deque<Open> open = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      long depth = in.varint();
      RecordType type = in.type();
      long id = in.varint();
      boolean placed = i == 0 ? depth == 0 : depth >= 1 && depth <= open.size();
      if (!placed || id < 1 || !type.kind().isArgument()) {
        throw ByteReader.corrupted("object " + type + " " + id + " at depth " + depth);
      }
      while (open.size() > depth) {
        close(open);
      }
      open.push(new Open(type, id, FieldsCodec.read(in), new ArrayList<>()));
    }
    return closeAll(open);
  }

  /** The root, once all is closed; null if there was nothing. */
  static @Nullable ArgumentObject closeAll(Deque<Open> open) {
    ArgumentObject root = null;
    while (!open.isEmpty()) {
      root = close(open);
    }
    return root;
  }

  static ArgumentObject close(Deque<Open> open) {
    ArgumentObject done = open.pop().close();
    Open parent = open.peek();
    if (parent != null) {
      parent.children.add(done);
    }
    return done;
  }

  /** The objects of a tree, parents before their parts. */
  static List<Placed> flatten(ArgumentObject root) {
    List<Placed> all = new ArrayList<>();
    Deque<Placed> rest = new ArrayDeque<>();
    rest.push(new Placed(root, 0));
    while (!rest.isEmpty()) {
      Placed next = rest.pop();
      all.add(next);
      List<ArgumentObject> children = next.object.children();
      for (int i = children.size() - 1; i >= 0; i--) {
        rest.push(new Placed(children.get(i), next.depth + 1));
      }
    }
    return all;
  }

  /** An object and how deep it lies. */
  record Placed(ArgumentObject object, int depth) {}

  /** An object whose parts are still coming. */
  record Open(RecordType type, long id, Fields fields, List<ArgumentObject> children) {
    ArgumentObject close() {
      return new ArgumentObject(type, id, fields, children);
    }
  }
}
