import data.Schema;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final JsonType<Object> json =
      Jsonb.builder()
          .serializeNulls(Schema.NULLABLE)
          .serializeEmpty(true)
          .build()
          .type(Schema.type());

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) {
    json.toJson(root, out);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    Schema.walk(json.fromJson(data), hash);
  }
}
