package serbench;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * The harness's own data, which no contender but the baseline may touch, and the work that no row
 * of a test can do without. Of several messages it is the one at hand.
 */
public final class Baseline {
  static final Baseline NONE = new Baseline(null, false, new byte[0], new int[0]);
  static Baseline current = NONE;

  /** Volatile, so that no compiler leaves out what leads to it. */
  @SuppressWarnings("unused")
  private static volatile long sum;

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

  /**
   * Does what no reader can do without: every value goes into the hash. Its words are read one
   * after the other, so that nothing is subtracted that depends on how a tree is laid out or how a
   * format is parsed.
   */
  public void hashWords(Hash hash) {
    int state = hash.state;
    for (int word : words) {
      state = state * 31 ^ word;
    }
    hash.state = state;
  }

  /** Does what no writer can do without: every value of the tree is looked at. */
  public void walk() {
    sum = sumOf(root);
  }

  private static long sumOf(Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> text.length();
      case Long number -> number;
      case Double number -> Double.doubleToRawLongBits(number);
      case Boolean flag -> flag ? 2 : 1;
      case BigInteger number -> number.longValue();
      case List<?> list -> {
        long all = list.size();
        for (int i = 0; i < list.size(); i++) {
          all += sumOf(list.get(i));
        }
        yield all;
      }
      case Map<?, ?> map -> {
        long all = map.size();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          all += ((String) entry.getKey()).length() + sumOf(entry.getValue());
        }
        yield all;
      }
      default -> throw new IllegalStateException("a value is a " + value.getClass());
    };
  }
}
