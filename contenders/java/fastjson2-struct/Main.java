import com.alibaba.fastjson2.JSON;
import java.lang.reflect.Type;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final Type type = Schema.type();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) {
    out.block(JSON.toJSONBytes(root));
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    Schema.walk(JSON.parseObject(data, type), hash);
  }
}
