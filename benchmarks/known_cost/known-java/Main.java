import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Worker;

/** A reader and a writer of known cost: a chain of steps, then values or bytes that are there. */
public final class Main extends Contender {
  private static volatile long sink;
  private final String[] texts = new String[64];
  private final byte[] bytes = new byte[64000];

  private Main() {
    for (int i = 0; i < texts.length; i++) {
      texts[i] = "x".repeat(1000);
    }
    Arrays.fill(bytes, (byte) 'x');
  }

  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  /** Steps of which none can begin before the last one has ended. */
  private static void takeSteps(long count) {
    long x = count;
    for (long i = 0; i < count; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    sink = x;
  }

  /**
   * As many steps as the input begins with, then values of all kinds, or where a letter follows of
   * texts, integers, doubles or none.
   */
  @Override
  public void tree(byte[] data, Hash hash) {
    takeSteps(Long.parseLong(new String(data, 0, 8, StandardCharsets.US_ASCII)));
    byte kind = data[8];
    int numbers = kind == 'a' ? 100 : 1000;
    for (int i = 0; i < texts.length && (kind == 'a' || kind == 't'); i++) {
      hash.string(texts[i]);
    }
    for (int i = 0; i < numbers && (kind == 'a' || kind == 'i'); i++) {
      hash.integer(i * 1234567L);
    }
    for (int i = 0; i < numbers && (kind == 'a' || kind == 'd'); i++) {
      hash.number(i + 0.5);
    }
    hash.count(texts.length);
  }

  /** As many steps as the first element says. */
  @Override
  public void write(Object root, Output out) {
    takeSteps((Long) ((List<?>) root).get(0));
    out.block(bytes);
  }
}
