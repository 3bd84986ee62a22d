package serbench;

import java.util.List;

/**
 * What a contender is: one class for all its tests, each a method that it overrides.
 *
 * <pre>
 * public final class Main extends Contender {
 *   public static void main(String[] arguments) {
 *     Worker.run(Main::new, arguments);
 *   }
 * }
 * </pre>
 *
 * <p>The value tree, which a writer gets, is made of Java's own types: null, Boolean, Long,
 * BigInteger for an integer that is larger, Double, String, ArrayList, and LinkedHashMap with
 * String keys. {@code data} is a fresh copy of the input in every call, which may be changed and
 * belongs to the harness. An exception fails the row, with its text as the reason.
 */
public abstract class Contender {
  /**
   * What {@link #write} gets in the place of a value tree, made before the clock runs: the objects
   * of classes that were written for the data's schema.
   */
  public Object struct(Object tree) throws Exception {
    return tree;
  }

  /** Encodes the tree at a root. */
  public void write(Object root, Output out) throws Exception {
    throw none();
  }

  /**
   * Decodes data into Java's own maps and lists: what {@link #tree} and {@link #lookup} are made
   * of.
   */
  public Object decode(byte[] data) throws Exception {
    throw none();
  }

  /** Decodes data as a whole, then hashes every value. */
  public void tree(byte[] data, Hash hash) throws Exception {
    hash.any(decode(data));
  }

  /** Hashes every value while it decodes. */
  public void incremental(byte[] data, Hash hash) throws Exception {
    throw none();
  }

  /**
   * Hashes the scalar at each of the paths, in their order; refuses if there is none at one of
   * them.
   */
  public void lookup(byte[] data, List<Path> paths, Hash hash) throws Exception {
    Object root = decode(data);
    for (Path path : paths) {
      hash.any(path.find(root));
    }
  }

  /**
   * Makes the library's own document, before the clock runs, of data that stay as long as the
   * document.
   */
  public Object document(byte[] data) throws Exception {
    throw none();
  }

  /**
   * Encodes a document that {@link #document} made. What the library keeps of an earlier encoding
   * must not be used.
   */
  public void serialize(Object document, Output out) throws Exception {
    throw none();
  }

  /**
   * Whether a reader needs the harness's values, which only a test of the harness does: they are
   * live memory.
   */
  protected boolean keepsTree() {
    return false;
  }

  private static Refusal none() {
    return new Refusal("the contender has no such test");
  }
}
