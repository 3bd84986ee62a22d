package serbench;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The calls of the hash that a reader makes, repeated without the reader: what hashing its values
 * takes.
 *
 * <p>Those of one kind follow each other, strings by their lengths, so that no branch has to guess
 * which kind comes next, or where a string ends. So the hash is not that of the reader.
 */
final class Calls {
  /** Numbers of one kind, in an array that grows. */
  private static final class Numbers {
    long[] of = new long[16];
    int count;

    void add(long number) {
      if (count == of.length) {
        of = Arrays.copyOf(of, 2 * count);
      }
      of[count++] = number;
    }
  }

  private int nulls;
  private final Numbers booleans = new Numbers();
  private final Numbers integers = new Numbers();
  private final Numbers unsigned = new Numbers();
  private final Numbers doubles = new Numbers();
  private final Numbers counts = new Numbers();
  private final List<String> texts = new ArrayList<>();
  private final List<byte[]> bytes = new ArrayList<>();

  /**
   * The calls in a record as docs/protocol.md describes it; its strings are those of Java or bytes,
   * as the reader had them.
   */
  Calls(ByteArrayOutputStream record, boolean asTexts) {
    ByteBuffer from = ByteBuffer.wrap(record.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    while (from.hasRemaining()) {
      char tag = (char) from.get();
      switch (tag) {
        case 'n' -> nulls++;
        case 't', 'f' -> booleans.add(tag == 't' ? 1 : 0);
        case 'i' -> integers.add(from.getLong());
        case 'u' -> unsigned.add(from.getLong());
        case 'd' -> doubles.add(from.getLong());
        case 's' -> {
          byte[] text = new byte[from.getInt()];
          from.get(text);
          bytes.add(text);
        }
        default -> counts.add(from.getInt());
      }
    }
    bytes.sort(Comparator.comparingInt(text -> text.length));
    if (asTexts) {
      bytes.forEach(text -> texts.add(new String(text, StandardCharsets.UTF_8)));
      bytes.clear();
    }
  }

  /** Makes all of them. */
  void repeat(Hash hash) {
    for (int i = 0; i < nulls; i++) {
      hash.nil();
    }
    for (int i = 0; i < booleans.count; i++) {
      hash.bool(booleans.of[i] != 0);
    }
    for (int i = 0; i < integers.count; i++) {
      hash.integer(integers.of[i]);
    }
    for (int i = 0; i < unsigned.count; i++) {
      hash.unsigned(unsigned.of[i]);
    }
    for (int i = 0; i < doubles.count; i++) {
      hash.number(Double.longBitsToDouble(doubles.of[i]));
    }
    for (int i = 0; i < texts.size(); i++) {
      hash.string(texts.get(i));
    }
    for (int i = 0; i < bytes.size(); i++) {
      hash.bytes(bytes.get(i));
    }
    for (int i = 0; i < counts.count; i++) {
      hash.count((int) counts.of[i]);
    }
  }
}
