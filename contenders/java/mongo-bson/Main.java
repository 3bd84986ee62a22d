import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import serbench.Baseline;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final Codec<Document> documents = new DocumentCodec();
  private final Codec<BsonDocument> typed = new BsonDocumentCodec();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    if (Worker.defined("STREAMING")) {
      try (BasicOutputBuffer buffer = new BasicOutputBuffer();
          BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
        put(members(root), writer);
        out.block(buffer.getInternalBuffer(), 0, buffer.getSize());
      }
    } else {
      encode(documents, new Document(members(root)), out);
    }
  }

  private static <T> void encode(Codec<T> codec, T document, Output out) {
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      codec.encode(writer, document, EncoderContext.builder().build());
      out.block(buffer.getInternalBuffer(), 0, buffer.getSize());
    }
  }

  /** The members of the root: BSON has no array there, but a document with index keys. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> members(Object root) {
    if (root instanceof Map) {
      return (Map<String, Object>) root;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    for (Object item : (List<?>) root) {
      members.put(Integer.toString(members.size()), item);
    }
    return members;
  }

  private static void put(Object value, BsonWriter to) throws Refusal {
    switch (value) {
      case null -> to.writeNull();
      case String text -> to.writeString(text);
      case Long number -> to.writeInt64(number);
      case Double number -> to.writeDouble(number);
      case Boolean flag -> to.writeBoolean(flag);
      case List<?> list -> {
        to.writeStartArray();
        for (Object item : list) {
          put(item, to);
        }
        to.writeEndArray();
      }
      case Map<?, ?> map -> {
        to.writeStartDocument();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          to.writeName((String) entry.getKey());
          put(entry.getValue(), to);
        }
        to.writeEndDocument();
      }
      default -> throw new Refusal("a value is a " + value.getClass());
    }
  }

  private static BsonBinaryReader reader(byte[] data) {
    return new BsonBinaryReader(ByteBuffer.wrap(data));
  }

  private static void end(BsonBinaryReader reader, byte[] data) throws Refusal {
    if (reader.getBsonInput().getPosition() != data.length) {
      throw new Refusal("something follows the root");
    }
  }

  private static <T> T read(Codec<T> codec, byte[] data) throws Refusal {
    try (BsonBinaryReader reader = reader(data)) {
      T document = codec.decode(reader, DecoderContext.builder().build());
      end(reader, data);
      return document;
    }
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    if (Worker.defined("TYPED")) {
      BsonDocument root = read(typed, data);
      if (Baseline.current().rootIsArray) {
        for (BsonValue item : root.values()) {
          walk(item, hash);
        }
        hash.count(root.size());
      } else {
        walk(root, hash);
      }
      return;
    }
    Document root = read(documents, data);
    if (Baseline.current().rootIsArray) {
      for (Object item : root.values()) {
        hash.any(item);
      }
      hash.count(root.size());
    } else {
      hash.any(root);
    }
  }

  private static void walk(BsonValue value, Hash hash) throws Refusal {
    switch (value.getBsonType()) {
      case DOCUMENT -> {
        BsonDocument map = value.asDocument();
        for (Map.Entry<String, BsonValue> entry : map.entrySet()) {
          hash.string(entry.getKey());
          walk(entry.getValue(), hash);
        }
        hash.count(map.size());
      }
      case ARRAY -> {
        BsonArray list = value.asArray();
        for (BsonValue item : list) {
          walk(item, hash);
        }
        hash.count(list.size());
      }
      case STRING -> hash.string(value.asString().getValue());
      case INT32 -> hash.integer(value.asInt32().getValue());
      case INT64 -> hash.integer(value.asInt64().getValue());
      case DOUBLE -> hash.number(value.asDouble().getValue());
      case BOOLEAN -> hash.bool(value.asBoolean().getValue());
      case NULL -> hash.nil();
      default -> throw new Refusal("a value is a " + value.getBsonType());
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    try (BsonBinaryReader reader = reader(data)) {
      document(reader, !Baseline.current().rootIsArray, hash);
      end(reader, data);
    }
  }

  private static void document(BsonReader from, boolean keys, Hash hash) throws Refusal {
    int count = 0;
    from.readStartDocument();
    for (; from.readBsonType() != BsonType.END_OF_DOCUMENT; count++) {
      if (keys) {
        hash.string(from.readName());
      } else {
        from.skipName();
      }
      value(from, hash);
    }
    from.readEndDocument();
    hash.count(count);
  }

  /** Hashes the value whose type the reader has just read. */
  private static void value(BsonReader from, Hash hash) throws Refusal {
    switch (from.getCurrentBsonType()) {
      case DOCUMENT -> document(from, true, hash);
      case ARRAY -> {
        int count = 0;
        from.readStartArray();
        for (; from.readBsonType() != BsonType.END_OF_DOCUMENT; count++) {
          value(from, hash);
        }
        from.readEndArray();
        hash.count(count);
      }
      case STRING -> hash.string(from.readString());
      case INT32 -> hash.integer(from.readInt32());
      case INT64 -> hash.integer(from.readInt64());
      case DOUBLE -> hash.number(from.readDouble());
      case BOOLEAN -> hash.bool(from.readBoolean());
      case NULL -> {
        from.readNull();
        hash.nil();
      }
      default -> throw new Refusal("a value is a " + from.getCurrentBsonType());
    }
  }

  /** Each step of a path reads the elements before it; a container stays bytes. */
  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    RawBsonDocument root = new RawBsonDocument(data);
    for (Path path : paths) {
      BsonValue value = root;
      for (Object step : path.steps()) {
        value = child(value, step);
        if (value == null) {
          throw path.missing();
        }
      }
      if (value.isDocument() || value.isArray()) {
        throw path.missing();
      }
      walk(value, hash);
    }
  }

  private static BsonValue child(BsonValue value, Object step) {
    if (value.isDocument()) { // A root array is a document with index keys.
      return value.asDocument().get(step.toString());
    }
    boolean found = value.isArray() && step instanceof Integer at && at < value.asArray().size();
    return found ? value.asArray().get((int) step) : null;
  }

  @Override
  public Object document(byte[] data) throws Exception {
    return read(typed, data);
  }

  @Override
  public void serialize(Object document, Output out) throws Exception {
    encode(typed, (BsonDocument) document, out);
  }
}
