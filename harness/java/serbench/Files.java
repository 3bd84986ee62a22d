package serbench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;

/** Whole files, and those of several messages, which are framed: see docs/protocol.md. */
final class Files {
  private static final byte[] MAGIC = "sbmsgs1\n".getBytes(StandardCharsets.US_ASCII);

  private Files() {}

  static byte[] read(String path) throws IOException {
    return java.nio.file.Files.readAllBytes(java.nio.file.Path.of(path));
  }

  static void write(String path, byte[] data) throws IOException {
    java.nio.file.Files.write(java.nio.file.Path.of(path), data);
  }

  /** The system's words for what failed, without what was tried. */
  static String reason(IOException failed) {
    return switch (failed) {
      case NoSuchFileException _ -> "No such file or directory";
      case AccessDeniedException _ -> "Permission denied";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> failed.getMessage();
    };
  }

  /** The messages of a framed file; null if it is not a file of so many messages. */
  static byte[][] split(byte[] file, int count) {
    ByteBuffer words = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    long start = MAGIC.length + 8L * (count + 1);
    if (file.length < start
        || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || words.getLong(MAGIC.length) != count) {
      return null;
    }
    byte[][] parts = new byte[count][];
    for (int i = 0; i < count; i++) {
      long length = words.getLong(MAGIC.length + 8 * (i + 1));
      if (Long.compareUnsigned(length, file.length - start) > 0) {
        return null;
      }
      parts[i] = Arrays.copyOfRange(file, (int) start, (int) (start + length));
      start += length;
    }
    return parts;
  }

  /** A framed file of messages with these sizes, which stand one after the other. */
  static byte[] join(List<Integer> sizes, byte[] messages) {
    int header = MAGIC.length + 8 * (sizes.size() + 1);
    ByteBuffer file = ByteBuffer.allocate(header + messages.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(MAGIC).putLong(sizes.size());
    for (int size : sizes) {
      file.putLong(size);
    }
    return file.put(messages).array();
  }
}
