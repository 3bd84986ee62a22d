import com.dslplatform.json.DslJson;
import com.dslplatform.json.runtime.Settings;
import java.io.IOException;
import serbench.Contender;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final DslJson<Object> json = new DslJson<>(Settings.basicSetup());

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws IOException {
    json.serialize(root, out);
  }

  @Override
  public Object decode(byte[] data) throws IOException {
    return json.deserialize(Object.class, data, data.length);
  }
}
