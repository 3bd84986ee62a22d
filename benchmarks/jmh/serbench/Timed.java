package serbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** An iteration of a row, with JMH's clock and loop. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Timed {
  private static Task task;

  /** What an iteration makes is kept in the task, so no compiler can leave it out. */
  @Benchmark
  public void iterate() throws Exception {
    task.iterate();
  }

  /**
   * Takes the test, the worker's line `prepare`, the right hash, and where JMH leaves its result.
   */
  public static void main(String[] arguments) throws Exception {
    Object contender = Class.forName("Main").getDeclaredConstructor().newInstance();
    task = new Task((Contender) contender, arguments[0]);
    task.prepare(Request.of(arguments[1]));
    task.iterate();
    check(arguments[2]);
    // This process has the worker's options, and is one of many: JMH need not start another.
    new Runner(
            new OptionsBuilder()
                .include(Timed.class.getName())
                .forks(0)
                .shouldFailOnError(true)
                .resultFormat(ResultFormatType.JSON)
                .result(arguments[3])
                .build())
        .run();
    check(arguments[2]);
  }

  private static void check(String expected) throws Refusal {
    if (!task.hash().equals(expected)) {
      throw new Refusal("an iteration gives the hash " + task.hash() + " in place of " + expected);
    }
  }
}
