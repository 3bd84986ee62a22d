import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final boolean map = Worker.defined("MAP");
  private final boolean streaming = Worker.defined("STREAMING");

  /** Without serializeNulls a member that is null is left out. */
  private final Gson gson = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    if (streaming) {
      try (Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
        put(root, new JsonWriter(text));
      }
    } else {
      out.block(gson.toJson(root).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void put(Object value, JsonWriter to) throws IOException {
    switch (value) {
      case null -> to.nullValue();
      case String text -> to.value(text);
      case Long number -> to.value(number.longValue());
      case Double number -> to.value(number.doubleValue());
      case Boolean flag -> to.value(flag.booleanValue());
      case BigInteger number -> to.value(number);
      case List<?> list -> {
        to.beginArray();
        for (Object item : list) {
          put(item, to);
        }
        to.endArray();
      }
      case Map<?, ?> map -> {
        to.beginObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          to.name((String) entry.getKey());
          put(entry.getValue(), to);
        }
        to.endObject();
      }
      default -> throw new IOException("a value is a " + value.getClass());
    }
  }

  private static Reader text(byte[] data) {
    return new InputStreamReader(new ByteArrayInputStream(data), StandardCharsets.UTF_8);
  }

  /** For the variant: what most programs decode data of unknown type into. */
  @Override
  public Object decode(byte[] data) {
    return gson.fromJson(text(data), Object.class);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    if (map) {
      super.tree(data, hash);
    } else {
      walk(JsonParser.parseReader(text(data)), hash);
    }
  }

  private static void walk(JsonElement value, Hash hash) throws Refusal {
    switch (value) {
      case JsonObject object -> {
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          hash.string(member.getKey());
          walk(member.getValue(), hash);
        }
        hash.count(object.size());
      }
      case JsonArray array -> {
        for (JsonElement item : array) {
          walk(item, hash);
        }
        hash.count(array.size());
      }
      case JsonPrimitive scalar when scalar.isString() -> hash.string(scalar.getAsString());
      case JsonPrimitive scalar when scalar.isBoolean() -> hash.bool(scalar.getAsBoolean());
      case JsonPrimitive scalar -> hash.number(scalar.getAsString());
      default -> hash.nil();
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    if (map) {
      super.lookup(data, paths, hash);
      return;
    }
    JsonElement root = JsonParser.parseReader(text(data));
    for (Path path : paths) {
      JsonElement value = root;
      for (Object step : path.steps()) {
        value =
            step instanceof String key
                ? value.getAsJsonObject().get(key)
                : value.getAsJsonArray().get((int) step);
        if (value == null) {
          throw path.missing();
        }
      }
      if (value.isJsonObject() || value.isJsonArray()) {
        throw path.missing();
      }
      walk(value, hash);
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    try (JsonReader reader = new JsonReader(text(data))) {
      value(reader, hash);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw new Refusal("something follows the root");
      }
    }
  }

  private static void value(JsonReader reader, Hash hash) throws Exception {
    switch (reader.peek()) {
      case BEGIN_OBJECT -> {
        reader.beginObject();
        int count = 0;
        for (; reader.hasNext(); count++) {
          hash.string(reader.nextName());
          value(reader, hash);
        }
        reader.endObject();
        hash.count(count);
      }
      case BEGIN_ARRAY -> {
        reader.beginArray();
        int count = 0;
        for (; reader.hasNext(); count++) {
          value(reader, hash);
        }
        reader.endArray();
        hash.count(count);
      }
      case STRING -> hash.string(reader.nextString());
      case NUMBER -> hash.number(reader.nextString());
      case BOOLEAN -> hash.bool(reader.nextBoolean());
      case NULL -> {
        reader.nextNull();
        hash.nil();
      }
      default -> throw new Refusal("a token is " + reader.peek());
    }
  }
}
