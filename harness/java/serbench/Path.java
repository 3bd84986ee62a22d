package serbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a look-up finds a value.
 *
 * @param steps from the root: a String is a key of a map, an Integer an index of an array
 * @param pointer the same as a JSON Pointer
 */
public record Path(List<Object> steps, String pointer) {
  /** The path that an array of keys and indexes is; null for another value. */
  static Path of(Object value) {
    if (!(value instanceof List<?> items)) {
      return null;
    }
    List<Object> steps = new ArrayList<>();
    StringBuilder pointer = new StringBuilder();
    for (Object item : items) {
      switch (item) {
        case String key -> {
          steps.add(key);
          pointer.append('/').append(key.replace("~", "~0").replace("/", "~1"));
        }
        case Long index -> {
          steps.add(index.intValue());
          pointer.append('/').append(index);
        }
        case null, default -> {
          return null;
        }
      }
    }
    return new Path(steps, pointer.toString());
  }

  /** The refusal that there is no scalar at this path. */
  public Refusal missing() {
    return new Refusal("no value at " + pointer);
  }

  /** The scalar at this path in a tree of Java's own maps and lists. */
  public Object find(Object root) throws Refusal {
    Object value = root;
    for (Object step : steps) {
      if (value instanceof Map<?, ?> map && step instanceof String && map.containsKey(step)) {
        value = map.get(step);
      } else if (value instanceof List<?> list
          && step instanceof Integer index
          && index < list.size()) {
        value = list.get(index);
      } else {
        throw missing();
      }
    }
    if (value instanceof Map || value instanceof List) {
      throw missing();
    }
    return value;
  }
}
