import com.dslplatform.json.DslJson;
import com.dslplatform.json.runtime.Settings;
import java.lang.reflect.Type;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final DslJson<Object> json = new DslJson<>(Settings.basicSetup());
  private final Type type = Schema.type();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    json.serialize(root, out);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    Schema.walk(json.deserialize(type, data, data.length), hash);
  }
}
