import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
  private final ObjectMapper mapper = Mapper.make();

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void write(Object root, Output out) throws Exception {
    if (Worker.defined("STREAMING")) {
      try (JsonGenerator generator = mapper.createGenerator(out)) {
        put(root, generator);
      }
    } else {
      out.block(mapper.writeValueAsBytes(root));
    }
  }

  private static void put(Object value, JsonGenerator to) throws IOException {
    switch (value) {
      case null -> to.writeNull();
      case String text -> to.writeString(text);
      case Long number -> to.writeNumber(number.longValue());
      case Double number -> to.writeNumber(number.doubleValue());
      case Boolean flag -> to.writeBoolean(flag);
      case BigInteger number -> to.writeNumber(number);
      case List<?> list -> {
        to.writeStartArray(list, list.size());
        for (Object item : list) {
          put(item, to);
        }
        to.writeEndArray();
      }
      case Map<?, ?> map -> {
        to.writeStartObject(map, map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          to.writeFieldName((String) entry.getKey());
          put(entry.getValue(), to);
        }
        to.writeEndObject();
      }
      default -> throw new IOException("a value is a " + value.getClass());
    }
  }

  /** For the variant: what most programs decode data of unknown type into. */
  @Override
  public Object decode(byte[] data) throws IOException {
    return mapper.readValue(data, Object.class);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    if (Worker.defined("MAP")) {
      super.tree(data, hash);
    } else {
      walk(mapper.readTree(data), hash);
    }
  }

  private static void walk(JsonNode value, Hash hash) throws Refusal {
    switch (value.getNodeType()) {
      case OBJECT -> {
        for (Map.Entry<String, JsonNode> member : value.properties()) {
          hash.string(member.getKey());
          walk(member.getValue(), hash);
        }
        hash.count(value.size());
      }
      case ARRAY -> {
        for (JsonNode item : value) {
          walk(item, hash);
        }
        hash.count(value.size());
      }
      case STRING -> hash.string(value.textValue());
      case NUMBER -> hash.any(value.numberValue());
      case BOOLEAN -> hash.bool(value.booleanValue());
      case NULL -> hash.nil();
      default -> throw new Refusal("a value is a " + value.getNodeType());
    }
  }

  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    if (Worker.defined("MAP")) {
      super.lookup(data, paths, hash);
      return;
    }
    JsonNode root = mapper.readTree(data);
    for (Path path : paths) {
      JsonNode value = root;
      for (Object step : path.steps()) {
        value = step instanceof String key ? value.path(key) : value.path((int) step);
      }
      if (!value.isValueNode()) {
        throw path.missing();
      }
      walk(value, hash);
    }
  }

  @Override
  public void incremental(byte[] data, Hash hash) throws Exception {
    try (JsonParser parser = mapper.createParser(data)) {
      parser.nextToken();
      value(parser, hash);
      if (parser.nextToken() != null) {
        throw new Refusal("something follows the root");
      }
    }
  }

  /** Hashes the value that begins with the parser's token. */
  private static void value(JsonParser parser, Hash hash) throws Exception {
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        int count = 0;
        for (; parser.nextToken() != JsonToken.END_OBJECT; count++) {
          hash.string(parser.currentName());
          parser.nextToken();
          value(parser, hash);
        }
        hash.count(count);
      }
      case START_ARRAY -> {
        int count = 0;
        for (; parser.nextToken() != JsonToken.END_ARRAY; count++) {
          value(parser, hash);
        }
        hash.count(count);
      }
      case VALUE_STRING -> hash.string(parser.getText());
      case VALUE_NUMBER_INT -> {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          hash.integer(parser.getBigIntegerValue());
        } else {
          hash.integer(parser.getLongValue());
        }
      }
      case VALUE_NUMBER_FLOAT -> hash.number(parser.getDoubleValue());
      case VALUE_TRUE -> hash.bool(true);
      case VALUE_FALSE -> hash.bool(false);
      case VALUE_NULL -> hash.nil();
      case null, default -> throw new Refusal("a token is " + parser.currentToken());
    }
  }

  @Override
  public Object document(byte[] data) throws Exception {
    return mapper.readTree(data);
  }

  @Override
  public void serialize(Object document, Output out) throws Exception {
    out.block(mapper.writeValueAsBytes(document));
  }
}
