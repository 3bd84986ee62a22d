package serbench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** One test of a contender: its iteration, which is what is timed, and what one proves. */
final class Task {
  private final Contender contender;
  final String test;
  private final boolean reads;
  private final boolean looksUp;
  private final Output out = new Output();
  private final Hash exact = new Hash(true);
  private Work work;

  /** What the harness itself does in an iteration; null until it was asked for. */
  private Step own;

  /** What can be repeated; leaves its hash in the task. */
  interface Step {
    void run() throws Exception;
  }

  /** Of the last iteration. */
  private int state;

  Task(Contender contender, String test) {
    this.contender = contender;
    this.test = test;
    looksUp = test.equals("lookup");
    reads = looksUp || test.equals("tree") || test.equals("incremental");
  }

  void prepare(Request request) throws Exception {
    work = null;
    own = null;
    Baseline.current = Baseline.NONE; // All hold what was prepared before.
    if (request.text("input").isEmpty() && !test.equals("write")) {
      throw new Refusal("a reader needs an input");
    }
    Work loaded = Work.load(request, test.equals("write") || looksUp || contender.keepsTree());
    if (looksUp && loaded.paths == null) {
      throw new Refusal("the tape of paths cannot be read: there is none");
    }
    if (test.equals("serialize")) {
      loaded.made = new Object[loaded.documents.length];
      for (int i = 0; i < loaded.made.length; i++) {
        loaded.made[i] = contender.document(loaded.choose(i).input.clone());
      }
    } else if (test.equals("write")) {
      loaded.made = new Object[loaded.documents.length];
      for (int i = 0; i < loaded.made.length; i++) {
        loaded.made[i] = contender.struct(loaded.documents[i].root);
      }
    }
    work = loaded;
    System.gc(); // What loading left behind is no row's, and what stays is old.
  }

  boolean isPrepared() {
    return work != null;
  }

  /** One iteration; its hash is kept. */
  void iterate() throws Exception {
    if (reads) {
      exact.reset();
      read(exact);
      state = exact.state;
    } else {
      write();
      state = out.hash.state;
    }
  }

  void repeat(long count) throws Exception {
    for (long i = 0; i < count; i++) {
      iterate();
    }
  }

  /** What the harness itself does in an iteration, found by one that is not timed. */
  Step overhead() throws Exception {
    if (own == null) {
      own = reads ? readerOverhead() : writerOverhead();
    }
    return own;
  }

  private Step readerOverhead() throws Exception {
    Hash recorded = new Hash(true);
    recorded.seen = new ByteArrayOutputStream();
    read(recorded);
    Calls calls = new Calls(recorded.seen, recorded.sawText);
    return () -> {
      exact.reset();
      for (int i = 0; i < work.documents.length; i++) {
        work.choose(i);
        work.copied(i);
      }
      calls.repeat(exact);
      state = exact.state;
    };
  }

  /** It hashes as many bytes as those of each output. */
  private Step writerOverhead() throws Exception {
    byte[][] blocks = new byte[work.documents.length][];
    out.copy = new ByteArrayOutputStream();
    out.sizes.clear();
    try {
      write();
    } finally {
      out.copy = null;
    }
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = new byte[out.sizes.get(i)];
      Arrays.fill(blocks[i], (byte) 'x');
    }
    return () -> {
      exact.reset();
      for (byte[] block : blocks) {
        exact.bytes(block);
      }
      state = exact.state;
    };
  }

  String hash() {
    return hex(state);
  }

  /** What the harness's own buffer took in the last iteration. */
  long bufferBytes() {
    return reads ? 0 : out.bufferBytes;
  }

  private void read(Hash hash) throws Exception {
    for (int i = 0; i < work.documents.length; i++) {
      work.choose(i);
      byte[] data = work.copied(i);
      switch (test) {
        case "tree" -> contender.tree(data, hash);
        case "incremental" -> contender.incremental(data, hash);
        default -> {
          contender.lookup(data, work.paths.get(i), hash);
          hash.count(work.paths.get(i).size());
        }
      }
    }
  }

  private void write() throws Exception {
    out.reset();
    for (int i = 0; i < work.documents.length; i++) {
      work.choose(i);
      if (test.equals("serialize")) {
        contender.serialize(work.made[i], out);
      } else {
        contender.write(work.made[i], out);
      }
      out.end();
    }
  }

  /**
   * Runs once, and leaves at a path what a writer wrote or a reader saw; the answer says what that
   * proves.
   */
  String verify(String path) throws Exception {
    if (!reads) {
      return verifyWriter(path);
    }
    Hash content = new Hash(false);
    read(content);
    Hash all = new Hash(true);
    all.seen = path.isEmpty() ? null : new ByteArrayOutputStream();
    read(all);
    if (all.seen != null) {
      leave(path, path, all.seen.toByteArray());
    }
    return "\"content_hash\":\""
        + hex(content.state)
        + "\",\"exact_hash\":\""
        + hex(all.state)
        + "\"";
  }

  private String verifyWriter(String path) throws Exception {
    out.copy = new ByteArrayOutputStream();
    out.sizes.clear();
    byte[] written;
    try {
      write();
      written = out.copy.toByteArray();
    } finally {
      out.copy = null;
    }
    leave("the output " + path, path, work.framed ? Files.join(out.sizes, written) : written);
    return "\"bytes\":" + written.length + ",\"hash\":\"" + hex(out.hash.state) + "\"";
  }

  private static void leave(String what, String path, byte[] data) throws Refusal {
    try {
      Files.write(path, data);
    } catch (IOException failed) {
      throw new Refusal("cannot write " + what + ": " + Files.reason(failed));
    }
  }

  private static String hex(int state) {
    return String.format("%08x", state);
  }
}
