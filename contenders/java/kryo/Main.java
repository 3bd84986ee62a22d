import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import serbench.Contender;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final Kryo kryo = new Kryo();

  public Main() {
    kryo.register(LinkedHashMap.class);
    kryo.register(ArrayList.class);
    kryo.register(BigInteger.class);
  }

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) {
    try (var output = new com.esotericsoftware.kryo.io.Output(out)) {
      kryo.writeClassAndObject(output, root);
    }
  }

  @Override
  public Object decode(byte[] data) {
    try (Input input = new Input(data)) {
      return kryo.readClassAndObject(input);
    }
  }
}
