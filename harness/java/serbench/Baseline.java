package serbench;

/**
 * The harness's own data, which no contender but the baseline may touch. Of several messages it is
 * the one at hand.
 */
public final class Baseline {
  static final Baseline NONE = new Baseline(null, false, new byte[0], new int[0]);
  static Baseline current = NONE;

  /** Null for a reader; a look-up's is the list of what is found. */
  public final Object root;

  /** Whether the root is an array. Only a format that has no root array (BSON) asks. */
  public final boolean rootIsArray;

  /** The smallest encoding of the group; empty if there is no input. */
  public final byte[] input;

  private final int[] words;

  Baseline(Object root, boolean rootIsArray, byte[] input, int[] words) {
    this.root = root;
    this.rootIsArray = rootIsArray;
    this.input = input;
    this.words = words;
  }

  public static Baseline current() {
    return current;
  }

  /** Hashes every value without a walk: its words are read one after the other. */
  public void hashWords(Hash hash) {
    int state = hash.state;
    for (int word : words) {
      state = state * 31 ^ word;
    }
    hash.state = state;
  }
}
