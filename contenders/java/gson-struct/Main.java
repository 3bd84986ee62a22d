import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.reflect.TypeToken;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final Type type = Schema.type();
  private final Gson gson;

  private Main() {
    GsonBuilder builder = new GsonBuilder().disableHtmlEscaping();
    gson = (Schema.NULLABLE ? builder.serializeNulls() : builder).create();
  }

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    out.block(gson.toJson(root, type).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    Reader text = new InputStreamReader(new ByteArrayInputStream(data), StandardCharsets.UTF_8);
    Schema.walk(gson.fromJson(text, TypeToken.get(type)), hash);
  }
}
