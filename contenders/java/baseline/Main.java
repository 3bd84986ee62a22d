import java.util.List;
import serbench.Baseline;
import serbench.Contender;
import serbench.Hash;
import serbench.Output;
import serbench.Path;
import serbench.Refusal;
import serbench.Worker;

/** What every row pays even if its library cost nothing. */
public final class Main extends Contender {
  public static void main(String[] arguments) {
    Worker.run(Main::new, arguments);
  }

  /** Hands over the smallest encoding. */
  @Override
  public void write(Object root, Output out) {
    out.block(Baseline.current().input);
  }

  @Override
  public void tree(byte[] data, Hash hash) {
    Baseline.current().hashWords(hash);
  }

  @Override
  public void incremental(byte[] data, Hash hash) {
    Baseline.current().hashWords(hash);
  }

  /** A document of its own is the encoding that is handed over. */
  @Override
  public Object document(byte[] data) {
    return data;
  }

  @Override
  public void serialize(Object document, Output out) {
    out.block((byte[]) document);
  }

  /** Hashes the values that were found, which are the harness's list. */
  @Override
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Refusal {
    for (Object found : (List<?>) Baseline.current().root) {
      hash.any(found);
    }
  }
}
