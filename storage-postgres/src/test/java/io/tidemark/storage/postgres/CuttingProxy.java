package io.tidemark.storage.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between client and server, and cuts the connection at the worst moment. */
final class CuttingProxy implements AutoCloseable {
  /** What to cut. */
  enum Cut {
    /** Nothing. */
    NOTHING,
    /** The request: the server never sees it. */
    REQUEST,
    /** The reply: the server has done what was asked. */
    REPLY
  }

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile Cut cut = Cut.NOTHING;

  CuttingProxy(int target) throws IOException {
    this.target = target;
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "cutting proxy");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Cuts the next request or reply on every connection until told otherwise. */
  void cut(Cut what) {
    cut = what;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        start(() -> copy(client, server, Cut.REQUEST));
        start(() -> copy(server, client, Cut.REPLY));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void copy(Socket from, Socket to, Cut direction) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (cut == direction) {
          return;
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // the other direction closed it
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
