package io.tidemark.cli;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers another system has used up, read from a file and checked: each line {@code
 * wsid,kind,sequence,number}; a first line of words, empty lines and lines that start with # are
 * passed over.
 *
 * @param types the sequences of each kind in the file
 * @param workspaces the floors of each workspace
 */
record Floors(SequenceTypes types, Map<Long, Workspace> workspaces) {

  /**
   * The floors of one workspace.
   *
   * @param wsid the workspace
   * @param kind its kind
   * @param line the file's first line about it
   * @param numbers the last number used of each sequence
   */
  record Workspace(long wsid, int kind, int line, Map<Integer, Long> numbers) {}

  static Floors read(Path file, @Nullable Path sequences) {
    Map<Integer, Map<Integer, SequenceDefinition>> custom = custom(sequences);
    Map<Long, Workspace> workspaces = new TreeMap<>(Long::compareUnsigned);
    SequenceTypes.Builder types = SequenceTypes.builder();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#") || (number == 1 && line.startsWith("wsid"))) {
        continue;
      }
      Line cells = new Line(file, number, line.split(",", -1));
      cells.require(4, "wsid,kind,sequence,number");
      long wsid = cells.unsigned(0, "wsid");
      int kind = cells.id(1, "kind");
      Workspace workspace =
          workspaces.computeIfAbsent(
              wsid, w -> new Workspace(w, kind, cells.number, new TreeMap<>()));
      if (workspace.kind != kind) {
        throw cells.wrong("workspace has kind " + workspace.kind + " on line " + workspace.line);
      }
      types.platform(kind);
      custom.getOrDefault(kind, Map.of()).forEach((id, each) -> types.sequence(kind, id, each));
      add(cells, workspace, types.build());
    }
    return new Floors(types.build(), workspaces);
  }

  private static void add(Line cells, Workspace workspace, SequenceTypes types) {
    Map<Integer, SequenceDefinition> known = types.kinds().getOrDefault(workspace.kind, Map.of());
    String name = cells.cells[2].strip();
    int seqId =
        known.entrySet().stream()
            .filter(e -> e.getValue().name().equals(name) || name.equals("" + e.getKey()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow(
                () ->
                    cells.wrong(
                        "kind "
                            + workspace.kind
                            + " has no sequence '"
                            + name
                            + "'; define custom ones with --sequences FILE"));
    SequenceDefinition definition = known.get(seqId);
    long number = cells.number(3, "number");
    if (definition == null || !definition.contains(number)) {
      throw cells.wrong("number " + number + " is outside the range of " + definition);
    }
    if (workspace.numbers.put(seqId, number) != null) {
      throw cells.wrong("sequence " + name + " of this workspace stands twice in the file");
    }
  }

  /** Lines {@code kind,id,CREATE SEQUENCE …}. */
  private static Map<Integer, Map<Integer, SequenceDefinition>> custom(@Nullable Path file) {
    Map<Integer, Map<Integer, SequenceDefinition>> kinds = new TreeMap<>();
    if (file == null) {
      return kinds;
    }
    int number = 0;
    for (String line : lines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Line cells = new Line(file, number, line.split(",", 3));
      cells.require(3, "kind,id,CREATE SEQUENCE …");
      int kind = cells.id(0, "kind");
      int id = cells.id(1, "id");
      if (id < SystemSequences.FIRST_CUSTOM) {
        throw cells.wrong("custom sequences have ids from 256, was " + id);
      }
      try {
        SequenceDefinition definition = SequenceDefinition.parse(cells.cells[2]);
        kinds.computeIfAbsent(kind, k -> new TreeMap<>()).put(id, definition);
        SequenceTypes.builder().sequence(kind, id, definition).build(); // checks it
      } catch (IllegalArgumentException e) {
        throw cells.wrong(String.valueOf(e.getMessage()));
      }
    }
    return kinds;
  }

  private static List<String> lines(Path file) {
    try {
      return new ArrayList<>(Files.readAllLines(file));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is not a text in UTF-8", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file + (Files.exists(file) ? " cannot be read: " + e.getMessage() : " is not there"), e);
    }
  }

  /** One line of a file, so that a complaint names it. */
  private static final class Line {
    private final Path file;
    private final int number;
    private final String[] cells;

    Line(Path file, int number, String[] cells) {
      this.file = file;
      this.number = number;
      this.cells = cells;
    }

    void require(int count, String form) {
      if (cells.length != count) {
        throw wrong("expected " + form + ", found " + cells.length + " cells");
      }
    }

    long unsigned(int cell, String name) {
      try {
        return Long.parseUnsignedLong(cells[cell].strip());
      } catch (NumberFormatException e) {
        throw wrong(name + " must be a whole number of 64 bits, was '" + cells[cell] + "'");
      }
    }

    long number(int cell, String name) {
      try {
        return Long.parseLong(cells[cell].strip());
      } catch (NumberFormatException e) {
        throw wrong(name + " must be a whole number, was '" + cells[cell] + "'");
      }
    }

    int id(int cell, String name) {
      long id = number(cell, name);
      if (id < 1 || id > SystemSequences.MAX_ID) {
        throw wrong(name + " must be 1..65535, was " + id);
      }
      return (int) id;
    }

    IllegalArgumentException wrong(String problem) {
      return new IllegalArgumentException(file + " line " + number + ": " + problem);
    }
  }
}
