import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final MessagePackMapper mapper =
      MessagePackMapper.builder()
          .addModule(new Jdk8Module())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private final ObjectReader reader = mapper.readerFor(mapper.constructType(Schema.type()));

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    out.block(mapper.writeValueAsBytes(root));
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    try (JsonParser parser = reader.createParser(data)) {
      Object root = reader.readValue(parser);
      if (parser.currentLocation().getCharOffset() != data.length) {
        throw new Refusal("something follows the root");
      }
      Schema.walk(root, hash);
    }
  }
}
