import java.io.IOException;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;
import us.hebi.quickbuf.ProtoMessage;
import us.hebi.quickbuf.ProtoSink;
import us.hebi.quickbuf.ProtoSource;

public final class Main extends Contender {
  private final boolean reuse = Worker.defined("REUSE");
  private final ProtoMessage<?> kept = Schema.message();
  private final ProtoSink sink = ProtoSink.newArraySink();
  private final ProtoSource source = ProtoSource.newArraySource();
  private byte[] buffer = new byte[0];

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) throws IOException {
    if (reuse) {
      kept.clearQuick();
      Schema.fill(kept, root);
      int size = kept.getSerializedSize();
      if (buffer.length < size) {
        buffer = new byte[size];
      }
      kept.writeTo(sink.setOutput(buffer, 0, size));
      out.block(buffer, 0, size);
    } else {
      ProtoMessage<?> message = Schema.message();
      Schema.fill(message, root);
      out.block(message.toByteArray());
    }
  }

  @Override
  public void tree(byte[] data, Hash hash) throws IOException {
    if (reuse) {
      kept.clearQuick();
      Schema.walk(kept.mergeFrom(source.setInput(data)), hash);
    } else {
      Schema.walk(Schema.parse(data), hash);
    }
  }

  @Override
  public Object document(byte[] data) throws IOException {
    return Schema.parse(data);
  }

  @Override
  public void serialize(Object document, Output out) {
    out.block(((ProtoMessage<?>) document).toByteArray());
  }
}
