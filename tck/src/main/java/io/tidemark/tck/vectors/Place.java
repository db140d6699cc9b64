package io.tidemark.tck.vectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A part of a JSON document that knows where it stands, so that what is wrong with it can be named.
 *
 * @param path such as {@code $.vectors[3].ops[1].value}
 */
record Place(String path, JsonElement element) {

  MalformedVectorsException malformed(String expected) {
    return new MalformedVectorsException(path, expected, found());
  }

  private String found() {
    String text = element.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private JsonObject object() {
    if (!(element instanceof JsonObject object)) {
      throw malformed("an object");
    }
    return object;
  }

  /** The names in an object; refuses any that is not allowed, and the absence of a required one. */
  Set<String> names(Set<String> required, Set<String> optional) {
    Set<String> names = object().keySet();
    for (String name : required) {
      if (!names.contains(name)) {
        throw malformed("\"" + name + "\" in it");
      }
    }
    for (String name : names) {
      if (!required.contains(name) && !optional.contains(name)) {
        Set<String> known = new TreeSet<>(required);
        known.addAll(optional);
        throw malformed("none but " + known + ", not \"" + name + "\"");
      }
    }
    return names;
  }

  boolean has(String name) {
    JsonElement there = object().get(name);
    return there != null && !there.isJsonNull();
  }

  Place at(String name) {
    JsonElement there = object().get(name);
    if (there == null) {
      throw malformed("\"" + name + "\" in it");
    }
    return new Place(path + "." + name, there);
  }

  List<Place> list() {
    if (!element.isJsonArray()) {
      throw malformed("a list");
    }
    List<Place> places = new ArrayList<>();
    for (JsonElement each : element.getAsJsonArray()) {
      places.add(new Place(path + "[" + places.size() + "]", each));
    }
    return places;
  }

  String text() {
    if (element instanceof JsonPrimitive primitive && primitive.isString()) {
      return primitive.getAsString();
    }
    throw malformed("a text");
  }

  boolean flag() {
    if (element instanceof JsonPrimitive primitive && primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    throw malformed("true or false");
  }

  long number() {
    if (element instanceof JsonPrimitive primitive && primitive.isNumber()) {
      try {
        return new BigDecimal(primitive.getAsString()).longValueExact();
      } catch (ArithmeticException | NumberFormatException e) {
        throw malformed("a whole number within 64 bits");
      }
    }
    throw malformed("a whole number");
  }
}
