import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;

/** Jackson for CBOR. */
final class Mapper {
  private Mapper() {}

  static ObjectMapper make() {
    return CBORMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  }
}
