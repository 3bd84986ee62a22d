import java.nio.charset.StandardCharsets;
import serbench.Baseline;
import serbench.Contender;
import serbench.Hash;
import serbench.Worker;

/** Not a library: the harness's own values, so that its tape reader and its hashes are tested. */
public final class Main extends Contender {
  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  @Override
  public void tree(byte[] data, Hash hash) throws Exception {
    switch (new String(data, StandardCharsets.UTF_8)) {
      case "throw" -> throw new IllegalStateException("this is why\nand more");
      case "index" -> hash.integer(data[data.length]);
      case "stack" -> deeper(1);
      case "type" -> hash.any(new StringBuilder());
      case "print" -> System.out.println("not an answer");
      default -> {}
    }
    hash.any(Baseline.current().root);
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  @Override
  protected boolean keepsTree() {
    return true;
  }
}
