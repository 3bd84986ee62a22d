import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.json.JsonWriter;
import jakarta.json.JsonWriterFactory;
import jakarta.json.stream.JsonGenerator;
import jakarta.json.stream.JsonGeneratorFactory;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

public final class Main extends Contender {
  private final JsonGeneratorFactory generators = Json.createGeneratorFactory(Map.of());
  private final JsonReaderFactory readers = Json.createReaderFactory(Map.of());
  private final JsonWriterFactory writers = Json.createWriterFactory(Map.of());
  private final JsonParserFactory parsers = Json.createParserFactory(Map.of());

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    try (JsonGenerator generator = generators.createGenerator(out)) {
      put(root, generator);
    }
  }

  private static void put(Object value, JsonGenerator to) throws Refusal {
    switch (value) {
      case null -> to.writeNull();
      case String text -> to.write(text);
      case Long number -> to.write(number.longValue());
      case Double number -> to.write(number.doubleValue());
      case Boolean flag -> to.write(flag.booleanValue());
      case BigInteger number -> to.write(number);
      case List<?> list -> {
        to.writeStartArray();
        for (Object item : list) {
          put(item, to);
        }
        to.writeEnd();
      }
      case Map<?, ?> map -> {
        to.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          to.writeKey((String) entry.getKey());
          put(entry.getValue(), to);
        }
        to.writeEnd();
      }
      default -> throw new Refusal("a value is a " + value.getClass());
    }
  }

  private JsonStructure read(byte[] data) {
    try (JsonReader reader =
        readers.createReader(new ByteArrayInputStream(data), StandardCharsets.UTF_8)) {
      return reader.read();
    }
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Refusal {
    walk(read(data), hash);
  }

  private static void walk(JsonValue value, Hash hash) throws Refusal {
    switch (value.getValueType()) {
      case OBJECT -> {
        JsonObject object = value.asJsonObject();
        for (Map.Entry<String, JsonValue> member : object.entrySet()) {
          hash.string(member.getKey());
          walk(member.getValue(), hash);
        }
        hash.count(object.size());
      }
      case ARRAY -> {
        JsonArray array = value.asJsonArray();
        for (JsonValue item : array) {
          walk(item, hash);
        }
        hash.count(array.size());
      }
      case STRING -> hash.string(((JsonString) value).getString());
      case NUMBER -> hash.number(((JsonNumber) value).bigDecimalValue());
      case TRUE -> hash.bool(true);
      case FALSE -> hash.bool(false);
      case NULL -> hash.nil();
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Refusal {
    JsonStructure root = read(data);
    for (Path path : paths) {
      JsonValue value = root;
      for (Object step : path.steps()) {
        value =
            step instanceof String key
                ? value.asJsonObject().get(key)
                : value.asJsonArray().get((int) step);
        if (value == null) {
          throw path.missing();
        }
      }
      if (value instanceof JsonStructure) {
        throw path.missing();
      }
      walk(value, hash);
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Refusal {
    try (JsonParser parser =
        parsers.createParser(new ByteArrayInputStream(data), StandardCharsets.UTF_8)) {
      value(parser.next(), parser, hash);
      if (parser.hasNext()) {
        throw new Refusal("something follows the root");
      }
    }
  }

  /** Hashes the value that begins with an event. */
  private static void value(JsonParser.Event event, JsonParser parser, Hash hash) throws Refusal {
    switch (event) {
      case START_OBJECT -> {
        int count = 0;
        for (; parser.next() != JsonParser.Event.END_OBJECT; count++) {
          hash.string(parser.getString());
          value(parser.next(), parser, hash);
        }
        hash.count(count);
      }
      case START_ARRAY -> {
        int count = 0;
        for (JsonParser.Event item = parser.next();
            item != JsonParser.Event.END_ARRAY;
            item = parser.next()) {
          value(item, parser, hash);
          count++;
        }
        hash.count(count);
      }
      case VALUE_STRING -> hash.string(parser.getString());
      case VALUE_NUMBER -> hash.number(parser.getBigDecimal());
      case VALUE_TRUE -> hash.bool(true);
      case VALUE_FALSE -> hash.bool(false);
      case VALUE_NULL -> hash.nil();
      default -> throw new Refusal("an event is " + event);
    }
  }

  @Override
  public Object document(byte[] data) {
    return read(data);
  }

  @Override
  public void serialize(Object document, Output out) {
    try (JsonWriter writer = writers.createWriter(out, StandardCharsets.UTF_8)) {
      writer.write((JsonStructure) document);
    }
  }
}
