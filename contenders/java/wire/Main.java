import com.squareup.wire.Message;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) {
    out.block(Schema.message(root).encode());
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    Schema.walk(Schema.parse(data), hash);
  }

  @Override
  public Object document(byte[] data) throws Exception {
    return Schema.parse(data);
  }

  @Override
  public void serialize(Object document, Output out) {
    out.block(((Message<?, ?>) document).encode());
  }
}
