package serbench;

import java.util.HashMap;
import java.util.Map;

/**
 * One request of the protocol: a flat JSON object of strings, whole numbers and booleans. Not read
 * by a library, which would be a contender: what it compiled and keeps would be this worker's, too.
 */
final class Request {
  private static final int MOST_FIELDS = 16;
  private static final String ESCAPES = "\"\"\\\\//b\bf\fn\nr\rt\t";

  private final Map<String, String> texts = new HashMap<>();

  /** A boolean is 1 or 0. */
  private final Map<String, Long> numbers = new HashMap<>();

  private final String line;
  private int at;

  private Request(String line) {
    this.line = line;
  }

  /** The request in a line, an empty one if it is none. */
  static Request of(String line) {
    Request made = new Request(line);
    return made.parse() ? made : new Request("");
  }

  /** A text, empty if there is none. */
  String text(String name) {
    return texts.getOrDefault(name, "");
  }

  long number(String name, long otherwise) {
    return numbers.getOrDefault(name, otherwise);
  }

  private boolean parse() {
    if (!skip('{')) {
      return false;
    }
    for (int fields = 0; !skip('}'); fields++) {
      if (fields == MOST_FIELDS || fields > 0 && !skip(',') || !field()) {
        return false;
      }
    }
    blank();
    return at == line.length();
  }

  private void blank() {
    while (at < line.length() && " \t\r\n".indexOf(line.charAt(at)) >= 0) {
      at++;
    }
  }

  /** Skips white space, and the character if it follows; says whether it did. */
  private boolean skip(char wanted) {
    blank();
    boolean found = at < line.length() && line.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private boolean word(String wanted) {
    boolean found = line.startsWith(wanted, at);
    at += found ? wanted.length() : 0;
    return found;
  }

  /**
   * The next string, null if there is none. The orchestrator escapes nothing but single characters.
   */
  private String string() {
    if (!skip('"')) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    while (at < line.length()) {
      char each = line.charAt(at++);
      if (each == '"') {
        return text.toString();
      }
      if (each == 0) {
        return null;
      }
      if (each == '\\') {
        int found = at < line.length() ? escape(line.charAt(at++)) : -1;
        if (found < 0) {
          return null;
        }
        each = (char) found;
      }
      text.append(each);
    }
    return null;
  }

  private static int escape(char letter) {
    for (int i = 0; i < ESCAPES.length(); i += 2) {
      if (ESCAPES.charAt(i) == letter) {
        return ESCAPES.charAt(i + 1);
      }
    }
    return -1;
  }

  private boolean field() {
    String name = string();
    if (name == null || !skip(':')) {
      return false;
    }
    blank();
    if (line.startsWith("\"", at)) {
      String text = string();
      texts.put(name, text);
      return text != null;
    }
    if (word("true")) {
      numbers.put(name, 1L);
      return true;
    }
    if (word("false")) {
      numbers.put(name, 0L);
      return true;
    }
    int start = at;
    while (at < line.length() && line.charAt(at) >= '0' && line.charAt(at) <= '9') {
      at++;
    }
    try {
      numbers.put(name, Long.parseLong(line.substring(start, at)));
      return true;
    } catch (NumberFormatException wrong) {
      return false;
    }
  }

  /** A text as a JSON string with its quotes. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            each -> {
              if (each == '"' || each == '\\') {
                out.append('\\').appendCodePoint(each);
              } else if (each < ' ' || each == 0x7f) {
                out.append(String.format("\\u%04x", each));
              } else if (each >= 0xd800 && each <= 0xdfff) {
                out.append('\ufffd');
              } else {
                out.appendCodePoint(each);
              }
            });
    return out.append('"').toString();
  }
}
