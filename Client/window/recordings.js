// The recording of a device: begun and ended by its button, and then a file. The recorder is loaded when it is needed.

import { bytesText, counted, make } from "./dom.js";
import { drawRecording, heights, wordsOf } from "./stage.js";

/** @typedef {import("./stage.js").Shown} Shown */

/** Milliseconds between two looks at how long it is. */
const PAUSE = 500;

export class Recordings {
  /** The device being recorded.
   * @type {{shown: Shown, recorder: import("./recorder.js").Recorder, timer: number} | null} */
  #open = null;
  /** The address of the last file. */
  #file = "";

  /** @param {HTMLElement} note @param {(words: string) => void} say
   * @param {() => string} preview What devices show if it isn't live, in words. */
  constructor(note, say, preview) {
    this.note = note;
    this.say = say;
    this.preview = preview;
  }

  /** Begins to record a device, or ends that. One is recorded at a time.
   * @param {Shown} shown */
  async toggle(shown) {
    const isIt = this.#open?.shown === shown;
    await this.end();
    if (isIt) return;
    const { Recorder, MAX_MILLISECONDS, MAX_CHARACTERS } = await import("./recorder.js");
    if (this.#open) return;
    const { device, element } = shown;
    const height = heights.get(device.width) ?? 844;
    const words = [`${device.width} × ${height}`, wordsOf(device), this.preview()].filter(Boolean).join(", ");
    const bound = `It ends by itself after ${MAX_MILLISECONDS / 60_000} minutes or ${bytesText(MAX_CHARACTERS)}.`;
    const recorder = new Recorder(element, { ...device, height, words }, () => void this.end());
    const draw = () => {
      if (recorder.isFull || !element.isConnected) return void this.end();
      const { milliseconds, states, characters } = recorder.extent;
      this.note.textContent = `Recording ${words}: ${Math.floor(milliseconds / 1000)} s, ` +
        `${counted(Math.max(0, states - 1), "change")}, ${bytesText(characters)}. ${bound}`;
    };
    this.#open = { shown, recorder, timer: setInterval(draw, PAUSE) };
    drawRecording(shown, true);
    this.say(`Recording ${words}. ${bound}`);
    draw();
  }

  /** Ends the recording, and offers it as a file. */
  async end() {
    if (!this.#open) return;
    const { shown, recorder, timer } = this.#open;
    this.#open = null;
    clearInterval(timer);
    drawRecording(shown, false);
    try {
      const { name, file } = await recorder.end();
      URL.revokeObjectURL(this.#file);
      this.#file = URL.createObjectURL(file);
      const link = make("a", { href: this.#file, download: name }, name);
      this.note.replaceChildren("The recording was saved as ", link,
        `, ${bytesText(file.size)}. It plays without a server.`);
      this.say(`The recording was saved as ${name}`);
      link.click();
    } catch (error) {
      this.note.textContent = `The recording can't be made a file: ${/** @type {Error} */ (error).message}`;
    }
  }
}
