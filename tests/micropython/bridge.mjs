// TCP for the VM, which has no sockets of its own: connections by number, bytes by their address in the VM's memory. So
// nothing is copied to the VM's heap that a board would not have on its own.
import net from "node:net";

// The first bytes of the MQTT packets in a stream.
class Heads {
  constructor() {
    this.rest = Buffer.alloc(0);
  }

  feed(chunk) {
    this.rest = Buffer.concat([this.rest, chunk]);
    const heads = [];
    for (let end = this.end(); end > 0; end = this.end()) {
      heads.push(this.rest[0]);
      this.rest = this.rest.subarray(end);
    }
    return heads;
  }

  // Where the first packet ends; 0 if it is not all there.
  end() {
    let length = 0;
    for (let k = 1; k < Math.min(5, this.rest.length); k++) {
      length += (this.rest[k] & 0x7f) << (7 * (k - 1));
      if (this.rest[k] < 0x80) return k + 1 + length <= this.rest.length ? k + 1 + length : 0;
    }
    return 0;
  }
}

const ANSWERED = [1, 8, 12]; // CONNECT, SUBSCRIBE, PINGREQ
const ANSWERS = [2, 4, 9, 13]; // CONNACK, PUBACK, SUBACK, PINGRESP
const asks = (head) => ANSWERED.includes(head >> 4) || (head >> 4 === 3 && (head & 6) > 0);
const answers = (head) => ANSWERS.includes(head >> 4);

class Connection {
  constructor(host, port) {
    this.sent = new Heads();
    this.received = new Heads();
    this.owed = 1; // answers of the other end; the first is that it takes the connection
    this.chunks = [];
    this.opened = false;
    this.ended = false;
    this.socket = net.connect({ host, port, noDelay: true });
    this.socket.on("connect", () => {
      this.owed -= 1;
      this.opened = true;
    });
    const over = () => (this.ended = true);
    for (const event of ["error", "close", "end"]) this.socket.on(event, over);
    this.socket.on("data", (chunk) => this.arrive(chunk));
  }

  arrive(chunk) {
    this.chunks.push(chunk);
    this.owed -= this.received.feed(chunk).filter(answers).length;
  }

  send(bytes) {
    this.owed += this.sent.feed(bytes).filter(asks).length;
    this.socket.write(bytes);
  }

  take(most) {
    const all = Buffer.concat(this.chunks);
    this.chunks = all.length > most ? [all.subarray(most)] : [];
    return all.subarray(0, most);
  }
}

export class Bridge {
  // `module` is the VM's, with its memory.
  constructor(module) {
    this.module = module;
    this.connections = new Map();
    this.last = 0;
  }

  // Whether a broker that runs has yet to answer something.
  waits() {
    return [...this.connections.values()].some((one) => one.owed > 0 && !one.ended);
  }

  // What the VM sees as module host_net. It asks again and again: it cannot await on a heap that is held.
  forTheVm() {
    const of = (id) => this.connections.get(id);
    return {
      open: (host, port) => {
        this.connections.set(++this.last, new Connection(host, port));
        return this.last;
      },
      opened: (id) => of(id)?.opened ?? false,
      // whether there is something to take, or the end: 0 from `take`
      ready: (id) => (of(id)?.chunks.length ?? 1) > 0 || of(id).ended,
      ended: (id) => of(id)?.ended ?? true,
      take: (id, address, most) => {
        const taken = of(id)?.take(most) ?? [];
        taken.forEach((byte, k) => this.module.setValue(address + k, byte, "i8"));
        return taken.length;
      },
      // bytes that wait to be sent, or -1 when the connection is gone
      write: (id, address, length) => {
        const connection = of(id);
        if (connection === undefined || connection.ended) return -1;
        connection.send(Buffer.from(Array.from({ length }, (_, k) => this.module.getValue(address + k, "i8"))));
        return connection.socket.writableLength;
      },
      unsent: (id) => {
        const connection = of(id);
        return connection === undefined || connection.ended ? -1 : connection.socket.writableLength;
      },
      close: (id) => {
        of(id)?.socket.destroy();
        this.connections.delete(id);
      },
    };
  }
}
