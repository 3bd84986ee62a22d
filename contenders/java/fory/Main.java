import org.apache.fory.Fory;
import serbench.Contender;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final Fory fory = Fory.builder().withXlang(false).requireClassRegistration(true).build();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) {
    out.block(fory.serialize(root));
  }

  @Override
  public Object decode(byte[] data) {
    return fory.deserialize(data);
  }
}
