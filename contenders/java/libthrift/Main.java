import org.apache.thrift.TBase;
import org.apache.thrift.TDeserializer;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;
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
  public void write(Object root, Output out) throws TException {
    serialize(Schema.fill(root), out);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws TException {
    Schema.walk(document(data), hash);
  }

  @Override
  public Object document(byte[] data) throws TException {
    TBase<?, ?> root = Schema.root();
    new TDeserializer(new TCompactProtocol.Factory()).deserialize(root, data);
    return root;
  }

  @Override
  public void serialize(Object document, Output out) throws TException {
    out.block(new TSerializer(new TCompactProtocol.Factory()).serialize((TBase<?, ?>) document));
  }
}
