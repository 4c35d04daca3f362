// Runs one job on the real MicroPython VM: node runner.mjs < job.json
//
// A job is {vm, clock, seed, heap, folders: {path in the VM: path here}, files: {path in the VM: text}, path: [...],
// net, broker, main, wall_s}. `main` is MicroPython with top-level await; `broker` is a process that it may freeze. What
// the VM prints goes to stdout as it is; a job that fails tells why on stderr and ends with 1. See docs/decisions/0018-firmware-on-the-real-vm.md.
import fs from "node:fs";
import path from "node:path";
import { BlockingSocket } from "./blocking.mjs";
import { Bridge } from "./bridge.mjs";
import { RealClock, VirtualClock } from "./clock.mjs";

const BASIC_HEAP = 4 << 20;
const POOL = [
  [32, 256],
  [1024, 16],
]; // bytes, and how many
const SMALLEST_HOLE = 2048; // bytes: what is left to the VM's own calls, and of no use to its heap

function random32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

function seedChance(seed) {
  const next = random32(seed);
  globalThis.crypto.getRandomValues = (view) => {
    for (let k = 0; k < view.length; k++) view[k] = next();
    return view;
  };
}

function makeFolder(FS, folder) {
  let made = "";
  for (const part of folder.split("/").filter(Boolean)) {
    made += `/${part}`;
    if (!FS.analyzePath(made).exists) FS.mkdir(made);
  }
}

function copyFolder(FS, from, to) {
  makeFolder(FS, to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === "__pycache__") continue;
    const source = path.join(from, entry.name);
    if (entry.isDirectory()) copyFolder(FS, source, `${to}/${entry.name}`);
    else if (/\.m?py$/.test(entry.name)) FS.writeFile(`${to}/${entry.name}`, fs.readFileSync(source));
  }
}

// At each of its calls through a table this build of the VM asserts that the table still says what it said, and asking a
// WebAssembly.Table is slow: a fifth of all time went into it. There is one table in this process, so we remember it.
function rememberFunctions() {
  const table = WebAssembly.Table.prototype;
  const { get, set } = table;
  const known = [];
  table.get = function (k) {
    return (known[k] ??= get.call(this, k));
  };
  table.set = function (k, called) {
    known[k] = undefined;
    set.call(this, k, called);
  };
}

async function load(job) {
  const { loadMicroPython } = await import(`./node_modules/micropython-${job.vm}/micropython.mjs`);
  const write = (line) => fs.writeSync(1, `${line}\n`);
  return loadMicroPython({ heapsize: job.heap ?? BASIC_HEAP, pystack: 8192, stdout: write, linebuffer: true });
}

// What the VM's own calls between its two languages ask of its memory, from a pool of their own.
class Pool {
  constructor(module) {
    this.slots = new Map(POOL.map(([size, n]) => [size, Array.from({ length: n }, () => module._malloc(size))]));
    this.sizes = new Map([...this.slots].flatMap(([size, free]) => free.map((at) => [at, size])));
  }

  take(wanted) {
    const free = [...this.slots].find(([size, slots]) => size >= wanted && slots.length > 0)?.[1];
    if (free === undefined) throw new Error(`the pool has no slot for ${wanted} bytes`);
    return free.pop();
  }

  give(at) {
    this.slots.get(this.sizes.get(at))?.push(at);
  }
}

// Leaves the VM the heap it has: where it would grow it meets a MemoryError, as a board does.
function holdHeap(mp) {
  const module = mp._module;
  const pool = new Pool(module);
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("the heap is held");
  };
  for (let size = 1 << 24; size >= SMALLEST_HOLE; size >>= 1) while (module._malloc(size) !== 0);
  module._malloc = (size) => pool.take(size);
  module._free = (at) => pool.give(at);
}

// The process of a broker: frozen it takes connections and bytes, and answers nothing.
class Broker {
  constructor(pid) {
    this.pid = pid;
    this.frozen = false;
  }

  forTheVm() {
    return {
      freeze: () => this.signal("SIGSTOP", true),
      thaw: () => this.signal("SIGCONT", false),
    };
  }

  signal(name, frozen) {
    process.kill(this.pid, name);
    this.frozen = frozen;
  }
}

function furnish(mp, job) {
  for (const [to, from] of Object.entries(job.folders ?? {})) copyFolder(mp.FS, from, to);
  for (const [to, text] of Object.entries(job.files ?? {})) {
    makeFolder(mp.FS, path.posix.dirname(to));
    mp.FS.writeFile(to, text);
  }
  const added = JSON.stringify((job.path ?? []).slice().reverse());
  mp.runPython(`import sys\nfor folder in ${added}:\n    sys.path.insert(0, folder)\n`);
}

async function run(job) {
  const clock = job.clock === "real" ? new RealClock() : new VirtualClock();
  seedChance(job.seed ?? 1);
  clock.install();
  rememberFunctions();
  const mp = await load(job);
  mp.registerJsModule("host_clock", clock.forTheVm());
  mp.registerJsModule("host_heap", {
    hold: () => holdHeap(mp),
    wall_us: () => Math.round(performance.now() * 1000),
  });
  const bridge = new Bridge(mp._module);
  const broker = new Broker(job.broker);
  if (job.net) mp.registerJsModule("host_net", bridge.forTheVm());
  if (job.broker) mp.registerJsModule("host_broker", broker.forTheVm());
  if (job.net === "blocking") mp.registerJsModule("host_socket", new BlockingSocket().forTheVm());
  furnish(mp, job);
  await clock.untilDone(mp.runPythonAsync(job.main), () => !broker.frozen && bridge.waits());
}

const job = JSON.parse(fs.readFileSync(0, "utf8"));
run(job).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error?.message ?? error}\n`);
    process.exit(1);
  },
);
