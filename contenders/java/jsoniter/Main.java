import com.jsoniter.JsonIterator;
import com.jsoniter.any.Any;
import com.jsoniter.extra.PreciseFloatSupport;
import com.jsoniter.output.JsonStream;
import java.util.List;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final boolean map = Worker.defined("MAP");

  public Main() {
    if (Worker.defined("PRECISE")) {
      PreciseFloatSupport.enable();
    }
  }

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) {
    JsonStream.serialize(root, out);
  }

  /** For the variant: what most programs decode data of unknown type into. */
  @Override
  public Object decode(byte[] data) {
    return JsonIterator.deserialize(data, Object.class);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    if (map) {
      super.tree(data, hash);
    } else {
      walk(JsonIterator.deserialize(data), hash);
    }
  }

  private static void walk(Any value, Hash hash) throws Refusal {
    switch (value.valueType()) {
      case OBJECT -> {
        int count = 0;
        for (Any.EntryIterator entries = value.entries(); entries.next(); count++) {
          hash.string(entries.key());
          walk(entries.value(), hash);
        }
        hash.count(count);
      }
      case ARRAY -> {
        int count = 0;
        for (Any item : value) {
          walk(item, hash);
          count++;
        }
        hash.count(count);
      }
      case STRING -> hash.string(value.toString());
      case NUMBER -> hash.number(value.toString());
      case BOOLEAN -> hash.bool(value.toBoolean());
      case NULL -> hash.nil();
      default -> throw new Refusal("a value is " + value.valueType());
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    if (map) {
      super.lookup(data, paths, hash);
      return;
    }
    Any root = JsonIterator.deserialize(data);
    for (Path path : paths) {
      Any value = root.get(path.steps().toArray());
      switch (value.valueType()) {
        case INVALID, OBJECT, ARRAY -> throw path.missing();
        default -> walk(value, hash);
      }
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    try (JsonIterator reader = JsonIterator.parse(data)) {
      value(reader, hash);
    }
  }

  private static void value(JsonIterator reader, Hash hash) throws Exception {
    switch (reader.whatIsNext()) {
      case OBJECT -> {
        int count = 0;
        for (String key = reader.readObject(); key != null; key = reader.readObject()) {
          hash.string(key);
          value(reader, hash);
          count++;
        }
        hash.count(count);
      }
      case ARRAY -> {
        int count = 0;
        for (; reader.readArray(); count++) {
          value(reader, hash);
        }
        hash.count(count);
      }
      case STRING -> hash.string(reader.readString());
      case NUMBER -> hash.number(reader.readNumberAsString());
      case BOOLEAN -> hash.bool(reader.readBoolean());
      case NULL -> {
        reader.readNull();
        hash.nil();
      }
      default -> throw new Refusal("a value is " + reader.whatIsNext());
    }
  }
}
