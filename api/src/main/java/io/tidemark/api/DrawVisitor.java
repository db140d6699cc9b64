package io.tidemark.api;

/** Visits what a transaction did to each sequence it touched. */
@FunctionalInterface
public interface DrawVisitor {
  /**
   * Visits one sequence.
   *
   * @param count how many numbers were drawn
   * @param last the sequence's last number after the transaction, observed ones included
   * @param observed whether an explicit number was observed
   */
  void visit(int seqId, long count, long last, boolean observed);
}
