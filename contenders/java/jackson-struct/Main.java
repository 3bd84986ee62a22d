import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final JsonMapper mapper =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
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
    Schema.walk(reader.readValue(data), hash);
  }
}
