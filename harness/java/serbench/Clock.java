package serbench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What the system tells of this process, by functions of the C library: what Java itself tells of
 * its processor time has a resolution of 10 ms.
 */
final class Clock {
  private static final int PROCESS = 2;
  private static final int SELF = 0;
  private static final long MINOR_FAULTS = 64;

  private static final MemorySegment ROOM = Arena.global().allocate(256, 8);
  private static final MethodHandle CLOCK_GETTIME =
      function("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle GETRUSAGE =
      function("getrusage", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  private Clock() {}

  private static MethodHandle function(String name, FunctionDescriptor types) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), types);
  }

  private static void call(MethodHandle function, int which) {
    try {
      if ((int) function.invokeExact(which, ROOM) != 0) {
        throw new IllegalStateException("the system does not tell its time");
      }
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * The nanoseconds of processor time that the process has used: its collector's and its
   * compilers', too.
   */
  static long processTime() {
    call(CLOCK_GETTIME, PROCESS);
    return ROOM.get(JAVA_LONG, 0) * 1_000_000_000 + ROOM.get(JAVA_LONG, 8);
  }

  /**
   * How often this process has been given a page of memory since it began: its minor page faults.
   */
  static long pageFaults() {
    call(GETRUSAGE, SELF);
    return ROOM.get(JAVA_LONG, MINOR_FAULTS);
  }
}
