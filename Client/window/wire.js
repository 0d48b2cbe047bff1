// The page's connection, which a person may break: it counts bytes, and can be offline, slow or damaged.

import { websocket } from "../js/src/websocket.js";

/** @typedef {import("../js/src/websocket.js").Transport} Transport */
/** @typedef {import("../js/src/websocket.js").Listener} Listener */
/** @typedef {import("../js/src/websocket.js").Connection} Connection */
/** @typedef {"online" | "offline" | "slow"} Mode */

/** Bytes a second of a slow connection, and milliseconds between its pieces. */
const SLOW_BYTES = 1024;
const SLOW_PAUSE = 100;

export class Wire {
  received = 0;
  sent = 0;
  /** Connections so far. */
  opened = 0;
  /** @type {Mode} */ #mode = "online";
  /** Whether the next message that comes is damaged. */
  #damages = false;
  /** @type {{listener: Listener, connection: Connection, waiting: Uint8Array[], timer: number} | null} */
  #open = null;

  /** @param {() => void} changed Called when a figure or the mode has changed.
   * @param {(words: string) => void} tell Called with what is done to the connection. */
  constructor(changed, tell) {
    this.changed = changed;
    this.tell = tell;
  }

  get mode() { return this.#mode; }

  /** @param {Mode} mode */
  set mode(mode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === "offline") this.#cut();
    if (mode === "online") this.#deliver(Infinity);
    this.changed();
  }

  /** Flips a byte of the next message that comes. */
  damage() {
    this.#damages = true;
  }

  /** @type {Transport} */
  transport = (url, listener) => {
    if (this.#mode === "offline") {
      setTimeout(() => listener.close("this page is offline"));
      return { send() {}, close() {}, buffered: () => 0 };
    }
    const connection = websocket(url, {
      open: () => {
        this.opened += 1;
        listener.open();
      },
      data: (bytes) => this.#take(bytes, listener),
      close: (cause) => {
        this.#forget();
        listener.close(cause);
      },
    });
    this.#open = { listener, connection, waiting: [], timer: 0 };
    return {
      send: (bytes) => {
        this.sent += bytes.length;
        connection.send(bytes);
        this.changed();
      },
      close: () => {
        this.#forget();
        connection.close();
      },
      buffered: connection.buffered,
    };
  };

  /** @param {Uint8Array} bytes @param {Listener} listener */
  #take(bytes, listener) {
    this.received += bytes.length;
    this.changed();
    if (this.#damages) {
      this.#damages = false;
      bytes = bytes.slice();
      bytes[bytes.length - 1] ^= 0x10;
      this.tell(`A byte of the last ${bytes.length} received is flipped`);
    }
    if (this.#mode !== "slow" || !this.#open) return listener.data(bytes);
    this.#open.waiting.push(bytes);
    this.#schedule();
  }

  #schedule() {
    const open = this.#open;
    if (!open || open.timer || !open.waiting.length) return;
    open.timer = setTimeout(() => {
      open.timer = 0;
      if (open !== this.#open) return;
      this.#deliver((SLOW_BYTES * SLOW_PAUSE) / 1000);
      this.#schedule();
    }, SLOW_PAUSE);
  }

  /** Passes on what waits, as pieces: the protocol's frames don't begin where messages do.
   * @param {number} most */
  #deliver(most) {
    const open = this.#open;
    while (open && open === this.#open && open.waiting.length && most > 0) {
      const [first] = open.waiting;
      const piece = first.subarray(0, most);
      most -= piece.length;
      if (piece.length === first.length) open.waiting.shift();
      else open.waiting[0] = first.subarray(piece.length);
      open.listener.data(piece);
    }
  }

  #cut() {
    const open = this.#open;
    this.#forget();
    open?.connection.close();
    open?.listener.close("this page is offline");
  }

  #forget() {
    if (this.#open) clearTimeout(this.#open.timer);
    this.#open = null;
  }
}
