import com.alibaba.fastjson2.JSONB;
import com.alibaba.fastjson2.JSONWriter;
import serbench.Contender;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) {
    out.block(JSONB.toBytes(root, JSONWriter.Feature.WriteNulls));
  }

  /** JSONB.parse makes a JSONObject or a JSONArray, which are Java's own map and list. */
  @Override
  public Object decode(byte[] data) {
    return JSONB.parse(data);
  }
}
