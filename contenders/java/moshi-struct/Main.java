import com.squareup.moshi.JsonAdapter;
import com.squareup.moshi.JsonQualifier;
import com.squareup.moshi.JsonReader;
import com.squareup.moshi.JsonWriter;
import com.squareup.moshi.Moshi;
import com.squareup.moshi.Types;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Type;
import java.util.Set;
import okio.Buffer;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  /** Of fields whose null is written; of others it is left out. */
  @Retention(RetentionPolicy.RUNTIME)
  @JsonQualifier
  public @interface WithNull {}

  private final JsonAdapter<Object> adapter =
      new Moshi.Builder().add(Main::withNull).build().adapter(Schema.type());

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  private static JsonAdapter<?> withNull(
      Type type, Set<? extends Annotation> annotations, Moshi moshi) {
    Set<? extends Annotation> others = Types.nextAnnotations(annotations, WithNull.class);
    if (others == null) {
      return null;
    }
    JsonAdapter<Object> adapter = moshi.adapter(type, others);
    JsonAdapter<Object> nulls = adapter.serializeNulls();
    return new JsonAdapter<Object>() {
      @Override
      public Object fromJson(JsonReader from) throws IOException {
        return adapter.fromJson(from);
      }

      @Override
      public void toJson(JsonWriter to, Object value) throws IOException {
        (value == null ? nulls : adapter).toJson(to, value);
      }
    };
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) throws IOException {
    Buffer text = new Buffer();
    adapter.toJson(text, root);
    out.block(text.readByteArray());
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    JsonReader reader = JsonReader.of(new Buffer().write(data));
    Object root = adapter.fromJson(reader);
    if (reader.peek() != JsonReader.Token.END_DOCUMENT) {
      throw new Refusal("something follows the root");
    }
    Schema.walk(root, hash);
  }
}
