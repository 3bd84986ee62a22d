import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.smile.databind.SmileMapper;

/** Jackson for Smile. */
final class Mapper {
  private Mapper() {}

  static ObjectMapper make() {
    return SmileMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  }
}
