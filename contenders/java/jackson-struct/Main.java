import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final ObjectMapper mapper = Mapper.make();
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
