import com.upokecenter.cbor.CBOREncodeOptions;
import com.upokecenter.cbor.CBORObject;
import com.upokecenter.cbor.CBORType;
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
  private final CBOREncodeOptions options =
      Worker.defined("KEY_ORDER")
          ? new CBOREncodeOptions("keepkeyorder=true")
          : CBOREncodeOptions.Default;

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    document(root).WriteTo(out);
  }

  /** CBORObject.Write of Java's own maps fails (version 4.5.6), and FromObject sorts them. */
  private static CBORObject document(Object value) throws Refusal {
    return switch (value) {
      case null -> CBORObject.Null;
      case String text -> CBORObject.FromObject(text);
      case Long number -> CBORObject.FromObject(number.longValue());
      case Double number -> CBORObject.FromObject(number.doubleValue());
      case Boolean flag -> CBORObject.FromObject(flag.booleanValue());
      case BigInteger number -> CBORObject.FromObject(number);
      case List<?> list -> {
        CBORObject array = CBORObject.NewArray();
        for (Object item : list) {
          array.Add(document(item));
        }
        yield array;
      }
      case Map<?, ?> map -> {
        CBORObject object = CBORObject.NewOrderedMap();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          object.Add(CBORObject.FromObject((String) entry.getKey()), document(entry.getValue()));
        }
        yield object;
      }
      default -> throw new Refusal("a value is a " + value.getClass().getName());
    };
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    walk(CBORObject.DecodeFromBytes(data, options), hash);
  }

  private static void walk(CBORObject value, Hash hash) throws Refusal {
    if (value.isTagged()) {
      throw new Refusal("a value has the tag " + value.getMostOuterTag());
    }
    switch (value.getType()) {
      case Map -> {
        for (Map.Entry<CBORObject, CBORObject> entry : value.getEntries()) {
          hash.string(entry.getKey().AsString());
          walk(entry.getValue(), hash);
        }
        hash.count(value.size());
      }
      case Array -> {
        for (CBORObject item : value.getValues()) {
          walk(item, hash);
        }
        hash.count(value.size());
      }
      case TextString -> hash.string(value.AsString());
      case Integer -> {
        if (value.CanValueFitInInt64()) {
          hash.integer(value.AsInt64Value());
        } else {
          hash.integer(new BigInteger(value.AsEIntegerValue().ToBytes(false)));
        }
      }
      case FloatingPoint -> hash.number(value.AsDoubleValue());
      case Boolean -> hash.bool(value.AsBoolean());
      default -> {
        if (!value.isNull()) {
          throw new Refusal("a value is a " + value.getType());
        }
        hash.nil();
      }
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    CBORObject root = CBORObject.DecodeFromBytes(data, options);
    for (Path path : paths) {
      walk(find(root, path), hash);
    }
  }

  private static CBORObject find(CBORObject root, Path path) throws Refusal {
    CBORObject value = root;
    for (Object step : path.steps()) {
      if (value.getType() == CBORType.Map && step instanceof String key && value.ContainsKey(key)) {
        value = value.get(key);
      } else if (value.getType() == CBORType.Array
          && step instanceof Integer index
          && index < value.size()) {
        value = value.get(index);
      } else {
        throw path.missing();
      }
    }
    if (value.getType() == CBORType.Map || value.getType() == CBORType.Array) {
      throw path.missing();
    }
    return value;
  }

  @Override
  public Object document(byte[] data) throws Exception {
    return CBORObject.DecodeFromBytes(data, options);
  }

  @Override
  public void serialize(Object document, Output out) throws Exception {
    out.block(((CBORObject) document).EncodeToBytes());
  }
}
