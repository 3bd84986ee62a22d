import com.squareup.moshi.JsonAdapter;
import com.squareup.moshi.JsonReader;
import com.squareup.moshi.JsonWriter;
import com.squareup.moshi.Moshi;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import okio.Buffer;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final boolean streaming = Worker.defined("STREAMING");

  /** Without serializeNulls a member that is null is left out. */
  private final JsonAdapter<Object> adapter =
      new Moshi.Builder().build().adapter(Object.class).serializeNulls();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws IOException {
    Buffer text = new Buffer();
    if (streaming) {
      JsonWriter writer = JsonWriter.of(text);
      writer.setSerializeNulls(true);
      put(root, writer);
    } else {
      adapter.toJson(text, root);
    }
    out.block(text.readByteArray());
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

  private static JsonReader reader(byte[] data) {
    return JsonReader.of(new Buffer().write(data));
  }

  private static void end(JsonReader reader) throws IOException, Refusal {
    if (reader.peek() != JsonReader.Token.END_DOCUMENT) {
      throw new Refusal("something follows the root");
    }
  }

  @Override
  public Object decode(byte[] data) throws Exception {
    JsonReader reader = reader(data);
    Object root = adapter.fromJson(reader);
    end(reader);
    return root;
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    JsonReader reader = reader(data);
    value(reader, hash);
    end(reader);
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
        reader.<Object>nextNull();
        hash.nil();
      }
      default -> throw new Refusal("a token is " + reader.peek());
    }
  }
}
