import java.io.IOException;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

public final class Main extends Contender {
  private final GenericDatumWriter<Object> writer = new GenericDatumWriter<>(Schema.AVRO);
  private final GenericDatumReader<Object> reader = new GenericDatumReader<>(Schema.AVRO);

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public Object struct(Object tree) {
    return Schema.plain(tree);
  }

  @Override
  public void write(Object root, Output out) throws IOException {
    serialize(Schema.fill(root), out);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws IOException {
    Schema.walk(document(data), hash);
  }

  @Override
  public Object document(byte[] data) throws IOException {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(data, null);
    return reader.read(null, decoder);
  }

  @Override
  public void serialize(Object document, Output out) throws IOException {
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    writer.write(document, encoder);
    encoder.flush();
  }
}
