package serbench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What prepare loads: the documents that an iteration handles one by one, usually one alone. */
final class Work {
  private static final byte[] NOTHING = {};

  /** Several messages: inputs and outputs are framed files. */
  final boolean framed;

  /** The harness's data of each document. */
  final Baseline[] documents;

  /** What a reader is given in the place of each input: the same bytes, copied anew each time. */
  final byte[][] copies;

  /** Of each document, for a look-up; null without paths. */
  final List<List<Path>> paths;

  /** Of each document, what a writer or a serializer is given. */
  Object[] made = {};

  private Work(boolean framed, Baseline[] documents, byte[][] copies, List<List<Path>> paths) {
    this.framed = framed;
    this.documents = documents;
    this.copies = copies;
    this.paths = paths;
  }

  /** Loads what a request names. The refusal says what cannot be read. */
  static Work load(Request request, boolean keepsTree) throws Refusal {
    String tape = request.text("tape");
    boolean framed = request.number("messages", 0) != 0;
    List<?> roots = messages(read("the tape " + tape, tape), framed);
    if (roots.isEmpty()) {
      throw new Refusal("the tape " + tape + " has no messages");
    }
    byte[][] inputs = parts(request.text("input"), roots.size(), framed);
    byte[][] words = parts(request.text("words"), roots.size(), framed);
    List<List<Path>> paths =
        request.text("paths").isEmpty() ? null : paths(request.text("paths"), framed, roots);
    Baseline[] documents = new Baseline[roots.size()];
    byte[][] copies = new byte[roots.size()][];
    for (int i = 0; i < documents.length; i++) {
      Object root = roots.get(i);
      documents[i] =
          new Baseline(keepsTree ? root : null, root instanceof List, inputs[i], asWords(words[i]));
      copies[i] = new byte[inputs[i].length];
    }
    return new Work(framed, documents, copies, paths);
  }

  private static Object read(String what, String path) throws Refusal {
    try {
      return Tape.read(path);
    } catch (Refusal refusal) {
      throw new Refusal(what + " cannot be read: " + refusal.getMessage());
    }
  }

  private static List<?> messages(Object root, boolean framed) {
    if (framed) {
      return root instanceof List<?> items ? items : List.of();
    }
    List<Object> one = new ArrayList<>();
    one.add(root);
    return one;
  }

  /** The part of a file that each document has; empty parts without a path. */
  private static byte[][] parts(String path, int count, boolean framed) throws Refusal {
    if (path.isEmpty()) {
      byte[][] empty = new byte[count][];
      java.util.Arrays.fill(empty, NOTHING);
      return empty;
    }
    byte[][] parts;
    try {
      byte[] file = Files.read(path);
      parts = framed ? Files.split(file, count) : new byte[][] {file};
    } catch (IOException failed) {
      throw new Refusal("the input " + path + " cannot be read: " + Files.reason(failed));
    }
    if (parts == null) {
      throw new Refusal(
          "the input " + path + " cannot be read: it is not a file of these messages");
    }
    return parts;
  }

  private static int[] asWords(byte[] bytes) {
    int[] words = new int[bytes.length / 4];
    for (int i = 0; i < words.length; i++) {
      words[i] = (int) Hash.WORD.get(bytes, 4 * i);
    }
    return words;
  }

  /** The paths of a tape, which belong to the roots: arrays of what they lead to. */
  private static List<List<Path>> paths(String path, boolean framed, List<?> roots) throws Refusal {
    Refusal foreign = new Refusal("the tape of paths does not belong to the values");
    List<?> all = messages(read("the tape of paths", path), framed);
    if (all.size() != roots.size()) {
      throw foreign;
    }
    List<List<Path>> made = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (!(all.get(i) instanceof List<?> items && roots.get(i) instanceof List<?> values)
          || items.size() != values.size()) {
        throw foreign;
      }
      List<Path> found = new ArrayList<>();
      for (Object item : items) {
        Path one = Path.of(item);
        if (one == null) {
          throw foreign;
        }
        found.add(one);
      }
      made.add(found);
    }
    return made;
  }

  /** Makes a document the one at hand. */
  Baseline choose(int index) {
    Baseline.current = documents[index];
    return documents[index];
  }

  /** The input of a document, copied anew. */
  byte[] copied(int index) {
    byte[] input = documents[index].input;
    System.arraycopy(input, 0, copies[index], 0, input.length);
    return copies[index];
  }
}
