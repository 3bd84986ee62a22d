import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final Kryo kryo = new Kryo();

  private Main() {
    kryo.register(LinkedHashMap.class);
    kryo.register(ArrayList.class);
    kryo.register(BigInteger.class);
    kryo.register(Optional.class);
    Schema.CLASSES.forEach(kryo::register);
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
    try (var output = new com.esotericsoftware.kryo.io.Output(out)) {
      kryo.writeClassAndObject(output, root);
    }
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    try (Input input = new Input(data)) {
      Schema.walk(kryo.readClassAndObject(input), hash);
    }
  }
}
