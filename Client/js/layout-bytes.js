// Decodes the `Layout` message of marquee.proto, for clients that leave a layout encoded.

/** @typedef {import("./layout.js").Layout} Layout */

/** A field: its name and its type, which is u (uint32), b (bool), d (double), s (string) or a message; `*` marks a
 * repeated field.
 * @typedef {[string, string]} Field */

/** @type {Record<string, Record<number, Field>>} */
const MESSAGES = {
  Dimension: { 1: ["unit", "u"], 2: ["value", "d"] },
  Insets: { 1: ["top", "d"], 2: ["leading", "d"], 3: ["bottom", "d"], 4: ["trailing", "d"] },
  Spacing: { 1: ["points", "d"], 2: ["flexible", "b"] },
  EdgeSpacing: {
    1: ["top", "Spacing"], 2: ["leading", "Spacing"], 3: ["bottom", "Spacing"], 4: ["trailing", "Spacing"],
  },
  Anchor: { 1: ["edges", "u"], 2: ["x", "d"], 3: ["y", "d"], 4: ["fractional", "b"] },
  Supplementary: {
    1: ["kind", "s"], 2: ["width", "Dimension"], 3: ["height", "Dimension"], 4: ["anchor", "Anchor"],
    5: ["insets", "Insets"], 6: ["pinned", "b"], 7: ["zIndex", "d"],
  },
  LayoutNode: {
    1: ["type", "u"], 2: ["width", "Dimension"], 3: ["height", "Dimension"], 4: ["insets", "Insets"],
    5: ["spacing", "d"], 6: ["count", "u"], 7: ["children", "u*"], 8: ["badges", "Supplementary*"],
    9: ["flexibleSpacing", "b"], 10: ["edgeSpacing", "EdgeSpacing"],
  },
  Layout: {
    1: ["nodes", "LayoutNode*"], 2: ["insets", "Insets"], 3: ["spacing", "d"], 4: ["scrolling", "u"],
    5: ["supplementaries", "Supplementary*"], 6: ["decoration", "s"], 7: ["decorationInsets", "Insets"],
    8: ["decorationZIndex", "d"], 9: ["insetsReference", "u"],
  },
};

/** Maximum number of fields read in a layout, nested ones included. No valid layout has more. */
const ELEMENTS = 16384;
/** Maximum number of bytes in a varint. */
const VARINT = 10;

class Malformed extends Error {}

/**
 * The layout; `null` if the bytes aren't one.
 * @param {Uint8Array} bytes
 * @returns {Layout | null}
 */
export function layoutOfBytes(bytes) {
  try {
    return new Reader(bytes).message("Layout", bytes.length);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

class Reader {
  #index = 0;
  #elements = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * @param {string} name @param {number} end
   * @returns {any}
   */
  message(name, end) {
    /** @type {Record<string, any>} */
    const message = {};
    while (this.#index < end) {
      const tag = this.#varint(end);
      const field = MESSAGES[name][Math.floor(tag / 8)];
      if (field) this.#field(message, field, tag % 8, end);
      else this.#skip(tag % 8, end);
    }
    return message;
  }

  /** @param {Record<string, any>} message @param {Field} field @param {number} wire @param {number} end */
  #field(message, [name, type], wire, end) {
    this.#elements += 1;
    if (this.#elements > ELEMENTS) throw new Malformed();
    if (!type.endsWith("*")) {
      message[name] = this.#value(type, wire, end);
      return;
    }
    const list = (message[name] ??= []);
    if (type !== "u*" || wire === 0) {
      list.push(this.#value(type.slice(0, -1), wire, end));
      return;
    }
    const stop = this.#length(wire, end);
    while (this.#index < stop) list.push(this.#value("u", 0, stop));
  }

  /** @param {string} type @param {number} wire @param {number} end */
  #value(type, wire, end) {
    if (type === "u" || type === "b") {
      if (wire !== 0) throw new Malformed();
      const number = this.#varint(end);
      // Protobuf truncates a number that doesn't fit into a uint32.
      return type === "b" ? number !== 0 : number % 2 ** 32;
    }
    if (type === "d") {
      if (wire !== 1 || this.#index + 8 > end) throw new Malformed();
      this.#index += 8;
      return this.view.getFloat64(this.#index - 8, true);
    }
    const stop = this.#length(wire, end);
    if (type !== "s") return this.message(type, stop);
    const text = new TextDecoder().decode(this.bytes.subarray(this.#index, stop));
    this.#index = stop;
    return text;
  }

  /**
   * Reads a length, and returns where the value that follows ends.
   * @param {number} wire @param {number} end
   */
  #length(wire, end) {
    if (wire !== 2) throw new Malformed();
    const stop = this.#varint(end) + this.#index;
    if (stop > end) throw new Malformed();
    return stop;
  }

  /** @param {number} end */
  #varint(end) {
    let value = 0;
    for (let index = 0; index < VARINT && this.#index < end; index += 1) {
      const byte = this.bytes[this.#index];
      this.#index += 1;
      value += (byte & 127) * 128 ** index;
      if (byte < 128) return value;
    }
    throw new Malformed();
  }

  /** @param {number} wire @param {number} end */
  #skip(wire, end) {
    if (wire === 0) this.#varint(end);
    else if (wire === 1) this.#index += 8;
    else if (wire === 5) this.#index += 4;
    else this.#index = this.#length(wire, end);
    if (this.#index > end) throw new Malformed();
  }
}
