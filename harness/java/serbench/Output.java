package serbench;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a writer leaves its bytes, in one of two ways: as a block, or by the methods of a stream.
 */
public final class Output extends OutputStream {
  private static final int FIRST_CAPACITY = 4096;
  private static final int ARRAY_HEADER = 16;
  private static final byte[] NOTHING = {};

  /** The harness's buffer, without memory until something is written. */
  private byte[] buffer = NOTHING;

  private int length;
  private boolean handedOver;

  /** Of all messages so far. */
  final Hash hash = new Hash(true);

  /** Where the bytes go too, and the size of each message; null in every timed call. */
  ByteArrayOutputStream copy;

  final List<Integer> sizes = new ArrayList<>();

  /** What the buffer took, which is not the library's. */
  long bufferBytes;

  /** For a library that builds the whole output in its own memory: hands it over once. */
  public void block(byte[] data) {
    block(data, 0, data.length);
  }

  public void block(byte[] data, int offset, int count) {
    handedOver = true;
    hash.bytes(data, offset, count);
    if (copy != null) {
      copy.write(data, offset, count);
      sizes.add(count);
    }
  }

  /**
   * For a library that writes into a stream: appends to a buffer, which doubles and is made anew in
   * every call.
   */
  @Override
  public void write(byte[] data, int offset, int count) {
    room(count);
    System.arraycopy(data, offset, buffer, length, count);
    length += count;
  }

  @Override
  public void write(int each) {
    room(1);
    buffer[length++] = (byte) each;
  }

  private void room(int more) {
    if (more <= buffer.length - length) {
      return;
    }
    long capacity = Math.max(2L * buffer.length, FIRST_CAPACITY);
    while (capacity < (long) length + more) {
      capacity *= 2;
    }
    byte[] larger = new byte[Math.toIntExact(capacity)];
    System.arraycopy(buffer, 0, larger, 0, length);
    buffer = larger;
    bufferBytes += ARRAY_HEADER + capacity;
  }

  /** Makes it ready for another iteration. */
  void reset() {
    hash.reset();
    bufferBytes = 0;
    forget();
  }

  /** Ends a message: what was written is handed over, unless a block was. */
  void end() {
    if (!handedOver) {
      block(buffer, 0, length);
    }
    forget();
  }

  private void forget() {
    buffer = NOTHING;
    length = 0;
    handedOver = false;
  }
}
