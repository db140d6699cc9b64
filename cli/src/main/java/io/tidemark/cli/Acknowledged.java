package io.tidemark.cli;

import io.tidemark.pipeline.Cud;
import io.tidemark.pipeline.Event;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the workers' customers were told, kept outside the storage, to compare with the log. */
final class Acknowledged {
  /** One order as its customer knows it. */
  private record Order(String tag, long wsid, long plogOffset, long invoice) {}

  /**
   * What the comparison found.
   *
   * @param lost orders that were acknowledged and are not in the log as they were answered
   * @param duplicates invoice numbers of a shop given twice, and orders logged twice
   * @param gaps invoice numbers of a shop that are missing
   * @param events events in the log
   */
  record Compared(long lost, long duplicates, long gaps, long events) {}

  private final Map<String, Order> orders = new HashMap<>();

  /** Takes a worker's line {@code ack tag wsid plogOffset wlogOffset order invoice}. */
  synchronized void hear(String line) {
    String[] words = line.split(" ", -1);
    orders.put(
        words[1],
        new Order(
            words[1],
            Long.parseLong(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[6])));
  }

  synchronized long count() {
    return orders.size();
  }

  synchronized Compared compare(IAppStorage app) {
    Map<String, Order> missing = new HashMap<>(orders);
    Map<Long, Map<Long, Long>> invoices = new TreeMap<>();
    Set<String> seen = new HashSet<>();
    long[] twice = new long[1];
    long events = 0;
    for (int partition = 0; partition < app.layout().partitions(); partition++) {
      events += app.reader(partition).logEnd();
      app.reader(partition)
          .readPLog(
              1,
              logged -> {
                Order order = read(logged);
                if (order != null) {
                  twice[0] += seen.add(order.tag) ? 0 : 1;
                  Order told = missing.get(order.tag);
                  if (order.equals(told)) {
                    missing.remove(order.tag);
                  }
                  invoices
                      .computeIfAbsent(order.wsid, wsid -> new HashMap<>())
                      .merge(order.invoice, 1L, Long::sum);
                }
                return true;
              });
    }
    long gaps = 0;
    long duplicates = twice[0];
    for (Map<Long, Long> numbers : invoices.values()) {
      long highest = numbers.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
      gaps += highest - numbers.size();
      duplicates += numbers.values().stream().filter(times -> times > 1).count();
    }
    return new Compared(missing.size(), duplicates, gaps, events);
  }

  private static @Nullable Order read(PLogEvent logged) {
    if (logged.header().wlogOffset() == 0) {
      return null;
    }
    Event event = Event.of(logged);
    for (Cud cud : event.content().cuds()) {
      if (cud.type().equals(Shop.ORDER)) {
        return new Order(
            cud.fields().text(Shop.TAG),
            event.wsid(),
            event.plogOffset(),
            cud.fields().number(Shop.INVOICE_FIELD));
      }
    }
    return null;
  }
}
