import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
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
  public void write(Object root, Output out) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    builder.finish(Schema.pack(builder, root));
    ByteBuffer data = builder.dataBuffer();
    out.block(data.array(), data.arrayOffset() + data.position(), data.remaining());
  }

  @Override
  public void incremental(byte[] data, Hash hash) {
    Schema.walk(ByteBuffer.wrap(data), hash);
  }
}
