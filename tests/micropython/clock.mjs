// The VM's time. A virtual clock jumps from timer to timer, so a minute of station time takes a second or two of ours
// and two runs are equal; the real one is the machine's.

import fs from "node:fs";

const TICKS = 2 ** 30;
const CREEP_US = 2; // looking at a clock takes time, or a loop that waits for it would never end

class Timers {
  constructor() {
    this.heap = [];
    this.order = 0;
    this.cancelled = new Set();
  }

  add(dueUs, call) {
    const id = ++this.order;
    const heap = this.heap;
    let k = heap.push({ dueUs, id, call }) - 1;
    while (k > 0 && before(heap[k], heap[(k - 1) >> 1])) {
      const up = (k - 1) >> 1;
      [heap[k], heap[up]] = [heap[up], heap[k]];
      k = up;
    }
    return id;
  }

  cancel(id) {
    if (this.heap.some((timer) => timer.id === id)) this.cancelled.add(id);
  }

  next() {
    for (;;) {
      const timer = this.pop();
      if (timer === undefined || !this.cancelled.delete(timer.id)) return timer;
    }
  }

  pop() {
    const heap = this.heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let k = 0; ; ) {
      let least = k;
      for (const child of [2 * k + 1, 2 * k + 2])
        if (child < heap.length && before(heap[child], heap[least])) least = child;
      if (least === k) return first;
      [heap[k], heap[least]] = [heap[least], heap[k]];
      k = least;
    }
  }
}

function before(a, b) {
  return a.dueUs < b.dueUs || (a.dueUs === b.dueUs && a.id < b.id);
}

const turnOfTheLoop = () => new Promise((done) => setImmediate(done));
const realTimeout = globalThis.setTimeout;
const moment = () => new Promise((done) => realTimeout(done, 1));

// What this thread has computed, where the kernel tells it (Linux), else what all threads have: a busy machine adds
// nothing to it.
function cpuUs() {
  try {
    return Math.round(Number(fs.readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1000);
  } catch {
    return process.cpuUsage().user + process.cpuUsage().system;
  }
}

export class VirtualClock {
  constructor() {
    this.us = 0;
    this.timers = new Timers();
    this.ticksOffset = 0;
  }

  // Must come before the VM is loaded: it remembers the Date.now it starts with.
  install() {
    Date.now = () => Math.floor((this.us += CREEP_US) / 1000);
    globalThis.setTimeout = (call, ms = 0, ...rest) =>
      this.timers.add(this.us + Math.max(0, Math.ceil(ms)) * 1000, () => call(...rest));
    globalThis.clearTimeout = (id) => this.timers.cancel(id);
  }

  forTheVm() {
    return {
      ticks_us: () => ((this.us += CREEP_US) + this.ticksOffset) % TICKS,
      now_ms: () => Math.floor(this.us / 1000),
      // what a blocking wait, or an operation of a modelled pin, takes
      spend_us: (us) => {
        this.us += us;
      },
      // let the next reading of ticks_us be `ticks`
      set_ticks: (ticks) => {
        this.ticksOffset = (((ticks - this.us) % TICKS) + TICKS) % TICKS;
      },
      cpu_us: () => cpuUs() % TICKS,
    };
  }

  // Jump from timer to timer until the promise is kept or broken. While the network `waits` for an answer of another
  // process time stands still: it is not ours to say how fast that one computes.
  async untilDone(promise, waits = () => false) {
    let done = false;
    const ended = Promise.resolve(promise).finally(() => (done = true));
    ended.catch(() => {});
    for (;;) {
      await turnOfTheLoop();
      if (done) return ended;
      if (waits()) {
        await moment();
        continue;
      }
      const timer = this.timers.next();
      if (timer === undefined) throw new Error("the job waits for something that never comes: no timer is set");
      this.us = Math.max(this.us, timer.dueUs);
      timer.call();
    }
  }
}

export class RealClock {
  constructor() {
    this.start = process.hrtime.bigint();
    this.nothing = new Int32Array(new SharedArrayBuffer(4));
    this.ticksOffset = 0;
  }

  install() {}

  us() {
    return Number((process.hrtime.bigint() - this.start) / 1000n);
  }

  forTheVm() {
    return {
      ticks_us: () => (this.us() + this.ticksOffset) % TICKS,
      now_ms: () => Math.floor(this.us() / 1000),
      spend_us: (us) => {
        const end = this.us() + us;
        if (us >= 2000) Atomics.wait(this.nothing, 0, 0, us / 1000 - 1); // sleep, and look at the clock for the rest
        while (this.us() < end);
      },
      set_ticks: (ticks) => {
        this.ticksOffset = (((ticks - this.us()) % TICKS) + TICKS) % TICKS;
      },
      cpu_us: () => cpuUs() % TICKS,
    };
  }

  untilDone(promise) {
    return promise;
  }
}
