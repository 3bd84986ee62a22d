import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.Value;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  /** Of the variant: kept from one document to the next. */
  private final MessageBufferPacker kept =
      Worker.defined("REUSE") ? MessagePack.newDefaultBufferPacker() : null;

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    if (kept != null) {
      kept.clear();
      put(root, kept);
      out.block(kept.toByteArray());
      return;
    }
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      put(root, packer);
      out.block(packer.toByteArray());
    }
  }

  private static void put(Object value, MessagePacker to) throws IOException {
    switch (value) {
      case null -> to.packNil();
      case String text -> to.packString(text);
      case Long number -> to.packLong(number);
      case Double number -> to.packDouble(number);
      case Boolean flag -> to.packBoolean(flag);
      case BigInteger number -> to.packBigInteger(number);
      case List<?> list -> {
        to.packArrayHeader(list.size());
        for (Object item : list) {
          put(item, to);
        }
      }
      case Map<?, ?> map -> {
        to.packMapHeader(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          to.packString((String) entry.getKey());
          put(entry.getValue(), to);
        }
      }
      default -> throw new IOException("a value is a " + value.getClass());
    }
  }

  /** The library's own document. */
  private static Value read(byte[] data) throws Exception {
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(data)) {
      Value value = unpacker.unpackValue();
      end(unpacker);
      return value;
    }
  }

  private static void end(MessageUnpacker unpacker) throws Exception {
    if (unpacker.hasNext()) {
      throw new Refusal("something follows the root");
    }
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    walk(read(data), hash);
  }

  private static void walk(Value value, Hash hash) throws Exception {
    switch (value.getValueType()) {
      case MAP -> {
        Map<Value, Value> map = value.asMapValue().map();
        for (Map.Entry<Value, Value> entry : map.entrySet()) {
          hash.string(entry.getKey().asStringValue().asString());
          walk(entry.getValue(), hash);
        }
        hash.count(map.size());
      }
      case ARRAY -> {
        for (Value item : value.asArrayValue()) {
          walk(item, hash);
        }
        hash.count(value.asArrayValue().size());
      }
      case STRING -> hash.string(value.asStringValue().asString());
      case INTEGER -> {
        if (value.asIntegerValue().isInLongRange()) {
          hash.integer(value.asIntegerValue().asLong());
        } else {
          hash.integer(value.asIntegerValue().asBigInteger());
        }
      }
      case FLOAT -> hash.number(value.asFloatValue().toDouble());
      case BOOLEAN -> hash.bool(value.asBooleanValue().getBoolean());
      case NIL -> hash.nil();
      default -> throw new Refusal("a value is a " + value.getValueType());
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(data)) {
      next(unpacker, hash);
      end(unpacker);
    }
  }

  /** Hashes the next value. */
  private static void next(MessageUnpacker from, Hash hash) throws Exception {
    MessageFormat format = from.getNextFormat();
    switch (format.getValueType()) {
      case MAP -> {
        int count = from.unpackMapHeader();
        for (int i = 0; i < count; i++) {
          hash.string(from.unpackString());
          next(from, hash);
        }
        hash.count(count);
      }
      case ARRAY -> {
        int count = from.unpackArrayHeader();
        for (int i = 0; i < count; i++) {
          next(from, hash);
        }
        hash.count(count);
      }
      case STRING -> hash.string(from.unpackString());
      case INTEGER -> {
        if (format == MessageFormat.UINT64) {
          hash.integer(from.unpackBigInteger());
        } else {
          hash.integer(from.unpackLong());
        }
      }
      case FLOAT -> hash.number(from.unpackDouble());
      case BOOLEAN -> hash.bool(from.unpackBoolean());
      case NIL -> {
        from.unpackNil();
        hash.nil();
      }
      default -> throw new Refusal("a value is a " + format);
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    for (Path path : paths) {
      try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(data)) {
        for (Object step : path.steps()) {
          if (!enter(unpacker, step)) {
            throw path.missing();
          }
        }
        switch (unpacker.getNextFormat().getValueType()) {
          case MAP, ARRAY -> throw path.missing();
          default -> next(unpacker, hash);
        }
      }
    }
  }

  /** Goes to the value of a key or an index, and skips those before it; false if there is none. */
  private static boolean enter(MessageUnpacker from, Object step) throws Exception {
    switch (from.getNextFormat().getValueType()) {
      case MAP -> {
        for (int left = from.unpackMapHeader(); left > 0; left--) {
          if (from.unpackString().equals(step)) {
            return true;
          }
          from.skipValue();
        }
        return false;
      }
      case ARRAY -> {
        if (!(step instanceof Integer index) || index >= from.unpackArrayHeader()) {
          return false;
        }
        from.skipValue(index);
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  @Override
  public Object document(byte[] data) throws Exception {
    return read(data);
  }

  @Override
  public void serialize(Object document, Output out) throws Exception {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      packer.packValue((Value) document);
      out.block(packer.toByteArray());
    }
  }
}
