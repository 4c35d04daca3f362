// Plays cues and speaks sentences. A browser may want a tap before a page is heard.

import type { Language } from "../lib/languages";
import { NOTES, type Cue } from "./cues";

const LOUDNESS = 0.15;
const SOFT_S = 0.02; // a note that begins or ends at once clicks

export class Player {
  #context = new AudioContext();

  /** Report whether the browser lets this page be heard. */
  get allowed(): boolean {
    return this.#context.state === "running";
  }

  /** Ask the browser for leave, at a tap. */
  async allow(): Promise<void> {
    await this.#context.resume();
  }

  play(cue: Cue): void {
    for (const [hertz, from_ms, ms] of NOTES[cue]) {
      const [from, to] = [this.#context.currentTime + from_ms / 1000, this.#context.currentTime + (from_ms + ms) / 1000];
      const note = new OscillatorNode(this.#context, { type: "triangle", frequency: hertz });
      const loud = new GainNode(this.#context, { gain: 0 });
      loud.gain.setValueAtTime(0, from);
      loud.gain.linearRampToValueAtTime(LOUDNESS, from + SOFT_S);
      loud.gain.setValueAtTime(LOUDNESS, to - SOFT_S);
      loud.gain.linearRampToValueAtTime(0, to);
      note.connect(loud).connect(this.#context.destination);
      note.start(from);
      note.stop(to);
    }
  }

  /** Speak a sentence, in place of one that is still being spoken. */
  say(text: string, language: Language): void {
    speechSynthesis.cancel();
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: language }));
  }

  /** Be silent at once. */
  stop(): void {
    speechSynthesis.cancel();
    void this.#context.close();
  }
}
