package serbench;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Reads a tape (docs/tape.md). A tape may be damaged: every count is held against the bytes that
 * are left and what the header announced, before anything is made.
 */
final class Tape {
  private static final int HEADER = 40;
  private static final int MOST_DEPTH = 1024;
  private static final long STACK_BYTES = 16L << 20;
  private static final byte[] MAGIC = "sbtape1\n".getBytes(StandardCharsets.US_ASCII);

  private final ByteBuffer data;

  /** Values, members, bytes of strings, depth: what the header announced, and what came. */
  private final long[] announced = new long[4];

  private final long[] met = new long[4];

  private Tape(byte[] bytes) {
    data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The value tree of the tape at a path. The refusal says why it cannot be read. It is read in a
   * thread of its own, as the deepest tapes need more stack than the worker's thread always has.
   */
  static Object read(String path) throws Refusal {
    FutureTask<Object> reading = new FutureTask<>(() -> new Tape(Files.read(path)).parse());
    new Thread(null, reading, "tape", STACK_BYTES).start();
    try {
      return reading.get();
    } catch (InterruptedException stopped) {
      throw new Refusal("reading it was interrupted");
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case Refusal refusal -> throw refusal;
        case IOException why -> throw new Refusal(Files.reason(why));
        case Error error -> throw error;
        case RuntimeException wrong -> throw wrong;
        default -> throw new Refusal(failed.getMessage());
      }
    }
  }

  private Object parse() throws Refusal {
    long size = data.capacity();
    if (size < HEADER || !Arrays.equals(data.array(), 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new Refusal("it is not a tape of this version");
    }
    for (int i = 0; i < announced.length; i++) {
      announced[i] = data.getLong(MAGIC.length + 8 * i);
    }
    if (announced[0] == 0
        || Long.compareUnsigned(announced[0], size) > 0
        || Long.compareUnsigned(announced[1], announced[0]) >= 0
        || Long.compareUnsigned(announced[2], size) > 0) {
      throw new Refusal("its header does not fit its length");
    }
    data.position(HEADER);
    Object root = value(0);
    if (data.hasRemaining()) {
      throw new Refusal("bytes follow its root");
    }
    if (!Arrays.equals(met, announced)) {
      throw new Refusal("its header announces other counts than it has");
    }
    return root;
  }

  private void need(long bytes, String what) throws Refusal {
    if (bytes > data.remaining()) {
      throw new Refusal("it ends in the middle of a " + what);
    }
  }

  private long count() throws Refusal {
    need(4, "value");
    return Integer.toUnsignedLong(data.getInt());
  }

  private long number() throws Refusal {
    need(8, "value");
    return data.getLong();
  }

  private String string() throws Refusal {
    long length = count();
    need(length, "string");
    met[2] += length;
    if (met[2] > announced[2]) {
      throw new Refusal("its header announces fewer string bytes than it has");
    }
    ByteBuffer bytes = data.slice(data.position(), (int) length);
    data.position(data.position() + (int) length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException wrong) {
      throw new Refusal("it has a string that is not UTF-8");
    }
  }

  /** Refuses so many values more, unless they are what the header announced. */
  private void expect(long count, long members) throws Refusal {
    met[1] += members;
    if (met[1] > announced[1] || count > announced[0] - met[0]) {
      throw new Refusal("its header announces fewer values than it has");
    }
  }

  /**
   * The capacity for so many values: no more than there are bytes, whatever a damaged tape says.
   */
  private int room(long count) {
    return (int) Math.min(count, data.remaining());
  }

  private List<Object> array(int depth) throws Refusal {
    long count = count();
    expect(count, 0);
    List<Object> items = new ArrayList<>(room(count));
    for (long i = 0; i < count; i++) {
      items.add(value(depth));
    }
    return items;
  }

  private Map<String, Object> map(int depth) throws Refusal {
    long count = count();
    expect(count, count);
    Map<String, Object> members = LinkedHashMap.newLinkedHashMap(room(count));
    for (long i = 0; i < count; i++) {
      String key = string();
      members.put(key, value(depth));
    }
    return members;
  }

  private Object value(int depth) throws Refusal {
    need(1, "value");
    byte tag = data.get();
    if (++met[0] > announced[0]) {
      throw new Refusal("its header announces fewer values than it has");
    }
    switch (tag) {
      case 'n':
        return null;
      case 'f', 't':
        return tag == 't';
      case 'i':
        return number();
      case 'u':
        long number = number();
        return number >= 0 ? (Object) number : new BigInteger(Long.toUnsignedString(number));
      case 'd':
        return Double.longBitsToDouble(number());
      case 's':
        return string();
      case 'a', 'm':
        if (depth >= MOST_DEPTH) {
          throw new Refusal("it is nested deeper than 1,024 levels");
        }
        met[3] = Math.max(met[3], depth + 1);
        return tag == 'a' ? array(depth + 1) : map(depth + 1);
      default:
        throw new Refusal("it has an unknown tag");
    }
  }
}
