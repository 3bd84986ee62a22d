import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import sbe.MessageHeaderDecoder;
import sbe.MessageHeaderEncoder;
import sbe.RootDecoder;
import sbe.RootEncoder;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final boolean reuse = Worker.defined("REUSE");
  private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
  private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
  private final RootEncoder keptEncoder = new RootEncoder();
  private final RootDecoder keptDecoder = new RootDecoder();
  private final ExpandableArrayBuffer keptBuffer = new ExpandableArrayBuffer();
  private final UnsafeBuffer keptInput = new UnsafeBuffer(0, 0);

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) {
    if (reuse) {
      write(root, keptBuffer, keptEncoder, headerEncoder, out);
    } else {
      ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
      write(root, buffer, new RootEncoder(), new MessageHeaderEncoder(), out);
    }
  }

  private static void write(
      Object root,
      ExpandableArrayBuffer buffer,
      RootEncoder message,
      MessageHeaderEncoder header,
      Output out) {
    message.wrapAndApplyHeader(buffer, 0, header);
    Schema.fill(message, root);
    out.block(buffer.byteArray(), 0, message.limit());
  }

  @Override
  public void tree(byte[] data, Hash hash) {
    if (reuse) {
      keptInput.wrap(data);
      keptDecoder.wrapAndApplyHeader(keptInput, 0, headerDecoder);
      Schema.walk(Schema.read(keptDecoder), hash);
    } else {
      RootDecoder message = new RootDecoder();
      message.wrapAndApplyHeader(new UnsafeBuffer(data), 0, new MessageHeaderDecoder());
      Schema.walk(Schema.read(message), hash);
    }
  }
}
