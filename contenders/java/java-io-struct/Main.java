import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
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
  public void write(Object root, Output out) throws Exception {
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(root);
    }
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(data))) {
      Schema.walk(objects.readObject(), hash);
    }
  }
}
