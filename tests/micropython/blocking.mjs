// Sockets that block, as a board's do: the connection lives in a thread of its own, and the VM's thread sleeps until it
// has an answer. Only the naive client of `make bench` wants this.
import net from "node:net";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const ROOM = 64 << 10;
const READY = 0;
const RESULT = 1; // bytes, or a negative number: timed out, refused, gone
export const TIMED_OUT = -1;
export const FAILED = -2;

// The VM's end. A call takes at most `timeoutMs`; 0 waits for ever.
export class BlockingSocket {
  constructor() {
    const shared = new SharedArrayBuffer(8 + ROOM);
    this.state = new Int32Array(shared, 0, 2);
    this.bytes = Buffer.from(shared, 8);
    this.worker = new Worker(fileURLToPath(import.meta.url), { workerData: shared });
    this.worker.unref();
  }

  ask(question, timeoutMs) {
    Atomics.store(this.state, READY, 0);
    this.worker.postMessage({ ...question, timeoutMs });
    Atomics.wait(this.state, READY, 0);
    return Atomics.load(this.state, RESULT);
  }

  forTheVm() {
    return {
      connect: (host, port, timeoutMs) => this.ask({ what: "connect", host, port }, timeoutMs),
      send: (hex, timeoutMs) => this.ask({ what: "send", hex }, timeoutMs),
      receive: (most, timeoutMs) => {
        const n = this.ask({ what: "receive", most }, timeoutMs);
        return n < 0 ? n : this.bytes.toString("hex", 0, n);
      },
      close: () => this.ask({ what: "close" }, 0),
    };
  }
}

class Answering {
  constructor(shared) {
    this.state = new Int32Array(shared, 0, 2);
    this.bytes = Buffer.from(shared, 8);
    this.held = Buffer.alloc(0);
    this.ended = true;
  }

  answer(result) {
    if (!this.asked) return;
    this.asked = undefined;
    clearTimeout(this.timer);
    Atomics.store(this.state, RESULT, result);
    Atomics.store(this.state, READY, 1);
    Atomics.notify(this.state, READY);
  }

  hear(question) {
    this.asked = question;
    if (question.timeoutMs > 0) this.timer = setTimeout(() => this.answer(TIMED_OUT), question.timeoutMs);
    this[question.what](question);
  }

  connect({ host, port }) {
    this.close({}, false);
    this.held = Buffer.alloc(0);
    this.ended = false;
    const socket = net.connect({ host, port, noDelay: true });
    this.socket = socket;
    socket.on("connect", () => this.answer(0));
    socket.on("data", (data) => {
      this.held = Buffer.concat([this.held, data]);
      this.serve();
    });
    const over = () => {
      if (socket !== this.socket) return;
      this.ended = true;
      if (this.asked?.what === "receive") this.serve();
      else this.answer(FAILED);
    };
    socket.on("error", over);
    socket.on("close", over);
  }

  send({ hex }) {
    if (this.ended) this.answer(FAILED);
    else this.socket.write(Buffer.from(hex, "hex"), () => this.answer(0));
  }

  receive() {
    this.serve();
  }

  serve() {
    if (this.asked?.what !== "receive" || (this.held.length === 0 && !this.ended)) return;
    const n = Math.min(this.asked.most, this.held.length, ROOM);
    this.held.copy(this.bytes, 0, 0, n);
    this.held = this.held.subarray(n);
    this.answer(n);
  }

  close(_question, answering = true) {
    this.socket?.destroy();
    this.socket = undefined;
    this.ended = true;
    if (answering) this.answer(0);
  }
}

if (!isMainThread) {
  const answering = new Answering(workerData);
  parentPort.on("message", (question) => answering.hear(question));
}
