package io.tidemark.tck;

import static io.tidemark.tck.Saboteur.who;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.UnknownApplicationException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ways to get ownership, layouts and applications wrong. */
final class OwnershipSaboteurs {
  private OwnershipSaboteurs() {}

  static List<Saboteur> all() {
    return List.of(
        who("gives every claim the same epoch", "F-11")
            .beside("F-7", "F-9", "F-12")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public Epoch epoch() {
                        return new Epoch(1, new UUID(7, 7));
                      }
                    }),
        who("claims a partition to read it", "F-7")
            .beside("*")
            .readers(
                (app, partition, real) -> {
                  app.real.claim(partition, "reader");
                  return real;
                }),
        who("settles nothing", "F-9")
            .beside("I")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      @Override
                      public void settle() {
                        real.epoch();
                      }
                    }),
        who("keeps a partition's failure in the handle", "F-10")
            .handles(
                (app, real) ->
                    new DelegatingHandle(real) {
                      private @Nullable PartitionFailure kept;

                      @Override
                      public @Nullable PartitionFailure failure() {
                        return kept;
                      }

                      @Override
                      public void storeFailure(@Nullable PartitionFailure failure) {
                        kept = failure;
                      }
                    }),
        who("opens an application with whatever layout is stored", "L-14")
            .opens(
                (store, application, layout) -> {
                  try {
                    return store.open(application, layout);
                  } catch (IllegalArgumentException e) {
                    if (layout == null) {
                      throw e;
                    }
                    return store.open(application, null);
                  }
                }),
        who("creates an application that nobody asked for", "L-14")
            .opens(
                (store, application, layout) -> {
                  try {
                    return store.open(application, layout);
                  } catch (UnknownApplicationException e) {
                    return store.open(application, Layout.of(1));
                  }
                }),
        who("answers a layout of its own", "L-14")
            .beside("*")
            .layouts(
                layout ->
                    layout.partitions() == 5
                        ? new Layout((int) (System.nanoTime() >>> 1 & 0xFFFF) + 6, 0, 0, null)
                        : layout),
        who("leaves the application out of its keys", "L-15", "I22")
            .opens(
                (store, application, layout) ->
                    store.open(application.replaceAll("x$", ""), layout)),
        who("leaves the partition out of its keys", "L-15")
            .beside("*")
            .claims((app, partition, owner) -> app.real.claim(partition / 2 * 2, owner)));
  }
}
