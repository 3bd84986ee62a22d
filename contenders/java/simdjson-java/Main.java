import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.simdjson.JsonValue;
import org.simdjson.SimdJsonParser;
import serbench.Contender;
import serbench.Hash;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final SimdJsonParser parser = new SimdJsonParser();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    walk(parser.parse(data, data.length), hash);
  }

  private static void walk(JsonValue value, Hash hash) throws Refusal {
    if (value.isObject()) {
      int count = 0;
      for (Iterator<Map.Entry<String, JsonValue>> it = value.objectIterator();
          it.hasNext();
          count++) {
        Map.Entry<String, JsonValue> member = it.next();
        hash.string(member.getKey());
        walk(member.getValue(), hash);
      }
      hash.count(count);
    } else if (value.isArray()) {
      int count = 0;
      for (Iterator<JsonValue> it = value.arrayIterator(); it.hasNext(); count++) {
        walk(it.next(), hash);
      }
      hash.count(count);
    } else if (value.isString()) {
      hash.string(value.asString());
    } else if (value.isLong()) {
      hash.integer(value.asLong());
    } else if (value.isDouble()) {
      hash.number(value.asDouble());
    } else if (value.isBoolean()) {
      hash.bool(value.asBoolean());
    } else if (value.isNull()) {
      hash.nil();
    } else {
      throw new Refusal("a value of no type");
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    JsonValue root = parser.parse(data, data.length);
    for (Path path : paths) {
      JsonValue value = root;
      for (Object step : path.steps()) {
        value = step instanceof String key ? member(value, key) : element(value, (int) step);
        if (value == null) {
          throw path.missing();
        }
      }
      if (value.isObject() || value.isArray()) {
        throw path.missing();
      }
      walk(value, hash);
    }
  }

  private static JsonValue member(JsonValue value, String key) {
    return value.isObject() ? value.get(key) : null;
  }

  /** There is no other way to an element. */
  private static JsonValue element(JsonValue value, int index) {
    if (!value.isArray()) {
      return null;
    }
    Iterator<JsonValue> it = value.arrayIterator();
    for (int i = 0; i < index && it.hasNext(); i++) {
      it.next();
    }
    return it.hasNext() ? it.next() : null;
  }
}
