import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONObject;
import org.json.JSONTokener;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    serialize(made(root), out);
  }

  /** A document as a program makes it: JSONObject(Map) would leave out members that are null. */
  private static Object made(Object value) {
    return switch (value) {
      case null -> JSONObject.NULL;
      case List<?> list -> {
        JSONArray array = new JSONArray(list.size());
        for (Object item : list) {
          array.put(made(item));
        }
        yield array;
      }
      case Map<?, ?> map -> {
        JSONObject object = new JSONObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          object.put((String) entry.getKey(), made(entry.getValue()));
        }
        yield object;
      }
      default -> value;
    };
  }

  private static Object read(byte[] data) throws Refusal {
    JSONTokener text = new JSONTokener(new String(data, StandardCharsets.UTF_8));
    Object root = text.nextValue();
    if (text.nextClean() != 0) {
      throw new Refusal("something follows the root");
    }
    return root;
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Refusal {
    walk(read(data), hash);
  }

  private static void walk(Object value, Hash hash) throws Refusal {
    if (value instanceof JSONObject object) {
      for (String key : object.keySet()) {
        hash.string(key);
        walk(object.get(key), hash);
      }
      hash.count(object.length());
    } else if (value instanceof JSONArray array) {
      for (Object item : array) {
        walk(item, hash);
      }
      hash.count(array.length());
    } else if (value == JSONObject.NULL) {
      hash.nil();
    } else {
      hash.any(value);
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Refusal {
    Object root = read(data);
    for (Path path : paths) {
      Object value = root;
      for (Object step : path.steps()) {
        value =
            step instanceof String key
                ? ((JSONObject) value).get(key)
                : ((JSONArray) value).get((int) step);
      }
      if (value instanceof JSONObject || value instanceof JSONArray) {
        throw path.missing();
      }
      walk(value, hash);
    }
  }

  @Override
  public Object document(byte[] data) throws Refusal {
    return read(data);
  }

  @Override
  public void serialize(Object document, Output out) throws Exception {
    String text = document.toString();
    if (text == null) {
      throw new Refusal("toString gives null");
    }
    out.block(text.getBytes(StandardCharsets.UTF_8));
  }
}
