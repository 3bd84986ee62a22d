import io.avaje.json.mapper.JsonMapper;
import io.avaje.json.stream.JsonStream;
import serbench.Contender;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  /** Without these two, members that are null or empty are left out. */
  private final JsonStream stream =
      JsonStream.builder().serializeNulls(true).serializeEmpty(true).build();

  private final JsonMapper.Type<Object> json =
      JsonMapper.builder().jsonStream(stream).build().object();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) {
    json.toJson(root, out);
  }

  @Override
  public Object decode(byte[] data) {
    return json.fromJson(data);
  }
}
