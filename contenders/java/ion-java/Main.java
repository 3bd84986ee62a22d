import com.amazon.ion.IntegerSize;
import com.amazon.ion.IonBool;
import com.amazon.ion.IonFloat;
import com.amazon.ion.IonInt;
import com.amazon.ion.IonList;
import com.amazon.ion.IonReader;
import com.amazon.ion.IonString;
import com.amazon.ion.IonStruct;
import com.amazon.ion.IonSystem;
import com.amazon.ion.IonType;
import com.amazon.ion.IonValue;
import com.amazon.ion.IonWriter;
import com.amazon.ion.system.IonBinaryWriterBuilder;
import com.amazon.ion.system.IonReaderBuilder;
import com.amazon.ion.system.IonSystemBuilder;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final IonSystem system = IonSystemBuilder.standard().build();
  private final IonReaderBuilder readers = IonReaderBuilder.standard();
  private final IonBinaryWriterBuilder writers = IonBinaryWriterBuilder.standard();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    if (Worker.defined("DOM")) {
      serialize(made(root), out);
      return;
    }
    try (IonWriter writer = writers.build(out)) {
      put(root, writer);
    }
  }

  private static void put(Object value, IonWriter to) throws IOException {
    switch (value) {
      case null -> to.writeNull();
      case String text -> to.writeString(text);
      case Long number -> to.writeInt(number);
      case Double number -> to.writeFloat(number);
      case Boolean flag -> to.writeBool(flag);
      case BigInteger number -> to.writeInt(number);
      case List<?> list -> {
        to.stepIn(IonType.LIST);
        for (Object item : list) {
          put(item, to);
        }
        to.stepOut();
      }
      case Map<?, ?> map -> {
        to.stepIn(IonType.STRUCT);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          to.setFieldName((String) entry.getKey());
          put(entry.getValue(), to);
        }
        to.stepOut();
      }
      default -> throw new IOException("a value is a " + value.getClass());
    }
  }

  private IonValue made(Object value) throws IOException {
    return switch (value) {
      case null -> system.newNull();
      case String text -> system.newString(text);
      case Long number -> system.newInt(number);
      case Double number -> system.newFloat(number);
      case Boolean flag -> system.newBool(flag);
      case BigInteger number -> system.newInt(number);
      case List<?> list -> {
        IonList all = system.newEmptyList();
        for (Object item : list) {
          all.add(made(item));
        }
        yield all;
      }
      case Map<?, ?> map -> {
        IonStruct all = system.newEmptyStruct();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          all.add((String) entry.getKey(), made(entry.getValue()));
        }
        yield all;
      }
      default -> throw new IOException("a value is a " + value.getClass());
    };
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    walk(system.singleValue(data), hash);
  }

  private static void walk(IonValue value, Hash hash) throws Refusal {
    if (value.isNullValue()) {
      hash.nil();
      return;
    }
    switch (value) {
      case IonStruct struct -> {
        for (IonValue member : struct) {
          hash.string(member.getFieldName());
          walk(member, hash);
        }
        hash.count(struct.size());
      }
      case IonList list -> {
        for (IonValue item : list) {
          walk(item, hash);
        }
        hash.count(list.size());
      }
      case IonString text -> hash.string(text.stringValue());
      case IonInt number -> {
        if (number.getIntegerSize() == IntegerSize.BIG_INTEGER) {
          hash.integer(number.bigIntegerValue());
        } else {
          hash.integer(number.longValue());
        }
      }
      case IonFloat number -> hash.number(number.doubleValue());
      case IonBool flag -> hash.bool(flag.booleanValue());
      default -> throw new Refusal("a value is a " + value.getType());
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    try (IonReader reader = readers.build(data)) {
      reader.next();
      value(reader, hash);
      if (reader.next() != null) {
        throw new Refusal("something follows the root");
      }
    }
  }

  /** Hashes the value that the reader stands on. */
  private static void value(IonReader reader, Hash hash) throws Refusal {
    IonType type = reader.getType();
    if (type != null && reader.isNullValue()) {
      hash.nil();
      return;
    }
    switch (type) {
      case STRUCT -> {
        int count = 0;
        reader.stepIn();
        for (; reader.next() != null; count++) {
          hash.string(reader.getFieldName());
          value(reader, hash);
        }
        reader.stepOut();
        hash.count(count);
      }
      case LIST -> {
        int count = 0;
        reader.stepIn();
        for (; reader.next() != null; count++) {
          value(reader, hash);
        }
        reader.stepOut();
        hash.count(count);
      }
      case STRING -> hash.string(reader.stringValue());
      case INT -> {
        if (reader.getIntegerSize() == IntegerSize.BIG_INTEGER) {
          hash.integer(reader.bigIntegerValue());
        } else {
          hash.integer(reader.longValue());
        }
      }
      case FLOAT -> hash.number(reader.doubleValue());
      case BOOL -> hash.bool(reader.booleanValue());
      case null, default -> throw new Refusal("a value is a " + type);
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    if (Worker.defined("DOM")) {
      IonValue root = system.singleValue(data);
      for (Path path : paths) {
        walk(find(root, path), hash);
      }
      return;
    }
    for (Path path : paths) {
      try (IonReader reader = readers.build(data)) {
        reader.next();
        for (Object step : path.steps()) {
          step(reader, step, path);
        }
        if (IonType.isContainer(reader.getType())) {
          throw path.missing();
        }
        value(reader, hash);
      }
    }
  }

  /** Goes from a container to the member that a key or an index names. */
  private static void step(IonReader reader, Object step, Path path) throws Refusal {
    if (reader.getType() != (step instanceof String ? IonType.STRUCT : IonType.LIST)) {
      throw path.missing();
    }
    reader.stepIn();
    int left = step instanceof Integer index ? index : -1;
    do {
      if (reader.next() == null) {
        throw path.missing();
      }
    } while (step instanceof String key ? !key.equals(reader.getFieldName()) : left-- > 0);
  }

  private static IonValue find(IonValue root, Path path) throws Refusal {
    IonValue value = root;
    for (Object step : path.steps()) {
      if (value instanceof IonStruct struct && step instanceof String key) {
        value = struct.get(key);
      } else if (value instanceof IonList list && step instanceof Integer at && at < list.size()) {
        value = list.get(at);
      } else {
        throw path.missing();
      }
    }
    if (value == null || IonType.isContainer(value.getType())) {
      throw path.missing();
    }
    return value;
  }

  @Override
  public Object document(byte[] data) throws Exception {
    return system.singleValue(data);
  }

  @Override
  public void serialize(Object document, Output out) throws Exception {
    try (IonWriter writer = writers.build(out)) {
      ((IonValue) document).writeTo(writer);
    }
  }
}
