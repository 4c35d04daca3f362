// TCP for the VM, which has no sockets of its own: connections by number, bytes as hexadecimal text.
import net from "node:net";

class Connection {
  constructor(host, port) {
    this.waiting = []; // readers, at most one
    this.chunks = [];
    this.ended = false;
    this.opened = new Promise((yes, no) => {
      this.socket = net.connect({ host, port, noDelay: true });
      this.socket.on("connect", yes);
      this.socket.on("error", (error) => {
        this.failure = error.code ?? String(error);
        no(new Error(this.failure));
      });
    });
    this.opened.catch(() => {});
    this.socket.on("data", (chunk) => this.arrive(chunk));
    this.socket.on("close", () => {
      this.ended = true;
      this.wake();
    });
    this.socket.on("end", () => {
      this.ended = true;
      this.wake();
    });
  }

  arrive(chunk) {
    this.chunks.push(chunk);
    this.wake();
  }

  wake() {
    for (const reader of this.waiting.splice(0)) reader();
  }

  take(most) {
    const all = Buffer.concat(this.chunks);
    this.chunks = all.length > most ? [all.subarray(most)] : [];
    return all.subarray(0, most).toString("hex");
  }
}

export class Bridge {
  constructor() {
    this.connections = new Map();
    this.last = 0;
  }

  // What the VM sees as module host_net. `open` and `ready` are awaited; "" from `take` after `ready` is the end.
  forTheVm() {
    const of = (id) => this.connections.get(id);
    return {
      open: (host, port) => {
        const connection = new Connection(host, port);
        const id = ++this.last;
        this.connections.set(id, connection);
        return connection.opened.then(
          () => id,
          () => {
            this.connections.delete(id);
            return 0;
          },
        );
      },
      ready: (id) =>
        new Promise((yes) => {
          const connection = of(id);
          if (connection === undefined || connection.chunks.length > 0 || connection.ended) yes(1);
          else connection.waiting.push(() => yes(1));
        }),
      take: (id, most) => of(id)?.take(most) ?? "",
      // bytes that wait to be sent, or -1 when the connection is gone
      write: (id, hex) => {
        const connection = of(id);
        if (connection === undefined || connection.ended || connection.failure) return -1;
        connection.socket.write(Buffer.from(hex, "hex"));
        return connection.socket.writableLength;
      },
      unsent: (id) => {
        const connection = of(id);
        return connection === undefined || connection.ended ? -1 : connection.socket.writableLength;
      },
      close: (id) => {
        of(id)?.socket.destroy();
        of(id)?.wake();
        this.connections.delete(id);
      },
    };
  }
}
