import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.ion.IonObjectMapper;

/** Jackson for Ion in binary. */
final class Mapper {
  private Mapper() {}

  static ObjectMapper make() {
    return IonObjectMapper.builderForBinaryWriters()
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }
}
