// The real MicroPython VM behind the raw REPL of a board: node board_of_vm.mjs VERSION, bytes in and out.
//
// What a board does and the VM lacks is stood in for here: the raw REPL itself (the VM's own stops its clock), a soft
// reset (the files stay, the modules go), and `asyncio.run`. Time is virtual, so that a scenario takes a moment.
import { VirtualClock } from "../micropython/clock.mjs";

const VERSION = process.argv[2];
const PROMPT = "raw REPL; CTRL-B to exit\r\n>";
const HEAP = 16 << 20;
const WINDOW = 8192;
const [CTRL_A, CTRL_B, CTRL_C, CTRL_D, CTRL_E] = [1, 2, 3, 4, 5];

const say = (text) => process.stdout.write(text);
const clock = new VirtualClock();
clock.install();
const { loadMicroPython } = await import(`../micropython/node_modules/micropython-${VERSION}/micropython.mjs`);
const mp = await loadMicroPython({ heapsize: HEAP, pystack: 8192, stdout: (data) => say(data), linebuffer: false });
mp.registerJsModule("host_clock", clock.forTheVm());
mp.FS.mkdir("/vm");
mp.FS.writeFile("/vm/time.py", process.env.VM_TIME);
mp.runPython("import sys\npath = list(sys.path)\nkept = list(sys.modules)");

function softReset() {
  clock.timers.heap = []; // nothing of an earlier program goes on
  mp.runPython(
    "import sys\nfor name in list(sys.modules):\n    if name not in kept:\n        del sys.modules[name]\nsys.path[:] = ['/vm'] + path",
  );
}

async function execute(code) {
  let complaint = "";
  try {
    await clock.untilDone(mp.runPythonAsync(code.replaceAll("asyncio.run(", "await (")));
  } catch (error) {
    complaint = String(error.message ?? error);
  }
  say(`\x04${complaint}\x04>`);
}

let raw = false;
let asked = ""; // the question whether we take a raw paste: CTRL_E, A, CTRL_A
let pasting = false;
let typed = [];

async function hear(byte) {
  if (asked) {
    asked += String.fromCharCode(byte);
    if (asked.length === 3) {
      asked = "";
      pasting = true;
      process.stdout.write(Buffer.from([82, 1, WINDOW & 255, WINDOW >> 8])); // yes, and this much at a time
    }
  } else if (pasting && byte === CTRL_D) {
    pasting = false;
    say("\x04");
    await execute(taken());
  } else if (pasting) {
    typed.push(byte);
    if (typed.length % WINDOW === 0) say("\x01");
  } else if (byte === CTRL_C) typed = [];
  else if (byte === CTRL_A) {
    raw = true;
    typed = [];
    say(PROMPT);
  } else if (!raw) return;
  else if (byte === CTRL_B) raw = false;
  else if (byte === CTRL_E && typed.length === 0) asked = "E";
  else if (byte !== CTRL_D) typed.push(byte);
  else if (typed.length === 0) {
    say("OK\r\nMPY: soft reboot\r\n");
    softReset();
    say(PROMPT);
  } else {
    say("OK");
    await execute(taken());
  }
}

function taken() {
  const code = new TextDecoder().decode(new Uint8Array(typed));
  typed = [];
  return code;
}

let turn = Promise.resolve();
process.stdin.on("data", (data) => {
  for (const byte of data) turn = turn.then(() => hear(byte));
});
process.stdin.on("end", () => turn.then(() => process.exit(0)));
