package serbench;

/** A sentence that is the whole answer: unlike another exception, it is told without its class. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  public Refusal(String reason) {
    super(reason);
  }
}
