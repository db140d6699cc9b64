package io.tidemark.tck.vectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a file of vectors, whole and strictly, before anything of it is run. */
final class VectorFile {
  private static final String FORMAT = "sequence-vectors/1";

  private VectorFile() {}

  static List<Vector> read(Reader text) throws IOException {
    Place document = new Place("$", parse(text));
    document.names(
        Set.of("format", "vectors"),
        Set.of("about", "definitionDefaults", "ops", "expectForms", "errors"));
    if (!document.at("format").text().equals(FORMAT)) {
      throw document.at("format").malformed("\"" + FORMAT + "\"");
    }
    List<Vector> vectors = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Place each : document.at("vectors").list()) {
      Vector vector = Vector.read(each);
      if (!names.add(vector.name())) {
        throw each.at("name").malformed("a name no other vector has");
      }
      vectors.add(vector);
    }
    if (vectors.isEmpty()) {
      throw document.at("vectors").malformed("at least one vector");
    }
    return vectors;
  }

  private static JsonElement parse(Reader text) throws IOException {
    JsonReader reader = new JsonReader(text);
    reader.setStrictness(Strictness.STRICT);
    try {
      JsonElement document = JsonParser.parseReader(reader);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw new MalformedVectorsException("$", "the end of the text", reader.peek());
      }
      return document;
    } catch (JsonParseException | IOException e) {
      if (e instanceof IOException io && !(io instanceof MalformedJsonException)) {
        throw io;
      }
      Throwable said = e.getCause() != null ? e.getCause() : e;
      throw new MalformedVectorsException("not JSON: " + said.getMessage(), e);
    }
  }
}
