package serbench;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * One of the two hashes of a value tree, content_hash and exact_hash (docs/tape.md).
 *
 * <p>A contender calls one method for each value that it meets, in document order: the scalars as
 * they come, a container's elements (for a map: key, value, key, value ...) before its count. The
 * same calls yield either hash; which one is decided by the harness.
 */
public final class Hash {
  static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int START = 15373;
  private static final double LARGEST_INTEGRAL = 1L << 53;
  private static final long MINUS_ZERO = 1L << 63;

  /** Fewer characters than these are always a long. */
  private static final int DIGITS_OF_LONG = 19;

  int state = START;

  /** Whether the bits of a double are mixed, and not a constant. */
  private final boolean exact;

  /**
   * Gets every call, while the gate looks for what a reader changes (docs/protocol.md); null in
   * every timed call.
   */
  ByteArrayOutputStream seen;

  /** Whether any of these calls was one with a string of Java's. */
  boolean sawText;

  Hash(boolean exact) {
    this.exact = exact;
  }

  void reset() {
    state = START;
  }

  private void mix(int word) {
    state = state * 31 ^ word;
  }

  private void words(long number) {
    mix((int) (number >>> 32));
    mix((int) number);
  }

  /** Writes a call as the tape has it: a tag, then the low bytes of a number. */
  private void show(char tag, long number, int bytes) {
    if (seen != null) {
      seen.write(tag);
      for (int i = 0; i < bytes; i++) {
        seen.write((int) (number >>> 8 * i));
      }
    }
  }

  public void nil() {
    show('n', 0, 0);
    mix(0);
    ascii("nil");
  }

  public void bool(boolean value) {
    show(value ? 't' : 'f', 0, 0);
    mix(value ? 1 : 0);
  }

  public void integer(long value) {
    show('i', value, 8);
    words(value);
  }

  /** An integer whose bits are to be read without a sign. */
  public void unsigned(long bits) {
    show('u', bits, 8);
    words(bits);
  }

  /** An integer of any size. Refuses one that has more than 64 bits. */
  public void integer(BigInteger value) throws Refusal {
    if (value.bitLength() < 64) {
      integer(value.longValue());
    } else if (value.signum() > 0 && value.bitLength() == 64) {
      unsigned(value.longValue());
    } else {
      throw new Refusal("an integer has more than 64 bits");
    }
  }

  /** A double. One with an integral value within +-2^53, other than -0, counts as that integer. */
  public void number(double value) {
    long bits = Double.doubleToRawLongBits(value);
    show('d', bits, 8);
    boolean inRange = value >= -LARGEST_INTEGRAL && value <= LARGEST_INTEGRAL && bits != MINUS_ZERO;
    if (inRange && (long) value == value) {
      words((long) value);
    } else if (exact) {
      words(bits);
    } else {
      mix(43013);
    }
  }

  /**
   * A number with digits of its own: an integer, unless it was read from a text with a fraction or
   * an exponent.
   */
  public void number(BigDecimal value) throws Refusal {
    if (value.scale() == 0) {
      integer(value.unscaledValue());
    } else {
      number(value.doubleValue());
    }
  }

  /**
   * A number that its library keeps as the text that was read. Refuses an integer beyond 64 bits.
   */
  public void number(String text) throws Refusal {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '.' || each == 'e' || each == 'E') {
        number(Double.parseDouble(text));
        return;
      }
    }
    if (text.equals("-0")) {
      number(-0.0);
    } else if (text.length() < DIGITS_OF_LONG) {
      integer(Long.parseLong(text));
    } else {
      integer(new BigInteger(text));
    }
  }

  /**
   * A string, or a map's key: as bytes in UTF-8, which are made without an allocation where all are
   * ASCII.
   */
  public void string(String text) {
    if (seen != null || !ascii(text)) {
      sawText = true;
      bytes(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Hashes a text, if all of its characters are ASCII; else it changes nothing and says so. */
  private boolean ascii(String text) {
    int length = text.length();
    int next = state * 31 ^ length;
    int at = 0;
    for (; at + 4 <= length; at += 4) {
      int first = text.charAt(at);
      int second = text.charAt(at + 1);
      int third = text.charAt(at + 2);
      int fourth = text.charAt(at + 3);
      if ((first | second | third | fourth) >= 0x80) {
        return false;
      }
      next = next * 31 ^ (first | second << 8 | third << 16 | fourth << 24);
    }
    if (at < length) {
      int word = 0;
      for (int shift = 0; at < length; at++, shift += 8) {
        int each = text.charAt(at);
        if (each >= 0x80) {
          return false;
        }
        word |= each << shift;
      }
      next = next * 31 ^ word;
    }
    state = next;
    return true;
  }

  /** The same with a string's bytes. */
  public void bytes(byte[] text) {
    bytes(text, 0, text.length);
  }

  public void bytes(byte[] text, int offset, int length) {
    if (seen != null) {
      show('s', length, 4);
      seen.write(text, offset, length);
    }
    int next = state * 31 ^ length;
    int at = offset;
    int end = offset + length;
    for (; at + 4 <= end; at += 4) {
      next = next * 31 ^ (int) WORD.get(text, at);
    }
    if (at < end) {
      int word = 0;
      for (int shift = 0; at < end; at++, shift += 8) {
        word |= (text[at] & 0xff) << shift;
      }
      next = next * 31 ^ word;
    }
    state = next;
  }

  /** Ends an array or a map: the number of its elements or entries. */
  public void count(int number) {
    show('e', number, 4);
    mix(number);
  }

  /**
   * A value of Java's own types, as libraries decode data of unknown type: maps, lists, strings,
   * numbers, booleans, null. The order of a map is the one in which it yields its entries. Refuses
   * a type that no library should have made.
   */
  public void any(Object value) throws Refusal {
    switch (value) {
      case null -> nil();
      case String text -> string(text);
      case Integer number -> integer(number.intValue());
      case Double number -> number(number.doubleValue());
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (!(entry.getKey() instanceof String key)) {
            throw new Refusal("a key is a " + entry.getKey().getClass().getName());
          }
          string(key);
          any(entry.getValue());
        }
        count(map.size());
      }
      case List<?> list -> {
        int size = list.size();
        for (int i = 0;
            i < size;
            i++) { // An iterator would be an allocation that the library did not make.
          any(list.get(i));
        }
        count(size);
      }
      case Boolean flag -> bool(flag);
      case Long number -> integer(number.longValue());
      case BigInteger number -> integer(number);
      case BigDecimal number -> number(number);
      case Short number -> integer(number.longValue());
      case Byte number -> integer(number.longValue());
      case Float number -> number(number.doubleValue());
      default -> throw new Refusal("a value is a " + value.getClass().getName());
    }
  }
}
