package serbench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The worker: answers the orchestrator's lines (docs/protocol.md) and decides nothing itself. */
public final class Worker {
  private static final int PROTOCOL = 1;
  private static final long MOST_CHUNKS = 100_000;
  private static final int HEAP_WARMUP = 5;
  private static final int HEAP_COUNTS = 3;

  /** Tells in milliseconds how long the compilers have worked. */
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  private static List<String> defines = List.of();

  private final Task task;

  private Worker(Task task) {
    this.task = task;
  }

  /** Whether the row's variant has this define in its manifest. */
  public static boolean defined(String name) {
    return defines.contains(name);
  }

  /**
   * Runs the test that the first argument names; the further ones are the variant's defines. It
   * ends when its standard input does.
   */
  public static void run(Supplier<Contender> contender, String[] arguments) {
    defines =
        List.of(
            Arrays.copyOfRange(
                arguments, 1, arguments.length)); // A contender asks for them as it is made.
    PrintStream replies = System.out;
    System.setOut(System.err); // The protocol keeps standard output to itself.
    try {
      new Worker(new Task(contender.get(), arguments[0]))
          .serve(new BufferedInputStream(System.in), replies);
    } catch (Throwable failed) {
      failed.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  private void serve(InputStream input, PrintStream replies) throws IOException {
    for (String line = line(input); line != null; line = line(input)) {
      Request request = Request.of(line);
      if (request.text("do").equals("quit")) {
        return;
      }
      String reply;
      try {
        String fields = answer(request);
        reply = "{\"ok\":true" + (fields.isEmpty() ? "" : ",") + fields + "}\n";
      } catch (Throwable failed) {
        reply = "{\"ok\":false,\"error\":" + Request.quoted(reason(failed)) + "}\n";
      }
      replies.write(reply.getBytes(StandardCharsets.UTF_8));
      replies.flush();
    }
  }

  /** The next line, null at the end. */
  private static String line(InputStream input) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int each = input.read();
    if (each < 0) {
      return null;
    }
    for (; each >= 0 && each != '\n'; each = input.read()) {
      bytes.write(each);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** The first line of what an exception says, after its class. */
  private static String reason(Throwable failed) {
    String said = failed.getMessage() == null ? "" : failed.getMessage().strip();
    String first = said.lines().findFirst().orElse("");
    if (failed instanceof Refusal) {
      return said;
    }
    return failed.getClass().getSimpleName() + (first.isEmpty() ? "" : ": " + first);
  }

  private String answer(Request request) throws Exception {
    String what = request.text("do");
    switch (what) {
      case "describe":
        return describe();
      case "prepare":
        task.prepare(request);
        return "";
      case "verify", "sample", "overhead", "count", "heap":
        if (!task.isPrepared()) {
          throw new Refusal("nothing is prepared");
        }
        break;
      default:
        throw new Refusal("unknown request");
    }
    return switch (what) {
      case "verify" -> task.verify(request.text("output"));
      case "sample" -> sample(request, task::repeat);
      case "overhead" -> {
        Task.Step own = task.overhead();
        yield sample(
            request,
            count -> {
              for (long i = 0; i < count; i++) {
                own.run();
              }
            });
      }
      case "count" -> {
        task.repeat(request.number("iterations", 1));
        yield "\"hash\":\"" + task.hash() + "\"";
      }
      default -> heap();
    };
  }

  /**
   * The options that the machine really has; what is told by a property of our own is not one of
   * them.
   */
  private String describe() {
    String flags =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("-X"))
            .collect(Collectors.joining(" "));
    return "\"protocol\":%d,\"language\":\"java\",\"test\":%s,\"library_version\":%s,\"compiler\":%s,\"flags\":%s"
        .formatted(
            PROTOCOL,
            Request.quoted(task.test),
            Request.quoted(System.getProperty("serbench.library", "")),
            Request.quoted("java " + System.getProperty("java.version")),
            Request.quoted(flags));
  }

  /** So many of what is timed. */
  private interface Repeated {
    void run(long count) throws Exception;
  }

  private String sample(Request request, Repeated repeated) throws Exception {
    long chunks = request.number("chunks", 1);
    if (chunks < 1 || chunks > MOST_CHUNKS) {
      throw new Refusal("a sample has 1 to 100,000 chunks");
    }
    long iterations = request.number("iterations", 1);
    long[] wall = new long[(int) chunks];
    long[] cpu = new long[(int) chunks];
    long compiled = COMPILER.getTotalCompilationTime();
    repeated.run(request.number("warmup", 0));
    long faults = Clock.pageFaults();
    for (int i = 0; i < wall.length; i++) {
      // The processor's clock is a call of the system, so it stands outside of the wall clock's
      // readings.
      long before = Clock.processTime();
      long start = System.nanoTime();
      repeated.run(iterations);
      wall[i] = System.nanoTime() - start;
      cpu[i] = Clock.processTime() - before;
    }
    faults = Clock.pageFaults() - faults;
    compiled = COMPILER.getTotalCompilationTime() - compiled;
    return "\"hash\":\"%s\",\"wall\":[%s],\"cpu\":[%s],\"page_faults\":%d,\"compiled\":%d"
        .formatted(task.hash(), list(wall), list(cpu), faults, compiled * 1_000_000);
  }

  private static String list(long[] numbers) {
    return LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  /**
   * Counts what an iteration allocates, the least of three: the first ones load classes and fill
   * caches.
   */
  private String heap() throws Exception {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    task.repeat(HEAP_WARMUP);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < HEAP_COUNTS; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      task.iterate();
      least =
          Math.min(least, threads.getCurrentThreadAllocatedBytes() - before - task.bufferBytes());
    }
    return "\"allocations\":null,\"bytes\":%d,\"peak\":null".formatted(least);
  }
}
