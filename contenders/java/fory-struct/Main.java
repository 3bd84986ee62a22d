import org.apache.fory.Fory;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final Fory fory =
      Fory.builder()
          .withXlang(false)
          .requireClassRegistration(true)
          .withMaxTypeFields(1 << 16)
          .withMaxTypeMetaBytes(1 << 24)
          .build();

  private Main() {
    Schema.CLASSES.forEach(fory::register);
  }

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) {
    out.block(fory.serialize(root));
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    Schema.walk(fory.deserialize(data), hash);
  }
}
