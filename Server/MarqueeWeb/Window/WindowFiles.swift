// Made by Tools/embed-window, by `make generate`, of Client/window and Client/js. Don't edit it.
// swift-format-ignore-file

/// The files that the window consists of, by their paths below `Client`.
enum WindowFiles {
    static let all: [String: StaticString] = [
"js/layout-bytes.js": ###"""
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

"""###,
"js/layout.js": ###"""
// The layout engine: computes frames from a section's layout, the size of the screen and a number of items.
//
// It follows the rules of Docs/layout.md, like MarqueeLayout in the Swift package, and does the same arithmetic in the
// same order, so both give the same numbers to the last bit. The test vectors in Proto/vectors/layout ensure that.
//
// All numbers are points. The origin is the section's top left, x grows to the right and y downwards. In a section that
// scrolls sideways, item frames are relative to its whole content; an item appears at its frame's x minus the offset.

/**
 * A layout as protobuf's JSON mapping writes `Layout` of marquee.proto. Missing numbers count as 0.
 * @typedef {{unit?: number, value?: number}} Dimension 1 fraction of width, 2 of height, 3 absolute, 4 estimated.
 * @typedef {{top?: number, leading?: number, bottom?: number, trailing?: number}} Insets
 * @typedef {{points?: number, flexible?: boolean}} Spacing
 * @typedef {{top?: Spacing, leading?: Spacing, bottom?: Spacing, trailing?: Spacing}} EdgeSpacing
 * @typedef {{edges?: number, x?: number, y?: number, fractional?: boolean}} Anchor Edges: 1 top, 2 leading, 4 bottom,
 *   8 trailing.
 * @typedef {{kind?: string, width?: Dimension, height?: Dimension, anchor?: Anchor, insets?: Insets, pinned?: boolean,
 *   zIndex?: number}} Supplementary
 * @typedef {{type?: number, width?: Dimension, height?: Dimension, insets?: Insets, spacing?: number, count?: number,
 *   children?: number[], badges?: Supplementary[], flexibleSpacing?: boolean, edgeSpacing?: EdgeSpacing}} LayoutNode
 *   1 item, 2 horizontal group, 3 vertical group.
 * @typedef {{nodes?: LayoutNode[], insets?: Insets, spacing?: number, scrolling?: number,
 *   supplementaries?: Supplementary[], decoration?: string, decorationInsets?: Insets, decorationZIndex?: number,
 *   insetsReference?: number}} Layout
 */

/**
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number, width: number, height: number}} Rect
 * @typedef {{kind: string, frame: Rect, depth: number}} PlacedView A header, footer, side view, badge or background.
 *   Views of greater depth are further in front; items have depth 0.
 * @typedef {{edge: "top" | "bottom", before: number, behind: number}} Pin
 * @typedef {{section: number, item: number}} ItemPosition
 * @typedef {{safeArea?: Insets, layoutMargins?: Insets, readableContent?: Insets}} Surroundings The insets of
 *   those areas of the screen from which a section's insets may be measured.
 * @typedef {Map<number, Size>} Sizes Sizes of rendered content, by index.
 * @typedef {{measured?: Sizes, measuredSupplementaries?: Sizes, rightToLeft?: boolean, surroundings?: Surroundings}}
 *   SectionOptions
 */

/**
 * @typedef {0 | 1} Axis 0 horizontal, 1 vertical.
 * @typedef {[number, number]} Pair A width and a height, by axis.
 * @typedef {{top: number, leading: number, bottom: number, trailing: number}} Sides
 * @typedef {{unit: number, value: number}} Length
 * @typedef {{points: number, flexible: boolean}} Gap
 * @typedef {[Gap, Gap, Gap, Gap]} Edges Leading, top, trailing and bottom: start and end by axis.
 * @typedef {{kind: string, sides: [Length, Length], edges: number, x: number, y: number, fractional: boolean,
 *   insets: Sides, pinned: boolean, depth: number}} View
 * @typedef {{sides: [Length, Length], insets: Sides, edges: Edges, badges: View[], axis: Axis, spacing: Gap,
 *   count: number | undefined, children: Element[] | null}} Element An item has no children.
 * @typedef {{frame: Rect, badges: View[]}} Slot
 * @typedef {{size: Pair, slots: Slot[], placements: number}} Group
 * @typedef {{size: Pair, estimated: Pair, slots: Slot[], measured: [boolean, boolean]}} Placement
 * @typedef {{from: number, to: number, flexibleBefore: number, breadth: number, edges: Edges}} Placed
 */

/** Limits on layout. Layouts come from servers, so the limits hold for any layout. */
export const LayoutLimits = Object.freeze({
  /** Items laid out in one section. Any further items have no frame. */
  items: 65536,
  /** Points of a dimension, inset, spacing or offset. Larger values are clamped. */
  points: 1e6,
  /** Copies of one child in a group with a count. */
  count: 1024,
  /** Nodes of a layout, counted in preorder. Any further nodes are left out. */
  nodes: 64,
  /** Groups and items placed inside one group of the section; as many may be placed a second time. */
  placements: 4096,
  /** Groups and items placed for all of a section's groups with measured items. */
  measuredPlacements: 524288,
  /** Supplementaries laid out per section, and badges per item. */
  supplementaries: 64,
  /** Page stops per section. */
  stops: 65536,
  /** Points by which an element may exceed the space left in its group. */
  fitTolerance: 0.001,
  /** The largest and, negated, the smallest z-index. */
  zIndex: 1e6,
});

const FRACTION_OF_WIDTH = 1;
const FRACTION_OF_HEIGHT = 2;
const ABSOLUTE = 3;
const ESTIMATED = 4;
const ITEM = 1;
const HORIZONTAL_GROUP = 2;
const VERTICAL_GROUP = 3;
const TOP = 1;
const LEADING = 2;
const BOTTOM = 4;
const TRAILING = 8;
/** The depth of views without a z-index: in front of items, or behind everything for a background. */
const FRONT = 1;
const BEHIND_ALL = -Infinity;

/** How a section scrolls sideways: `scrolling` of a layout. */
export const Scrolling = Object.freeze({
  none: 0, continuous: 1, continuousGroupLeadingBoundary: 2, paging: 3, groupPaging: 4, groupPagingCentered: 5,
});

// These treat −0 and 0 like Swift's `max` and `min`; `Math.max` and `Math.min` don't.
/** @param {number} a @param {number} b */
const max = (a, b) => (b >= a ? b : a);
/** @param {number} a @param {number} b */
const min = (a, b) => (b < a ? b : a);

/** A valid dimension or spacing: negative and non-finite values become 0, large ones are clamped.
 * @param {number} points */
const extent = (points) => (Number.isFinite(points) ? min(max(points, 0), LayoutLimits.points) : 0);

/** A valid inset or offset: non-finite values become 0, large ones are clamped.
 * @param {number} points */
const shift = (points) =>
  Number.isFinite(points) ? min(max(points, -LayoutLimits.points), LayoutLimits.points) : 0;

/** A valid number of items.
 * @param {number} count */
const countOf = (count) => (count > 0 ? min(Math.floor(count), LayoutLimits.items) : 0);

/** @param {Axis} axis @returns {Axis} */
const otherAxis = (axis) => (axis === 0 ? 1 : 0);

// ---------------------------------------------------------------- rectangles

/** @param {number} x @param {number} y @param {number} width @param {number} height @returns {Rect} */
const rect = (x, y, width, height) => ({ x, y, width, height });

/** @param {Rect} r @param {number} x @param {number} y */
const moved = (r, x, y) => rect(r.x + x, r.y + y, r.width, r.height);

/** The rectangle mirrored in a space of `width`.
 * @param {Rect} r @param {number} width */
const mirrored = (r, width) => rect(width - r.x - r.width, r.y, r.width, r.height);

/** The size that remains inside the insets, at least 0.
 * @param {Pair} size @param {Sides} insets @returns {Pair} */
const insetSize = ([width, height], insets) => [
  max(0, width - insets.leading - insets.trailing), max(0, height - insets.top - insets.bottom),
];

/** @param {Rect} r @param {Sides} insets */
function insetRect(r, insets) {
  const [width, height] = insetSize([r.width, r.height], insets);
  return rect(r.x + insets.leading, r.y + insets.top, width, height);
}

/** Whether the two overlap; rectangles that only touch don't.
 * @param {Rect} a @param {Rect} b */
export const intersects = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// ---------------------------------------------------------------- layouts, clamped to the limits

/** @param {Dimension | undefined} dimension @returns {Length} */
const length = (dimension) => ({ unit: dimension?.unit ?? ABSOLUTE, value: dimension?.value ?? 0 });

/** @param {Insets | undefined} insets @returns {Sides} */
const sides = (insets) => ({
  top: shift(insets?.top ?? 0), leading: shift(insets?.leading ?? 0), bottom: shift(insets?.bottom ?? 0),
  trailing: shift(insets?.trailing ?? 0),
});

/** @param {number | undefined} points @param {boolean | undefined} flexible @returns {Gap} */
const gap = (points, flexible) => ({ points: extent(points ?? 0), flexible: flexible === true });

/** @param {EdgeSpacing | undefined} edges @returns {Edges} */
const edgeSpacing = (edges) => [
  gap(edges?.leading?.points, edges?.leading?.flexible), gap(edges?.top?.points, edges?.top?.flexible),
  gap(edges?.trailing?.points, edges?.trailing?.flexible), gap(edges?.bottom?.points, edges?.bottom?.flexible),
];

/** @param {Edges} edges @param {Axis} axis */
const startOf = (edges, axis) => edges[axis];
/** @param {Edges} edges @param {Axis} axis */
const endOf = (edges, axis) => edges[axis + 2];
/** The minimum points that both edges along an axis take up.
 * @param {Edges} edges @param {Axis} axis */
const leastOf = (edges, axis) => edges[axis].points + edges[axis + 2].points;

/** @param {number | undefined} index @param {number} fallback @returns {number} */
const depth = (index, fallback) =>
  index === undefined || Number.isNaN(index)
    ? fallback : Math.trunc(min(max(index, -LayoutLimits.zIndex), LayoutLimits.zIndex)) + 0;

/** @param {Supplementary} view @returns {View} */
const boundedView = (view) => ({
  kind: view.kind ?? "", sides: [length(view.width), length(view.height)], edges: view.anchor?.edges ?? 0,
  x: shift(view.anchor?.x ?? 0), y: shift(view.anchor?.y ?? 0), fractional: view.anchor?.fractional === true,
  insets: sides(view.insets), pinned: view.pinned === true, depth: depth(view.zIndex, FRONT),
});

/** @param {Supplementary[] | undefined} views */
const boundedViews = (views) => (views ?? []).slice(0, LayoutLimits.supplementaries).map(boundedView);

/** @returns {Element} An item that fills its group: the content of a group without children. */
const fillingItem = () => bounded([{
  type: ITEM, width: { unit: FRACTION_OF_WIDTH, value: 1 }, height: { unit: FRACTION_OF_HEIGHT, value: 1 },
}], 0, { nodes: 1 });

/**
 * The tree below a node. Only children that come after their parents count, so the recursion ends.
 * @param {LayoutNode[]} nodes @param {number} index @param {{nodes: number}} room @returns {Element}
 */
function bounded(nodes, index, room) {
  room.nodes -= 1;
  const node = nodes[index] ?? {};
  const isGroup = node.type === HORIZONTAL_GROUP || node.type === VERTICAL_GROUP;
  /** @type {Element} */
  const element = {
    sides: [length(node.width), length(node.height)], insets: sides(node.insets),
    edges: edgeSpacing(node.edgeSpacing), badges: boundedViews(isGroup ? [] : node.badges),
    axis: node.type === VERTICAL_GROUP ? 1 : 0, spacing: gap(node.spacing, node.flexibleSpacing),
    count: isGroup && node.count !== undefined ? min(max(node.count, 1), LayoutLimits.count) : undefined,
    children: null,
  };
  if (!isGroup) return element;
  const children = [];
  const listed = (node.children ?? []).slice(0, element.count === undefined ? LayoutLimits.nodes : 1);
  for (const child of listed) {
    if (room.nodes > 0 && child > index && child < nodes.length) children.push(bounded(nodes, child, room));
  }
  element.children = children.length > 0 ? children : [fillingItem()];
  return element;
}

/** Whether any item's size is an estimate, which measuring would replace.
 * @param {Element} element @returns {boolean} */
const hasEstimatedItem = (element) =>
  element.children ? element.children.some(hasEstimatedItem) : element.sides.some(isEstimated);

/**
 * The reason why a server's layout can't be used; `null` if it can. A section with an unusable layout is shown as if it
 * had none. The engine computes frames for any layout, but those of an unusable one are meaningless.
 * @param {Layout} layout
 * @returns {string | null}
 */
export function layoutProblem(layout) {
  const nodes = layout.nodes ?? [];
  if (nodes.length === 0 || nodes.length > LayoutLimits.nodes) return `a layout has ${nodes.length} nodes`;
  if (nodes[0].type === ITEM) return "the first node isn't a group";
  const parents = nodes.map(() => 0);
  for (const [index, node] of nodes.entries()) {
    const problem = nodeProblem(node);
    if (problem) return `node ${index}: ${problem}`;
    for (const child of node.children ?? []) {
      if (!(child > index && child < nodes.length)) return `node ${index} has the child ${child}`;
      parents[child] += 1;
    }
  }
  const misplaced = parents.findIndex((count, index) => count !== (index === 0 ? 0 : 1));
  if (misplaced >= 0) return `node ${misplaced} has ${parents[misplaced]} parents`;
  return (layout.supplementaries ?? []).map(viewProblem).find((problem) => problem) ?? null;
}

/** @param {LayoutNode} node @returns {string | null} */
function nodeProblem(node) {
  const children = node.children?.length ?? 0;
  const isGroup = node.type === HORIZONTAL_GROUP || node.type === VERTICAL_GROUP;
  if (!isGroup && node.type !== ITEM) return `there is no type ${node.type}`;
  if (isGroup && children === 0) return "a group has no children";
  if (!isGroup && children > 0) return "an item has children";
  if (isGroup && node.count !== undefined && !(node.count >= 1 && node.count <= LayoutLimits.count && children === 1)) {
    return `a group has ${children} children and a count of ${node.count}`;
  }
  return viewProblem(node) ?? (node.badges ?? []).map(viewProblem).find((problem) => problem) ?? null;
}

/** @param {{width?: Dimension, height?: Dimension}} view @returns {string | null} */
const viewProblem = (view) => (isKnown(view.width) && isKnown(view.height) ? null : "a width or height is missing");

/** @param {Dimension | undefined} dimension */
const isKnown = (dimension) =>
  dimension?.value !== undefined && Number(dimension.unit) >= FRACTION_OF_WIDTH && Number(dimension.unit) <= ESTIMATED;

// ---------------------------------------------------------------- dimensions

/** A dimension in points. An estimate counts as its value.
 * @param {Length} dimension @param {Pair} container */
function points(dimension, container) {
  switch (dimension.unit) {
    case FRACTION_OF_WIDTH: return extent(dimension.value * container[0]);
    case FRACTION_OF_HEIGHT: return extent(dimension.value * container[1]);
    default: return extent(dimension.value);
  }
}

/** @param {Length} dimension */
const isEstimated = (dimension) => dimension.unit === ESTIMATED;

/** @param {[Length, Length]} dimensions @param {Pair} container @returns {Pair} */
const sizeIn = (dimensions, container) => [points(dimensions[0], container), points(dimensions[1], container)];

/** The insets that apply: they are ignored along an estimated dimension.
 * @param {[Length, Length]} dimensions
 * @param {Sides} insets @returns {Sides} */
function applied(dimensions, insets) {
  const [alongX, alongY] = [!isEstimated(dimensions[0]), !isEstimated(dimensions[1])];
  return {
    top: alongY ? insets.top : 0, leading: alongX ? insets.leading : 0, bottom: alongY ? insets.bottom : 0,
    trailing: alongX ? insets.trailing : 0,
  };
}

// ---------------------------------------------------------------- anchored views

/** Where a view starts within `available`. Without edges, or with opposite ones, it is centred.
 * @param {number} edges @param {number} start @param {number} end @param {number} size @param {number} available */
function anchored(edges, start, end, size, available) {
  const [atStart, atEnd] = [(edges & start) !== 0, (edges & end) !== 0];
  if (atStart === atEnd) return (available - size) / 2;
  return atStart ? 0 : available - size;
}

/** @param {View} view @param {number} x @param {number} y @param {Pair} size */
function viewFrame(view, x, y, size) {
  const [byX, byY] = view.fractional ? [view.x * size[0], view.y * size[1]] : [view.x, view.y];
  return insetRect(rect(x + byX, y + byY, size[0], size[1]), applied(view.sides, view.insets));
}

/** @param {View} badge @param {Rect} item */
function badgeFrame(badge, item) {
  const size = sizeIn(badge.sides, [item.width, item.height]);
  const x = anchored(badge.edges, LEADING, TRAILING, size[0], item.width);
  const y = anchored(badge.edges, TOP, BOTTOM, size[1], item.height);
  return viewFrame(badge, item.x + x, item.y + y, size);
}

/** The band of a view: −1 at the top, 0 at a side, 1 at the bottom.
 * @param {View} view */
const bandOf = (view) => {
  const [top, bottom] = [(view.edges & TOP) !== 0, (view.edges & BOTTOM) !== 0];
  return top === bottom ? 0 : top ? -1 : 1;
};

// ---------------------------------------------------------------- one group

/** The children of a group, placed with flexible spacings at their minimum. */
class Content {
  /** @type {Slot[]} */ slots = [];
  /** @type {Placed[]} */ elements = [];
  /** The total length of children and spacings along the group's axis. */
  length = 0;
  /** The number of flexible spacings along the group's axis. */
  flexible = 0;
  /** The points that each of them grows by. */
  growth = 0;
  /** The size of the largest child across the group's axis, excluding children that are a fraction of the group. */
  breadth = 0;
  /** @type {[boolean, boolean]} */ measured = [false, false];
  /** Whether any child is a fraction of the group across its axis. */
  hasFractionOfBreadth = false;
}

/** Places everything inside one group of a section, handing out items in order. */
class GroupResolver {
  /** @param {Sizes} measured @param {number} from @param {number} to */
  constructor(measured, from, to) {
    this.known = measured;
    this.nextItem = from;
    this.endItem = to;
    /** How many placements are left, and how many repeated ones. */
    this.room = LayoutLimits.placements;
    this.roomAgain = LayoutLimits.placements;
  }

  /**
   * Lays out the group that starts with the item `from` and holds as many items as it can.
   * @param {Element} element @param {Pair} container @param {Sizes} measured @param {number} from @param {number} to
   * @returns {Group}
   */
  static resolve(element, container, measured, from, to) {
    const resolver = new GroupResolver(measured, from, to);
    const placement = resolver.place(element, element.sides, container);
    const size = placement ? placement.size : sizeIn(element.sides, container);
    const slots = placement ? placement.slots : [];
    return {
      size, slots: slots.length > 0 ? slots : [{ frame: rect(0, 0, size[0], size[1]), badges: [] }],
      placements: 2 * LayoutLimits.placements - resolver.room - resolver.roomAgain,
    };
  }

  /**
   * @param {Element} element @param {[Length, Length]} dimensions Its own, or its share of a group.
   * @param {Pair} container
   * @returns {Placement | null} `null` if there is no item or no room left.
   */
  place(element, dimensions, container) {
    if (this.room <= 0 || this.nextItem >= this.endItem) return null;
    this.room -= 1;
    return element.children
      ? this.placeGroup(element, dimensions, container) : this.placeItem(element, dimensions, container);
  }

  /** @param {Element} element @param {[Length, Length]} dimensions @param {Pair} container @returns {Placement} */
  placeItem(element, dimensions, container) {
    const estimated = sizeIn(dimensions, container);
    /** @type {Placement} */
    const placement = { size: [estimated[0], estimated[1]], estimated, slots: [], measured: [false, false] };
    const known = this.known.get(this.nextItem);
    if (known) {
      if (isEstimated(dimensions[0])) [placement.size[0], placement.measured[0]] = [extent(known.width), true];
      if (isEstimated(dimensions[1])) [placement.size[1], placement.measured[1]] = [extent(known.height), true];
    }
    const whole = rect(0, 0, placement.size[0], placement.size[1]);
    placement.slots.push({ frame: insetRect(whole, applied(dimensions, element.insets)), badges: element.badges });
    this.nextItem += 1;
    return placement;
  }

  /**
   * @param {Element} group @param {[Length, Length]} dimensions @param {Pair} container
   * @returns {Placement | null} `null` if no item fits in it.
   */
  placeGroup(group, dimensions, container) {
    const { axis } = group;
    const across = otherAxis(axis);
    const insets = applied(dimensions, group.insets);
    const estimated = sizeIn(dimensions, container);
    const inside = insetSize(estimated, insets);
    const [firstItem, roomBefore] = [this.nextItem, this.room];
    let content = this.placeChildren(group, dimensions, inside);
    /** @type {Placement} */
    const placement = { size: [estimated[0], estimated[1]], estimated, slots: [], measured: [false, false] };
    if (isEstimated(dimensions[across]) && content.measured[across]) {
      placement.size[across] = content.breadth;
      placement.measured[across] = true;
      // Children that are a fraction of the measured dimension need another pass. Each level of nesting doubles the
      // work, so repeated placements have their own limit.
      const cost = roomBefore - this.room;
      if (content.hasFractionOfBreadth && this.roomAgain >= cost) {
        this.roomAgain -= cost;
        const roomAfter = this.room;
        /** @type {Pair} */
        const measuredInside = [inside[0], inside[1]];
        measuredInside[across] = content.breadth;
        this.nextItem = firstItem;
        content = this.placeChildren(group, dimensions, measuredInside);
        this.room = min(roomAfter, this.room + cost);
      }
    }
    const breadth = placement.measured[across] ? content.breadth : inside[across];
    if (isEstimated(dimensions[axis]) && content.measured[axis]) {
      placement.size[axis] = content.length;
      placement.measured[axis] = true;
      content.growth = 0;
    }
    shareRest(group, breadth, content);
    for (const slot of content.slots) slot.frame = moved(slot.frame, insets.leading, insets.top);
    placement.slots = content.slots;
    return placement.slots.length > 0 ? placement : null;
  }

  /** @param {Element} group @param {[Length, Length]} dimensions @param {Pair} inside */
  placeChildren(group, dimensions, inside) {
    return group.count === undefined
      ? this.placeList(group, dimensions, inside) : this.placeShares(group, group.count, inside);
  }

  /** Places `count` copies of the only child, each with an equal share of the axis.
   * @param {Element} group @param {number} count @param {Pair} inside */
  placeShares(group, count, inside) {
    const content = new Content();
    const { axis } = group;
    const child = children(group)[0];
    const share = max(0, (inside[axis] - (count - 1) * group.spacing.points) / count);
    /** @type {[Length, Length]} */
    const dimensions = [child.sides[0], child.sides[1]];
    dimensions[axis] = { unit: ABSOLUTE, value: max(0, share - leastOf(child.edges, axis)) };
    for (let index = 0; index < count; index += 1) {
      const placement = this.place(child, dimensions, inside);
      if (!placement) break;
      this.append(placement, child, dimensions, content, group);
    }
    return content;
  }

  /** Repeats the list of children until the next one doesn't fit. The first is always placed.
   * @param {Element} group @param {[Length, Length]} dimensions @param {Pair} inside */
  placeList(group, dimensions, inside) {
    const content = new Content();
    const { axis } = group;
    const available = inside[axis] + LayoutLimits.fitTolerance;
    // Along an estimated axis, estimates decide how many children fit, so measuring one never moves another to the
    // next group.
    const usesEstimates = isEstimated(dimensions[axis]);
    let total = 0;
    for (;;) {
      const before = total;
      for (const child of children(group)) {
        const item = this.nextItem;
        const placement = this.place(child, child.sides, inside);
        if (!placement) {
          content.growth = this.growthOfUnfinished(content, total, group, inside);
          return content;
        }
        const size = (usesEstimates ? placement.estimated : placement.size)[axis];
        const taken = size + leastOf(child.edges, axis);
        const end = content.slots.length === 0 ? taken : total + group.spacing.points + taken;
        if (content.slots.length > 0 && !(end <= available)) {
          this.nextItem = item;
          content.growth = growthOver(content.flexible, total, group, inside);
          return content;
        }
        total = end;
        this.append(placement, child, child.sides, content, group);
      }
      // A list that takes up no space would repeat forever.
      if (!(total > before)) return content;
    }
  }

  /** @param {Placement} placement @param {Element} child @param {[Length, Length]} dimensions @param {Content} content
   * @param {Element} group */
  append(placement, child, dimensions, content, group) {
    const along = group.axis;
    const across = otherAxis(along);
    const { edges } = child;
    const start = content.slots.length === 0 ? 0 : content.length + group.spacing.points;
    const first = content.slots.length;
    const [byAlong, byAcross] = [start + startOf(edges, along).points, startOf(edges, across).points];
    for (const slot of placement.slots) {
      content.slots.push({ frame: movedAlong(slot.frame, byAlong, byAcross, along), badges: slot.badges });
    }
    if (content.elements.length > 0 && group.spacing.flexible) content.flexible += 1;
    if (startOf(edges, along).flexible) content.flexible += 1;
    const breadth = placement.size[across] + leastOf(edges, across);
    content.elements.push({ from: first, to: content.slots.length, flexibleBefore: content.flexible, breadth, edges });
    if (endOf(edges, along).flexible) content.flexible += 1;
    content.length = start + placement.size[along] + leastOf(edges, along);
    content.measured[along] = content.measured[along] || placement.measured[along];
    if (dimensions[across].unit === (across === 0 ? FRACTION_OF_WIDTH : FRACTION_OF_HEIGHT)) {
      content.hasFractionOfBreadth = true;
    } else {
      content.breadth = max(content.breadth, breadth);
      content.measured[across] = content.measured[across] || placement.measured[across];
    }
  }

  /** The growth of a list that ended because there are no more items: its spacings grow as if the group were full.
   * @param {Content} content @param {number} total @param {Element} group @param {Pair} inside */
  growthOfUnfinished(content, total, group, inside) {
    const { axis } = group;
    const list = children(group);
    let [count, elements] = [content.flexible, content.elements.length];
    let end = total;
    if (elements === 0 || !isFlexible(group)) return 0;
    while (this.room > 0) {
      this.room -= 1;
      const child = list[elements % list.length];
      const taken = sizeIn(child.sides, inside)[axis] + leastOf(child.edges, axis);
      const next = end + group.spacing.points + taken;
      if (!(next > end && next <= inside[axis] + LayoutLimits.fitTolerance)) break;
      end = next;
      elements += 1;
      if (group.spacing.flexible) count += 1;
      if (startOf(child.edges, axis).flexible) count += 1;
      if (endOf(child.edges, axis).flexible) count += 1;
    }
    return growthOver(count, end, group, inside);
  }
}

/** @param {Element} group @returns {Element[]} */
const children = (group) => group.children ?? [];

/** @param {Rect} r @param {number} along @param {number} across @param {Axis} axis */
const movedAlong = (r, along, across, axis) => (axis === 0 ? moved(r, along, across) : moved(r, across, along));

/** The points that each of `count` flexible spacings of a list grows by.
 * @param {number} count @param {number} total @param {Element} group @param {Pair} inside */
const growthOver = (count, total, group, inside) => (count > 0 ? max(0, inside[group.axis] - total) / count : 0);

/** @param {Element} group */
const isFlexible = (group) =>
  group.spacing.flexible || children(group).some((child) =>
    startOf(child.edges, group.axis).flexible || endOf(child.edges, group.axis).flexible);

/** Moves elements by the growth of the flexible spacings before them.
 * @param {Element} group @param {number} breadth @param {Content} content */
function shareRest(group, breadth, content) {
  for (const element of content.elements) {
    const along = element.flexibleBefore * content.growth;
    const across = shiftAcross(otherAxis(group.axis), element, breadth);
    if (along === 0 && across === 0) continue;
    for (let slot = element.from; slot < element.to; slot += 1) {
      content.slots[slot].frame = movedAlong(content.slots[slot].frame, along, across, group.axis);
    }
  }
}

/** How far flexible edge spacing moves an element across its group.
 * @param {Axis} axis @param {Placed} element @param {number} breadth */
function shiftAcross(axis, element, breadth) {
  if (!startOf(element.edges, axis).flexible) return 0;
  const rest = max(0, breadth - element.breadth);
  return endOf(element.edges, axis).flexible ? rest / 2 : rest;
}

// ---------------------------------------------------------------- the groups of a section

/** The first index for which `predicate` holds, provided it holds for all later ones too; `high` if it never holds.
 * @param {number} low @param {number} high @param {(index: number) => boolean} predicate */
function partition(low, high, predicate) {
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (predicate(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @param {Group} group @param {Axis} axis @returns {Pair} How far items extend beyond the group's start and end. */
function overhang(group, axis) {
  let [before, after] = [0, 0];
  for (const { frame } of group.slots) {
    const [start, size] = axis === 0 ? [frame.x, frame.width] : [frame.y, frame.height];
    before = max(before, -start);
    after = max(after, start + size - group.size[axis]);
  }
  return [before, after];
}

/** The groups of a section, one after another along the axis in which the section grows. */
class GroupStrip {
  /** @param {Element} element @param {Axis} axis @param {Pair} container @param {number} spacing
   * @param {number} itemCount @param {Sizes} measured Sizes of existing items; empty if no item is estimated. */
  constructor(element, axis, container, spacing, itemCount, measured) {
    this.axis = axis;
    this.spacing = spacing;
    this.itemCount = itemCount;
    const plain = GroupResolver.resolve(element, container, new Map(), 0, LayoutLimits.items);
    /** The group with estimates only, followed by the groups with measured items.
     * @type {Group[]} */
    this.kinds = [plain];
    /** Where each group starts, and its index in `kinds`. Empty if all groups are of the first kind.
     * @type {{firstItem: number, start: number, kind: number}[]} */
    this.records = [];
    if (measured.size > 0) this.placeMeasured(element, container, measured);
    this.groupCount = this.records.length > 0
      ? this.records.length : Math.floor((itemCount + plain.slots.length - 1) / plain.slots.length);
    /** @type {Pair} */
    this.overhang = [0, 0];
    for (const kind of this.kinds) {
      const [before, after] = overhang(kind, axis);
      this.overhang = [max(this.overhang[0], before), max(this.overhang[1], after)];
    }
  }

  /** @param {Element} element @param {Pair} container @param {Sizes} measured */
  placeMeasured(element, container, measured) {
    const known = [...measured.keys()].sort((a, b) => a - b);
    const plain = this.kinds[0];
    let [next, item, start, placed] = [0, 0, 0, 0];
    while (item < this.itemCount) {
      while (next < known.length && known[next] < item) next += 1;
      let kind = 0;
      if (next < known.length && known[next] < item + plain.slots.length && placed < LayoutLimits.measuredPlacements) {
        const resolved = GroupResolver.resolve(element, container, measured, item, this.itemCount);
        placed += resolved.placements;
        kind = this.kinds.push(resolved) - 1;
      }
      this.records.push({ firstItem: item, start, kind });
      item += this.kinds[kind].slots.length;
      start += this.kinds[kind].size[this.axis] + this.spacing;
    }
  }

  /** The distance from the start of the first group to the end of the last. */
  get length() {
    if (this.groupCount === 0) return 0;
    const last = this.at(this.groupCount - 1);
    return last.start + last.group.size[this.axis];
  }

  /** The size of the largest group across the strip; 0 without groups. */
  get breadth() {
    if (this.groupCount === 0) return 0;
    const usesPlain = this.records.length === 0 || this.records.some((record) => record.kind === 0);
    const across = otherAxis(this.axis);
    return (usesPlain ? this.kinds : this.kinds.slice(1)).reduce((most, kind) => max(most, kind.size[across]), 0);
  }

  /** @param {number} index In 0..<groupCount. */
  at(index) {
    if (this.records.length > 0) {
      const { firstItem, start, kind } = this.records[index];
      return { firstItem, start, group: this.kinds[kind] };
    }
    const group = this.kinds[0];
    return {
      firstItem: index * group.slots.length, start: index * (group.size[this.axis] + this.spacing), group,
    };
  }

  /** @param {number} item Must exist. */
  ofItem(item) {
    return this.at(
      this.records.length > 0
        ? partition(0, this.records.length, (index) => this.records[index].firstItem > item) - 1
        : Math.floor(item / this.kinds[0].slots.length));
  }

  /** The groups that may overlap the range between two positions, as `[first, end]`: possibly a few too many, never too
   * few.
   * @param {number} from @param {number} to @returns {Pair} */
  between(from, to) {
    const [low, high] = [from - this.overhang[1], to + this.overhang[0]];
    if (!(low <= high)) return [0, 0];
    let [first, end] = [0, 0];
    if (this.records.length === 0) {
      const plain = this.kinds[0].size[this.axis];
      const stride = plain + this.spacing;
      // Groups without length are all at the same position.
      if (!(stride > 0)) return [0, this.groupCount];
      first = this.indexAt((low - plain) / stride);
      end = this.indexAt(high / stride + 1);
    } else {
      const { records, kinds, axis } = this;
      first = partition(0, records.length, (index) =>
        records[index].start + kinds[records[index].kind].size[axis] > low);
      end = partition(0, records.length, (index) => records[index].start >= high);
    }
    // One more on each side makes up for rounding.
    const lower = max(first - 1, 0);
    return [lower, max(lower, min(end + 1, this.groupCount))];
  }

  /** @param {number} quotient */
  indexAt(quotient) { return Math.trunc(min(max(quotient, 0), this.groupCount)); }
}

// ---------------------------------------------------------------- page stops

/**
 * The offsets at which a section that scrolls sideways comes to rest, ascending. There are `length` of them; `at`
 * computes each on demand.
 */
export class PageStops {
  /** @type {GroupStrip} */ #strip;
  /** @type {number} */ #start;
  /** @type {number} */ #maximum;
  /** @type {boolean} */ #mirrored;
  /** @type {number} */ #scrolling;
  /** @type {number} */ #width;

  /** @param {number} scrolling @param {number} width @param {GroupStrip} strip @param {number} start
   * @param {number} maximum @param {boolean} isMirrored @hideconstructor */
  constructor(scrolling, width, strip, start, maximum, isMirrored) {
    this.#scrolling = scrolling;
    this.#width = width;
    this.#strip = strip;
    this.#start = start;
    this.#maximum = maximum;
    this.#mirrored = isMirrored;
    /** The number of stops, at most `LayoutLimits.stops`. */
    this.length = min(max(this.#count(), 0), LayoutLimits.stops);
  }

  #count() {
    // Anything closer to the end than this counts as the end.
    const almost = this.#maximum - LayoutLimits.fitTolerance;
    switch (this.#scrolling) {
      case Scrolling.none: return 1;
      case Scrolling.continuous: return 0;
      case Scrolling.paging: {
        if (!(this.#width > 0 && almost > 0)) return 1;
        return Math.ceil(min(almost / this.#width, LayoutLimits.stops)) + 1;
      }
      case Scrolling.groupPagingCentered: return max(this.#strip.groupCount, 1);
      default: return partition(0, this.#strip.groupCount, (index) => this.#strip.at(index).start >= almost) + 1;
    }
  }

  /** The offset of a stop, in points from the left.
   * @param {number} index */
  at(index) {
    return this.#mirrored ? this.#maximum - this.#fromLeading(this.length - 1 - index) : this.#fromLeading(index);
  }

  /** @param {number} index */
  #fromLeading(index) {
    const strip = this.#strip;
    switch (this.#scrolling) {
      case Scrolling.none:
      case Scrolling.continuous: return 0;
      case Scrolling.paging: return this.#bounded(index * this.#width, index);
      case Scrolling.groupPagingCentered: {
        if (strip.groupCount === 0) return 0;
        const { start, group } = strip.at(index);
        return this.#start + start + (group.size[0] - this.#width) / 2;
      }
      default: return this.#bounded(index < strip.groupCount ? strip.at(index).start : 0, index);
    }
  }

  /** The last of several stops is the end of the content.
   * @param {number} offset @param {number} index */
  #bounded(offset, index) { return index > 0 && index === this.length - 1 ? this.#maximum : offset; }

  /** The index of the first stop beyond the offset, or of the last stop.
   * @param {number} offset */
  behind(offset) {
    return min(
      partition(0, this.length, (index) => this.at(index) > offset + LayoutLimits.fitTolerance), this.length - 1);
  }

  /** The index of the last stop before the offset, or of the first stop.
   * @param {number} offset */
  before(offset) {
    return max(partition(0, this.length, (index) => this.at(index) >= offset - LayoutLimits.fitTolerance) - 1, 0);
  }

  /** The index of the nearest stop; of two equally near ones, the lower.
   * @param {number} offset */
  nearest(offset) {
    const next = min(partition(0, this.length, (index) => this.at(index) >= offset), this.length - 1);
    return next > 0 && offset - this.at(next - 1) <= this.at(next) - offset ? next - 1 : next;
  }
}

// ---------------------------------------------------------------- a section

const NARROW_MARGIN = 16;
const WIDE_MARGIN = 20;
const WIDE_FROM = 414;
const READABLE = 672;

/** The surroundings on an upright phone or tablet of this width: margins are 16 points, or 20 for widths from 414, and
 * lines of text are at most 672 points long.
 * @param {number} width @returns {Surroundings} */
export function usualSurroundings(width) {
  const margin = width < WIDE_FROM ? NARROW_MARGIN : WIDE_MARGIN;
  const readable = max(margin, (width - READABLE) / 2);
  return {
    layoutMargins: { leading: margin, trailing: margin }, readableContent: { leading: readable, trailing: readable },
  };
}

/** The distances from which a section's insets are measured, leading and trailing.
 * @param {Surroundings} surroundings @param {number} reference @returns {Pair} */
function referenceInsets(surroundings, reference) {
  const { safeArea, layoutMargins, readableContent } = surroundings;
  const insets = reference === 1
    ? undefined : reference === 3 ? layoutMargins : reference === 4 ? readableContent : safeArea;
  return [extent(insets?.leading ?? 0), extent(insets?.trailing ?? 0)];
}

/** How far a scroll coasts, in seconds of its initial speed: the speed decays by a factor of 0.998 per millisecond. */
const COAST_SECONDS = 0.499;

/**
 * One section, laid out: the frames of its items, supplementaries, badges and background for one container. Frames are
 * computed on demand; creating an instance costs the same for any number of items, unless some are estimated and
 * measured.
 *
 * ```js
 * const frames = new SectionFrames(layout, { width: 390, height: 844 }, 20);
 * for (const index of frames.itemsIn({ x: offset, y: 0, width: 390, height: frames.contentSize.height })) {
 *   draw(index, frames.frameOfItem(index));
 * }
 * ```
 */
export class SectionFrames {
  /** @type {GroupStrip} */ #strip;
  /** @type {number} */ #stripStart;
  /** @type {number} */ #stripTop;
  /** Indices of the pinned supplementaries.
   * @type {{top: number[], bottom: number[]}} */ #pins;

  /**
   * @param {Layout} layout How the section is laid out.
   * @param {Size} container The size of the screen (not of the section).
   * @param {number} itemCount Items of the section; at most `LayoutLimits.items` are laid out.
   * @param {SectionOptions} [options] Sizes of rendered content, used where the layout is estimated; the direction; and
   *   where insets may begin, by default as on an upright phone or tablet.
   */
  constructor(layout, container, itemCount, options = {}) {
    const group = bounded(layout.nodes ?? [], 0, { nodes: LayoutLimits.nodes });
    const spacing = extent(layout.spacing ?? 0);
    /** The screen. */
    this.container = { width: extent(container.width), height: extent(container.height) };
    const { width, height } = this.container;
    /** The number of items laid out. */
    this.itemCount = countOf(itemCount);
    /** Whether all frames are mirrored. */
    this.isRightToLeft = options.rightToLeft === true;
    /** How the section scrolls sideways, if at all; see `Scrolling`. */
    this.scrolling = boundedScrolling(layout.scrolling);
    const insets = sides(layout.insets);
    const reference = referenceInsets(options.surroundings ?? usualSurroundings(width), layout.insetsReference ?? 0);
    insets.leading += reference[0];
    insets.trailing += reference[1];
    const isSideways = this.scrolling !== Scrolling.none;
    /** @type {Pair} */
    const space = [max(0, width - insets.leading - insets.trailing), height];
    this.#strip = new GroupStrip(
      group, isSideways ? 0 : 1, space, spacing, this.itemCount, this.#existing(group, options.measured));
    const views = boundedViews(layout.supplementaries);
    const sizes = viewSizes(views, space, options.measuredSupplementaries ?? new Map());
    const bands = bandHeights(views, sizes);
    this.#stripStart = insets.leading;
    this.#stripTop = bands.top + insets.top;
    const stripHeight = max(isSideways ? this.#strip.breadth : this.#strip.length, bands.side);
    const bottomTop = max(0, this.#stripTop + stripHeight + insets.bottom);
    const total = bottomTop + bands.bottom;
    /** The size of the section. The height is what it occupies on the screen; the width is the container's or, in a
     * section that scrolls sideways, that of its items and insets. */
    this.contentSize = {
      width: isSideways ? max(0, insets.leading + this.#strip.length + insets.trailing) : width, height: total,
    };
    /** Headers, footers and side views in layout order, each where it is before any pinning.
     * @type {PlacedView[]} */
    this.supplementaryFrames = viewFrames(views, sizes, insets.leading, space[0], this.#stripTop, bottomTop)
      .map((view) => (this.isRightToLeft ? { ...view, frame: mirrored(view.frame, width) } : view));
    this.#pins = { top: pinned(views, -1), bottom: pinned(views, 1) };
    /** The background; `null` if the layout has none.
     * @type {PlacedView | null} */
    this.background = layout.decoration === undefined ? null : this.#backgroundOf(layout, layout.decoration);
  }

  /** @param {Layout} layout @param {string} kind @returns {PlacedView} */
  #backgroundOf(layout, kind) {
    const { width } = this.container;
    const frame = insetRect(rect(0, 0, width, this.contentSize.height), sides(layout.decorationInsets));
    return {
      kind, frame: this.isRightToLeft ? mirrored(frame, width) : frame,
      depth: depth(layout.decorationZIndex, BEHIND_ALL),
    };
  }

  /** @param {Element} group @param {Sizes | undefined} measured @returns {Sizes} The sizes that affect the layout. */
  #existing(group, measured) {
    if (!measured || measured.size === 0 || !hasEstimatedItem(group)) return new Map();
    return new Map([...measured].filter(([item]) => item >= 0 && item < this.itemCount));
  }

  /** The item's frame; `null` if there is no such item.
   * @param {number} index @returns {Rect | null} */
  frameOfItem(index) {
    if (!this.#has(index)) return null;
    const frame = this.#slot(index).frame;
    return this.isRightToLeft ? mirrored(frame, this.#mirrorWidth) : frame;
  }

  /** The item's badges, in layout order.
   * @param {number} index @returns {PlacedView[]} */
  badgeFramesOfItem(index) {
    if (!this.#has(index)) return [];
    const { frame, badges } = this.#slot(index);
    return badges.map((badge) => {
      const own = badgeFrame(badge, frame);
      return {
        kind: badge.kind, frame: this.isRightToLeft ? mirrored(own, this.#mirrorWidth) : own, depth: badge.depth,
      };
    });
  }

  /** @param {number} index */
  #has(index) { return Number.isInteger(index) && index >= 0 && index < this.itemCount; }

  /** An item's slot in the section, before mirroring.
   * @param {number} index @returns {Slot} */
  #slot(index) {
    const { firstItem, start, group } = this.#strip.ofItem(index);
    const { frame, badges } = group.slots[index - firstItem];
    const isSideways = this.scrolling !== Scrolling.none;
    return {
      frame: moved(frame, this.#stripStart + (isSideways ? start : 0), this.#stripTop + (isSideways ? 0 : start)),
      badges,
    };
  }

  /** The width within which items are mirrored. */
  get #mirrorWidth() { return max(this.contentSize.width, this.container.width); }

  /**
   * The items that overlap a rectangle, in order. In a section that scrolls sideways the rectangle is relative to its
   * content: to get the items visible at an offset, pass the offset as `x`. The cost is proportional to the groups that
   * the rectangle touches.
   * @param {Rect} window
   * @returns {number[]}
   */
  itemsIn(window) {
    const [maxX, maxY] = [window.x + window.width, window.y + window.height];
    if (!(window.width > 0 && window.height > 0) || Number.isNaN(maxX) || Number.isNaN(maxY)) return [];
    const isSideways = this.scrolling !== Scrolling.none;
    const unmirrored = isSideways && this.isRightToLeft ? mirrored(window, this.#mirrorWidth) : window;
    const [first, end] = isSideways
      ? this.#strip.between(unmirrored.x - this.#stripStart, unmirrored.x + unmirrored.width - this.#stripStart)
      : this.#strip.between(window.y - this.#stripTop, maxY - this.#stripTop);
    const found = [];
    for (let index = first; index < end; index += 1) {
      const { firstItem, group } = this.#strip.at(index);
      for (let item = firstItem; item < min(firstItem + group.slots.length, this.itemCount); item += 1) {
        const frame = this.frameOfItem(item);
        if (frame && intersects(frame, window)) found.push(item);
      }
    }
    return found;
  }

  /** The items visible when the whole section is on the screen, in order, for apps that scale or fade them.
   * @param {number} [offset] How far the section is scrolled sideways; by default, its initial offset. */
  visibleItems(offset = this.initialOffset) {
    const window = rect(offset, 0, this.container.width, this.contentSize.height);
    return this.itemsIn(window).map((index) => ({ index, frame: /** @type {Rect} */ (this.frameOfItem(index)) }));
  }

  /**
   * The supplementaries while a part of the section is visible, in layout order. A pinned one moves to stay in the
   * visible part, next to the other pinned ones at its edge, and is pushed out by the end of its section.
   * @param {number} top Where the visible part begins, from the section's top.
   * @param {number} height The height of the visible part.
   * @returns {PlacedView[]}
   */
  supplementaryFramesShowing(top, height) {
    const frames = this.supplementaryFrames.map((view) => ({ ...view, frame: { ...view.frame } }));
    if (!Number.isFinite(top) || !Number.isFinite(top + height)) return frames;
    // The points at the section's end that this and later pinned views take up.
    let room = this.#pins.top.reduce((sum, index) => sum + frames[index].frame.height, 0);
    let edge = top;
    for (const index of this.#pins.top) {
      const { frame } = frames[index];
      frame.y = max(frame.y, min(edge, this.contentSize.height - room));
      edge = max(edge, frame.y + frame.height);
      room -= frame.height;
    }
    room = this.#pins.bottom.reduce((sum, index) => sum + frames[index].frame.height, 0);
    edge = top + height;
    for (const index of [...this.#pins.bottom].reverse()) {
      const { frame } = frames[index];
      frame.y = min(frame.y, max(edge, room) - frame.height);
      edge = min(edge, frame.y);
      room -= frame.height;
    }
    return frames;
  }

  /** How a supplementary is pinned: its edge, and the points that the other pinned ones take up before and after it.
   * @param {number} index In the layout. @returns {Pin | null} `null` if it isn't pinned. */
  pinOf(index) {
    for (const edge of /** @type {const} */ (["top", "bottom"])) {
      const place = this.#pins[edge].indexOf(index);
      if (place < 0) continue;
      const heights = this.#pins[edge].map((other) => this.supplementaryFrames[other].frame.height);
      const sum = (/** @type {number[]} */ list) => list.reduce((total, height) => total + height, 0);
      return { edge, before: sum(heights.slice(0, place)), behind: sum(heights.slice(place + 1)) };
    }
    return null;
  }

  get #maximumOffset() { return max(0, this.contentSize.width - this.container.width); }

  /** The offsets at which the section comes to rest: one if it doesn't scroll sideways, none if it stops anywhere. */
  get pageStops() {
    return new PageStops(
      this.scrolling, this.container.width, this.#strip, this.#stripStart, this.#maximumOffset, this.isRightToLeft);
  }

  /** The offsets at which the section can rest. They extend beyond the content only if groups are centred. */
  get offsetRange() {
    if (this.scrolling !== Scrolling.groupPagingCentered) return { lower: 0, upper: this.#maximumOffset };
    const stops = this.pageStops;
    return { lower: stops.at(0), upper: max(stops.at(0), stops.at(stops.length - 1)) };
  }

  /** The offset before any scrolling, at the leading end. */
  get initialOffset() { return this.isRightToLeft ? this.offsetRange.upper : this.offsetRange.lower; }

  /**
   * The offset at which a scroll ends.
   * @param {number} released Where it was released.
   * @param {number} speed In points per second; positive if the offset grows. Paging uses only its sign.
   */
  stopAfter(released, speed) {
    const { lower, upper } = this.offsetRange;
    const offset = Number.isNaN(released) ? this.initialOffset : min(max(released, lower), upper);
    const velocity = Number.isNaN(speed) ? 0 : speed;
    const coasted = min(max(offset + velocity * COAST_SECONDS, lower), upper);
    const stops = this.pageStops;
    if (this.scrolling === Scrolling.none) return 0;
    if (this.scrolling === Scrolling.continuous) return coasted;
    if (this.scrolling === Scrolling.continuousGroupLeadingBoundary) {
      // As far as it coasts, but never backwards.
      const nearest = stops.nearest(coasted);
      if (velocity > 0) return stops.at(max(nearest, stops.behind(offset)));
      return stops.at(velocity < 0 ? min(nearest, stops.before(offset)) : nearest);
    }
    if (velocity > 0) return stops.at(stops.behind(offset));
    return stops.at(velocity < 0 ? stops.before(offset) : stops.nearest(offset));
  }
}

/** @param {number | undefined} scrolling */
const boundedScrolling = (scrolling) =>
  Object.values(Scrolling).some((known) => known === scrolling) ? Number(scrolling) : Scrolling.none;

/** Indices of the pinned views of a band.
 * @param {View[]} views @param {number} band */
const pinned = (views, band) =>
  [...views.keys()].filter((index) => views[index].pinned && bandOf(views[index]) === band);

/** @param {View[]} views @param {Pair} space @param {Sizes} measured @returns {Pair[]} */
const viewSizes = (views, space, measured) => views.map((view, index) => {
  const size = sizeIn(view.sides, space);
  const known = measured.get(index);
  if (known && isEstimated(view.sides[0])) size[0] = extent(known.width);
  if (known && isEstimated(view.sides[1])) size[1] = extent(known.height);
  return size;
});

/** The total height of the views at the top and of those at the bottom, and that of the tallest view at the sides.
 * @param {View[]} views @param {Pair[]} sizes */
function bandHeights(views, sizes) {
  const heights = { top: 0, bottom: 0, side: 0 };
  for (const [index, view] of views.entries()) {
    const band = bandOf(view);
    if (band < 0) heights.top += sizes[index][1];
    else if (band > 0) heights.bottom += sizes[index][1];
    else heights.side = max(heights.side, sizes[index][1]);
  }
  return heights;
}

/**
 * @param {View[]} views @param {Pair[]} sizes @param {number} leading @param {number} width Between the insets.
 * @param {number} contentTop Where the groups start. @param {number} bottomTop Where the bottom band starts.
 * @returns {PlacedView[]}
 */
function viewFrames(views, sizes, leading, width, contentTop, bottomTop) {
  let [nextTop, nextBottom] = [0, bottomTop];
  return views.map((view, index) => {
    const size = sizes[index];
    const band = bandOf(view);
    let y = contentTop;
    if (band < 0) [y, nextTop] = [nextTop, nextTop + size[1]];
    if (band > 0) [y, nextBottom] = [nextBottom, nextBottom + size[1]];
    const x = leading + anchored(view.edges, LEADING, TRAILING, size[0], width);
    return { kind: view.kind, frame: viewFrame(view, x, y, size), depth: view.depth };
  });
}

// ---------------------------------------------------------------- a screen

/**
 * @typedef {{layout: Layout, itemCount: number, measured?: Sizes, measuredSupplementaries?: Sizes}} ScreenSection
 */

/** The sections of a screen, laid out one below another. */
export class ScreenLayout {
  /** Where each section begins.
   * @type {number[]} */ #tops = [];

  /**
   * @param {ScreenSection[]} sections In the order of the screen.
   * @param {Size} container The size of the screen.
   * @param {{rightToLeft?: boolean, surroundings?: Surroundings}} [options]
   */
  constructor(sections, container, options = {}) {
    let top = 0;
    /** @type {SectionFrames[]} */
    this.sections = sections.map(({ layout, itemCount, measured, measuredSupplementaries }) => {
      const frames = new SectionFrames(
        layout, container, itemCount, { ...options, measured, measuredSupplementaries });
      this.#tops.push(top);
      top += frames.contentSize.height;
      return frames;
    });
    /** As wide as the container and as high as all sections. */
    this.contentSize = { width: extent(container.width), height: top };
  }

  /** The section's rectangle on the screen; `null` if there is no such section. Add its origin to the frames inside it.
   * @param {number} index @returns {Rect | null} */
  frameOfSection(index) {
    const section = this.sections[index];
    return section ? rect(0, this.#tops[index], this.contentSize.width, section.contentSize.height) : null;
  }

  /** The supplementaries of a section while a part of the screen is visible, relative to the section; empty if there is
   * no such section.
   * @param {number} index @param {number} top From the top of the screen. @param {number} height
   * @returns {PlacedView[]} */
  supplementaryFramesOfSection(index, top, height) {
    return this.sections[index]?.supplementaryFramesShowing(top + -this.#tops[index], height) ?? [];
  }

  /** The item's frame on the screen; `null` if there is no such item.
   * @param {ItemPosition} position @param {number} [offset] Its section's; by default, the initial one.
   * @returns {Rect | null} */
  frameOf(position, offset) {
    const section = this.sections[position.section];
    const frame = section?.frameOfItem(position.item);
    return section && frame
      ? moved(frame, -(offset ?? section.initialOffset), this.#tops[position.section]) : null;
  }

  /** The sections that overlap a rectangle: `[first, end]`.
   * @param {Rect} window @returns {[number, number]} */
  sectionsIn(window) {
    if (!(window.height > 0)) return [0, 0];
    const count = this.sections.length;
    const first = partition(0, count, (index) =>
      this.#tops[index] + this.sections[index].contentSize.height > window.y);
    const end = partition(0, count, (index) => this.#tops[index] >= window.y + window.height);
    return [first, max(first, end)];
  }

  /** The items visible in a rectangle of the screen, in order.
   * @param {Rect} window @param {Map<number, number>} [offsets] Of sections scrolled sideways, by section.
   * @returns {ItemPosition[]} */
  itemsIn(window, offsets = new Map()) {
    const [first, end] = this.sectionsIn(window);
    /** @type {ItemPosition[]} */
    const found = [];
    for (let section = first; section < end; section += 1) {
      const frames = this.sections[section];
      const here = moved(window, offsets.get(section) ?? frames.initialOffset, -this.#tops[section]);
      for (const item of frames.itemsIn(here)) found.push({ section, item });
    }
    return found;
  }
}

// ---------------------------------------------------------------- a section without a layout

/** The kinds of sections by their numbers on the wire, `SectionHead.kind`. */
export const sectionKinds = Object.freeze([
  "", "main", "rank", "basic", "large", "genres", "chart", "detail", "credits", "list", "grid", "banner", "text",
  "courses", "categories", "hero", "places", "favorites", "collection-set", "other",
]);

/** @typedef {"text" | "picture" | "tiles" | "grid" | "lines" | "bare"} Design */

/** The design of a section that comes without a layout, by its kind.
 * @param {string} kind @param {boolean} [hasOnlyWords] Whether its items are cards without images.
 * @returns {Design} */
export function sectionDesign(kind, hasOnlyWords = false) {
  switch (kind) {
    case "detail": case "text": return "text";
    case "main": case "hero": case "banner": return "picture";
    case "genres": return "tiles";
    case "grid": return hasOnlyWords ? "lines" : "grid";
    case "other": return "bare";
    default: return kind !== "" && sectionKinds.includes(kind) ? "lines" : "bare";
  }
}

const PHONE_WIDTH = 390;
const MARGIN = 15;
const END = 10;
const GAP = 8;
const BAND = 44;
/** @type {Record<Design, {columns: number, height: Dimension}>} */
const DESIGNS = {
  text: { columns: 1, height: { unit: ESTIMATED, value: 200 } },
  picture: { columns: 1, height: { unit: ABSOLUTE, value: 240 } },
  tiles: { columns: 4, height: { unit: ABSOLUTE, value: 80 } },
  grid: { columns: 3, height: { unit: ABSOLUTE, value: 200 } },
  lines: { columns: 1, height: { unit: ABSOLUTE, value: 80 } },
  bare: { columns: 1, height: { unit: ABSOLUTE, value: 80 } },
};

/** The layout for a section that comes without one. A wider screen gets more columns, not larger items.
 * @param {Design} design @param {{header?: boolean, footer?: boolean, width: number}} options @returns {Layout} */
export function designLayout(design, options) {
  const { columns, height } = DESIGNS[design];
  /** @type {Dimension} */
  const whole = { unit: FRACTION_OF_WIDTH, value: 1 };
  const phones = max(1, extent(options.width) / PHONE_WIDTH);
  /** @type {LayoutNode} */
  const group = { type: HORIZONTAL_GROUP, width: whole, height, spacing: GAP, children: [1] };
  if (columns > 1) group.count = Math.trunc(columns * phones + LayoutLimits.fitTolerance);
  /** @type {Layout} */
  const layout = {
    nodes: [group, { type: ITEM, width: whole, height }], insets: { leading: MARGIN, trailing: MARGIN }, spacing: GAP,
  };
  if (design === "bare") return layout;
  layout.insets = { ...layout.insets, bottom: END };
  const views = [
    ...(options.header ? [bandOfDesign("header", TOP)] : []),
    ...(options.footer ? [bandOfDesign("footer", BOTTOM)] : []),
  ];
  if (views.length > 0) layout.supplementaries = views;
  return layout;
}

/** @param {string} kind @param {number} edges @returns {Supplementary} */
const bandOfDesign = (kind, edges) => ({
  kind, width: { unit: FRACTION_OF_WIDTH, value: 1 }, height: { unit: ABSOLUTE, value: BAND }, anchor: { edges },
});

"""###,
"js/screen-artwork.js": ###"""
// A generated picture in place of a missing image. The same name always gives the same picture, at any size.

import { shape } from "./screen-dom.js";

const LIGHT = "#ffebcb";
const MOTIFS = 5;

/** A generator of pseudo-random numbers in 0..<1, seeded with a text (FNV-1a for the seed, mulberry32 for the numbers).
 * @param {string} text */
function numbersOf(text) {
  let seed = 0x811c9dc5;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let word = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
}

/** Hue in degrees, and saturation and lightness in percent, of `#rrggbb`; `null` for anything else.
 * @param {string | undefined} color @returns {[number, number, number] | null} */
function hslOf(color) {
  if (!/^#[0-9a-f]{6}$/i.test(color ?? "")) return null;
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(String(color).slice(at, at + 2), 16) / 255);
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
  const [chroma, light] = [high - low, (high + low) / 2];
  if (chroma === 0) return [0, 0, light * 100];
  const sixths = high === r ? ((g - b) / chroma + 6) % 6 : high === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return [sixths * 60, (chroma / (1 - Math.abs(2 * light - 1))) * 100, light * 100];
}

/** @param {number} value @param {number} low @param {number} high */
const between = (value, low, high) => Math.min(Math.max(value, low), high);

/** @param {string} name Of the image, or of the item. @param {string} [color] `#rrggbb` */
export function artwork(name, color) {
  const next = numbersOf(name);
  const [hue, saturation, light] = hslOf(color) ?? [next() * 360, 50, 30];
  const [strong, base] = [between(saturation * 1.2, 42, 80), between(light, 27, 42)];
  const tone = (/** @type {number} */ by, turn = 0) =>
    `hsl(${(hue + turn).toFixed(1)} ${strong.toFixed(1)}% ${(base + by).toFixed(1)}%)`;
  const motif = [discs, hills, peaks, rings, rays][Math.floor(next() * MOTIFS)];
  const picture = /** @type {SVGElement} */ (shape(
    "svg", { class: "artwork", viewBox: "0 0 100 100", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    ...motif(tone, next)));
  picture.style.background = `linear-gradient(${tone(13, -13)},${tone(-12, 14)})`;
  return picture;
}

/** @typedef {(by: number, turn?: number) => string} Tone */
/** @typedef {() => number} Next */

/** @param {number} cx @param {number} cy @param {number} r @param {string} fill @param {number} [opacity] */
const disc = (cx, cy, r, fill, opacity = 1) => shape("circle", { cx, cy, r, fill, opacity });

/** @param {Tone} tone @param {Next} next */
const discs = (tone, next) => [0, 1, 2, 3].map((index) =>
  disc(
    20 + next() * 60, 20 + next() * 60, 16 + next() * 28, index === 3 ? LIGHT : tone(8 - 8 * index, 16 * index), 0.62));

/** @param {Tone} tone @param {Next} next */
function hills(tone, next) {
  const shapes = [disc(30 + next() * 40, 34, 15, LIGHT, 0.8)];
  for (let layer = 0; layer < 3; layer += 1) {
    const [level, phase, waves] = [52 + 15 * layer, next() * 6.28, 0.7 + next()];
    let d = "M0 100";
    for (let x = 0; x <= 100; x += 5) {
      d += `L${x} ${(level + 6 * Math.sin(phase + (x / 100) * waves * 6.28)).toFixed(1)}`;
    }
    shapes.push(shape("path", { d: `${d}L100 100z`, fill: tone(5 - 10 * layer, 7 * layer) }));
  }
  return shapes;
}

/** @param {Tone} tone @param {Next} next */
function peaks(tone, next) {
  const shapes = [disc(20 + next() * 60, 24, 9, LIGHT, 0.8)];
  for (let layer = 0; layer < 3; layer += 1) {
    const [top, middle, half] = [42 + 14 * layer, 15 + next() * 70, 42 + next() * 22];
    const d = `M${middle - half} 100L${middle} ${top}L${middle + half} 100z`;
    shapes.push(shape("path", { d, fill: tone(4 - 9 * layer, 9 * layer) }));
  }
  return shapes;
}

/** @param {Tone} tone @param {Next} next */
function rings(tone, next) {
  const [x, y] = [30 + next() * 40, 35 + next() * 30];
  const circles = [62, 48, 34, 21].map((r, index) => disc(x, y, r, tone(-5 + 5 * index, 6 * index)));
  return [...circles, disc(x, y, 10, LIGHT, 0.8)];
}

/** @param {Tone} tone @param {Next} next */
function rays(tone, next) {
  const shapes = [];
  const [x, turn] = [30 + next() * 40, next() * 20];
  for (let angle = 180; angle < 360; angle += 24) {
    const point = (/** @type {number} */ degrees) => {
      const radians = ((degrees + turn) * Math.PI) / 180;
      return `${(x + 150 * Math.cos(radians)).toFixed(1)} ${(74 + 150 * Math.sin(radians)).toFixed(1)}`;
    };
    shapes.push(shape("path", { d: `M${x} 74L${point(angle)}L${point(angle + 12)}z`, fill: tone(6, -8) }));
  }
  const ground = shape("rect", { y: 74, width: 100, height: 26, fill: tone(-14, 12) });
  return [...shapes, disc(x, 70, 14, LIGHT, 0.8), ground];
}

"""###,
"js/screen-cards.js": ###"""
// How a card looks: its form, given its section and frame, and the parts that there is room for. Plain functions, no
// DOM.

import { clean } from "./screen-words.js";

/** @typedef {import("./screen-types.js").Card} Card */
/** @typedef {import("./screen-types.js").Action} Action */
/** @typedef {import("./layout.js").Size} Size */

/** @typedef {"hero" | "row" | "poster" | "numbered" | "behind" | "tile" | "person" | "detail" | "banner" | "course" |
 *   "place"} Form */

/**
 * @typedef {object} CardPlan
 * @property {Form} form
 * @property {number} imageWidth In points; 0 without an image.
 * @property {number} imageHeight
 * @property {number} titleLines
 * @property {number} lines Lines of subtitle and caption.
 * @property {boolean} hasOverline
 * @property {boolean} hasMarks Whether there is room for rating, badges and progress.
 * @property {boolean} isLettered Whether the text is on top of the image.
 * @property {boolean} hasPrice
 * @property {number} facts Columns of facts at the end.
 * @property {boolean} hasMovementLine Whether the change of rank has a line of its own.
 */

/** Traits that the cards of a section share.
 * @typedef {{kind: string, hasImages: boolean, aspect: number, hasStars: boolean, actions: readonly Action[]}} Company
 *   `actions` are those of the section's header, which a hero has as well. */

/** Maximum numbers of entries shown of an item's lists. */
export const CardLimits = Object.freeze({ badges: 8, facts: 40, actions: 12, factColumns: 3 });

/** Items examined to find the traits of a section. */
const SAMPLED_ITEMS = 64;
const PHOTO_ASPECT = 4 / 3;
const PORTRAIT_ASPECT = 3 / 4;
const WIDE_ASPECT = 16 / 9;
const NARROWEST_ASPECT = 0.05;
// Line heights, in points.
const TITLE = 20;
const LINE = 16;
const MARKS = 20;
const CAPTION_TITLE = 17;
const CAPTION_LINE = 15;
const FACT_COLUMN = 46;
const LEAST_WORDS = 110;
const LETTER = 8;

/** The form of a card by the kind of its section, before its frame is known.
 * @param {string} kind @param {Card} card @returns {Form | "ranked"} */
export function expectedForm(kind, card) {
  /** @type {Form} */
  let form = "poster";
  if (kind === "main" || kind === "hero") form = "hero";
  else if (kind === "list" || kind === "text" || kind === "categories") form = "row";
  else if (kind === "genres") form = "tile";
  else if (kind === "credits") form = "person";
  else if (kind === "detail") form = "detail";
  else if (kind === "banner") form = "banner";
  else if (kind === "courses") form = "course";
  else if (kind === "places") form = "place";
  const isRanked = kind === "rank" || kind === "chart" || (card.rank && (form === "row" || form === "poster"));
  return isRanked ? "ranked" : form;
}

/** Finds the traits that the cards of a section share.
 * @param {string} kind @param {readonly import("./screen-types.js").ScreenItem[]} items
 * @param {readonly Action[]} [actions] @returns {Company} */
export function companyOf(kind, items, actions = []) {
  const sample = items.slice(0, SAMPLED_ITEMS);
  const shown = sample.find((item) => item.card?.image)?.card?.image;
  return {
    kind, hasImages: shown !== undefined, aspect: aspectOf(shown, kind === "credits" ? PORTRAIT_ASPECT : PHOTO_ASPECT),
    hasStars: sample.some((item) => item.subject), actions,
  };
}

/** Whether these are cards without images. Only the first ones are examined.
 * @param {readonly import("./screen-types.js").ScreenItem[]} items */
export const haveOnlyWords = (items) =>
  items.length > 0 && items.slice(0, SAMPLED_ITEMS).every((item) => item.card && !item.card.image);

/** @param {import("./screen-types.js").Image | undefined} image @param {number} usual */
export function aspectOf(image, usual) {
  const aspect = Number(image?.aspect);
  return aspect > NARROWEST_ASPECT && aspect < 1 / NARROWEST_ASPECT ? aspect : usual;
}

/** Decides which parts of a card a frame has room for.
 * @param {Card} card @param {Size} frame @param {Company} company @returns {CardPlan} */
export function planOf(card, frame, company) {
  const expected = expectedForm(company.kind, card);
  const omitsImage = !card.image && !company.hasImages;
  const usual = company.kind === "genres" ? WIDE_ASPECT : company.aspect;
  const aspect = aspectOf(card.image, usual);
  if (expected === "ranked") return rankedPlan(card, frame, aspect, omitsImage, company);
  if (expected === "poster") return posterPlan(card, frame, aspect, omitsImage, company);
  if (expected === "row") return rowPlan(card, frame, aspect, omitsImage, company);
  return { ...emptyPlan(expected), imageWidth: omitsImage ? 0 : frame.width, imageHeight: frame.width / aspect };
}

/** @param {Form} form @returns {CardPlan} */
const emptyPlan = (form) => ({
  form, imageWidth: 0, imageHeight: 0, titleLines: 2, lines: 2, hasOverline: true, hasMarks: true, isLettered: false,
  hasPrice: true, facts: 0, hasMovementLine: false,
});

/** Lines of the card below its title.
 * @param {Card} card */
export const linesOf = (card) => [clean(card.subtitle), clean(card.caption)].filter((line) => line !== "");

/** @param {Card} card */
const hasMarks = (card) =>
  Number(card.rating?.value) > 0 || (card.badges?.length ?? 0) > 0 || card.progress !== undefined;

/** Fits in parts as long as there is room, the most important first: title, a line, marks, overline, then the rest.
 * @param {Card} card @param {Size} frame @param {number} aspect @param {boolean} omitsImage @param {Company} company
 * @returns {CardPlan} */
function rowPlan(card, frame, aspect, omitsImage, company) {
  const plan = emptyPlan("row");
  plan.imageWidth = omitsImage ? 0 : Math.min(frame.height * Math.min(aspect, 1.5), frame.width * 0.45);
  plan.imageHeight = frame.height;
  const lines = linesOf(card).length;
  let room = frame.height - TITLE - (lines > 0 ? LINE : 0) - (hasMarks(card) ? MARKS : 0);
  plan.hasMarks = frame.height >= TITLE + MARKS;
  plan.lines = frame.height >= TITLE + LINE ? Math.min(lines, 1) : 0;
  plan.hasOverline = Boolean(card.overline) && room >= LINE;
  if (plan.hasOverline) room -= LINE;
  const words = frame.width - plan.imageWidth - 24 - (company.hasStars ? 30 : 0) - (card.price ? 60 : 0);
  const isLong = clean(card.title).length * LETTER > words;
  plan.titleLines = isLong && room >= TITLE ? 2 : 1;
  if (plan.titleLines === 2) room -= TITLE;
  if (lines > 1 && room >= LINE) plan.lines = 2;
  return plan;
}

/** @param {Card} card @param {Size} frame @param {number} aspect @param {boolean} omitsImage @param {Company} company
 * @returns {CardPlan} */
function posterPlan(card, frame, aspect, omitsImage, company) {
  const isCaptioned = hasCaption(frame, aspect);
  const isWide = !isCaptioned && frame.width > frame.height * 1.6 * Math.max(1, aspect);
  if (omitsImage || isWide) return rowPlan(card, frame, aspect, omitsImage, company);
  const plan = emptyPlan("poster");
  plan.imageWidth = frame.width;
  plan.imageHeight = isCaptioned ? frame.width / aspect : frame.height;
  plan.isLettered = !isCaptioned;
  let room = frame.height - plan.imageHeight - 5 - CAPTION_TITLE;
  const takes = (/** @type {boolean} */ has, /** @type {number} */ height) => {
    if (!has || room < height) return false;
    room -= height;
    return true;
  };
  const [first] = linesOf(card);
  plan.lines = takes(first !== undefined || Number(card.rating?.value) > 0, CAPTION_LINE) ? 1 : 0;
  plan.hasOverline = takes(Boolean(card.overline), CAPTION_LINE);
  plan.titleLines = takes(true, CAPTION_TITLE) ? 2 : 1;
  plan.hasPrice = takes(card.price !== undefined, CAPTION_TITLE);
  plan.hasMarks = takes(card.progress !== undefined, CAPTION_LINE);
  if (plan.isLettered) Object.assign(plan, { titleLines: frame.height > 120 ? 3 : 2, lines: 0, hasOverline: false });
  return plan;
}

/** Whether there is room for a title below an image at its natural height.
 * @param {Size} frame @param {number} aspect */
const hasCaption = (frame, aspect) => frame.height - frame.width / aspect >= CAPTION_TITLE + 4;

/** @param {Card} card @param {Size} frame @param {number} aspect @param {boolean} omitsImage @param {Company} company
 * @returns {CardPlan} */
function rankedPlan(card, frame, aspect, omitsImage, company) {
  if (!omitsImage && (hasCaption(frame, aspect) || frame.width < frame.height * 0.6)) {
    return posterPlan(card, frame, aspect, false, company);
  }
  const width = Math.min(frame.height * aspect, frame.width * 0.72);
  if (!omitsImage && frame.width - width <= frame.height) {
    return { ...emptyPlan("behind"), imageWidth: width, imageHeight: frame.height, isLettered: true, titleLines: 2 };
  }
  const plan = emptyPlan("numbered");
  plan.imageWidth = omitsImage ? 0 : width;
  plan.imageHeight = frame.height;
  plan.titleLines = frame.height >= 2 * TITLE + LINE ? 2 : 1;
  plan.hasMovementLine = frame.height >= TITLE + LINE;
  plan.lines = frame.height >= TITLE + 2 * LINE ? 2 : 1;
  const room = frame.width - plan.imageWidth - 62 - (company.hasStars ? 30 : 0) - LEAST_WORDS;
  plan.facts = Math.max(0, Math.min(card.facts?.length ?? 0, CardLimits.factColumns, Math.floor(room / FACT_COLUMN)));
  return plan;
}

/** How a rank has moved: `new`, or the number of places, positive for up; `null` if unknown.
 * @param {Card} card @param {number} place @returns {"new" | number | null} */
export function movementOf(card, place) {
  if (card.rank?.isNew) return "new";
  const previous = card.rank?.previous;
  return previous === undefined ? null : previous - place;
}

/** The rank of a card: its own, or else its place in the section.
 * @param {Card} card @param {number} index */
export const placeOf = (card, index) => card.rank?.place ?? index + 1;

/** The action that opens a card: its first one with a target, or else opening the screen of the subject's name.
 * @param {import("./screen-types.js").ScreenItem} item @returns {Action | null} */
export function openingOf(item) {
  const action = item.card?.actions?.find((one) => one.target);
  if (action) return action;
  return item.subject ? { id: "open", target: item.subject } : null;
}

/** @param {import("./screen-types.js").Favorite | undefined} favorite @returns {"off" | "on" | "pending"} */
export const starOf = (favorite) =>
  favorite === "yes" || favorite === true ? "on" : favorite === "pending-yes" ? "pending" : "off";

/** Whether a form shows a card's actions as buttons; in other forms, the whole card acts as one.
 * @param {Form} form */
export const hasButtons = (form) => form === "hero" || form === "detail" || form === "banner";

/** Describes a card to a screen reader.
 * @param {import("./screen-types.js").ScreenItem} item @param {number} index @param {Company} company
 * @param {import("./screen-words.js").Words} words */
export function sentenceOf(item, index, company, words) {
  const card = item.card ?? {};
  const isRanked = expectedForm(company.kind, card) === "ranked";
  const place = placeOf(card, index);
  const movement = isRanked || card.rank ? movementOf(card, place) : null;
  const parts = [isRanked ? words.whole(place) : "", clean(card.overline), clean(card.title), ...linesOf(card)];
  if (movement === "new") parts.push(words.say("isNew"));
  else if (movement !== null) {
    parts.push(
      movement > 0 ? words.say("rose", movement) : movement < 0 ? words.say("fell", -movement) : words.say("stayed"));
  }
  parts.push(...(card.badges ?? []).slice(0, CardLimits.badges).map((badge) => clean(badge.text)));
  const rating = Number(card.rating?.value);
  if (rating > 0) parts.push(words.say("rating", words.say("of", words.decimal(rating), card.rating?.scale || 10)));
  if (card.price) parts.push(words.price(card.price));
  if (card.progress) parts.push(words.progress(card.progress));
  if (isRanked) {
    const facts = (card.facts ?? []).slice(0, CardLimits.factColumns);
    parts.push(...facts.map(({ label, value }) => clean(`${label ?? ""} ${value ?? ""}`)));
  }
  return parts.filter((part) => part !== "").join(", ");
}

"""###,
"js/screen-changes.js": ###"""
// Finds the items of a section that were moved, added or removed between two lists.

/** @typedef {{added: Set<string>, removed: Set<string>, moved: Set<string>}} ListChanges */

/** Maximum number of items for which moves are found. Beyond it, items slide to their places without passing in front
 * of others. */
const MAXIMUM_COMPARED = 5000;

/** The changes between two lists of ids. As many items as possible keep their order.
 * @param {readonly string[]} before @param {readonly string[]} after @returns {ListChanges} */
export function changesBetween(before, after) {
  const oldPlaces = new Map(before.map((id, index) => [id, index]));
  const newIds = new Set(after);
  const kept = after.filter((id) => oldPlaces.has(id));
  return {
    added: new Set(after.filter((id) => !oldPlaces.has(id))), removed: new Set(before.filter((id) => !newIds.has(id))),
    moved: kept.length > MAXIMUM_COMPARED ? new Set() : movedOf(kept, oldPlaces),
  };
}

/** The ids outside a longest increasing subsequence of their old places (patience sorting).
 * @param {readonly string[]} kept @param {Map<string, number>} oldPlaces */
function movedOf(kept, oldPlaces) {
  const places = kept.map((id) => oldPlaces.get(id) ?? 0);
  /** @type {number[]} */
  const tails = [];
  const previous = new Array(places.length).fill(-1);
  for (const [index, place] of places.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[tails[middle]] < place) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1];
    tails[low] = index;
  }
  const moved = new Set(kept);
  for (let index = tails[tails.length - 1] ?? -1; index >= 0; index = previous[index]) moved.delete(kept[index]);
  return moved;
}

/** The moves in a section according to the client's operations; `null` if the client reports no operations.
 * @param {readonly import("./screen-types.js").ScreenOperation[] | null | undefined} operations
 * @param {string} section */
export function reportedMoves(operations, section) {
  if (!Array.isArray(operations)) return null;
  return new Set(operations.filter((one) => one.op === "move" && one.section === section).map((one) => one.id ?? ""));
}

"""###,
"js/screen-clients.js": ###"""
// The clients of elements that have a `src`. Elements with the same address and token share one client. The client's
// modules are loaded when the first element needs them.

/** @typedef {import("./src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./src/client.js").Options["token"]} Token */
/** @typedef {{client: Promise<MarqueeClient>, leases: number, closing?: ReturnType<typeof setTimeout>}} Shared */

/**
 * @typedef {object} Lease
 * @property {Promise<MarqueeClient>} client Rejects if the address is invalid, or the modules can't be loaded.
 * @property {() => void} end Ends the lease; to be called once.
 */

/** Milliseconds before a client without elements is closed: an element that is moved within its page is removed and
 * inserted again. */
const LINGER_MILLISECONDS = 1000;

/** @type {Map<Token, Map<string, Shared>>} */
const clients = new Map();

/** Leases the client for an address.
 * @param {string} src Relative to the page; `http` and `https` stand for `ws` and `wss`.
 * @param {Token} token
 * @returns {Lease} */
export function leaseOf(src, token) {
  const bySource = clients.get(token) ?? new Map();
  clients.set(token, bySource);
  /** @type {Shared} */
  const shared = bySource.get(src) ?? { client: clientOf(src, token), leases: 0 };
  bySource.set(src, shared);
  shared.leases += 1;
  clearTimeout(shared.closing);
  const close = () => {
    bySource.delete(src);
    if (bySource.size === 0) clients.delete(token);
    shared.client.then((client) => client.close(), () => {});
  };
  return {
    client: shared.client,
    end: () => {
      shared.leases -= 1;
      if (shared.leases === 0) shared.closing = setTimeout(close, LINGER_MILLISECONDS);
    },
  };
}

/** @param {string} src @param {Token} token */
async function clientOf(src, token) {
  const address = new URL(src, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  const { MarqueeClient } = await import("./src/index.js");
  return new MarqueeClient(address.href, { token });
}

"""###,
"js/screen-dom.js": ###"""
// Creates elements. Texts only ever become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element with a class name, which is also the name of its `part`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} [name] @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) {
    element.className = name;
    element.setAttribute("part", name);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...Node} children */
export function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @type {Record<string, {d: string, filled?: boolean}>} */
const ICONS = {
  star: { d: "M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.1 1.1-6.5L2.600 9.500l6.500-.9z", filled: true },
  up: { d: "M5 15l7-7 7 7" },
  down: { d: "M5 9l7 7 7-7" },
  minus: { d: "M5 12h14" },
  plus: { d: "M12 5v14M5 12h14" },
  check: { d: "M5 12.500l5 5L19.500 7" },
  play: { d: "M7 4.500v15l13-7.500z", filled: true },
  info: { d: "M12 11v6M12 7.200v.1M12 21a9 9 0 100-18 9 9 0 000 18z" },
  next: { d: "M9 5l7 7-7 7" },
};

/** An icon, hidden from screen readers.
 * @param {string} name */
export function icon(name) {
  const { d, filled } = ICONS[name] ?? ICONS.next;
  const path = shape("path", { d });
  return shape(
    "svg", { class: `icon ${name}${filled ? " filled" : ""}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

/** Moves an element to a frame in its container.
 * @param {HTMLElement} element
 * @param {import("./layout.js").Rect} frame */
export function place(element, frame) {
  moveTo(element, frame.x, frame.y);
  element.style.width = `${frame.width}px`;
  element.style.height = `${frame.height}px`;
}

/** @param {HTMLElement} element @param {number} x @param {number} y */
export function moveTo(element, x, y) {
  element.style.translate = `${x}px ${y}px`;
}

/** Whether the browser can move an element in the document without removing it. */
const MOVES_BEFORE = "moveBefore" in Element.prototype;

/** Puts these children first, in this order, which screen readers follow. In a browser that can only move an element by
 * removing it, that would stop an animation or take the focus away; there, reordering waits until neither applies.
 * @param {HTMLElement} parent @param {HTMLElement[]} children @param {boolean} isMoving */
export function orderChildren(parent, children, isMoving) {
  if (!MOVES_BEFORE && (isMoving || parent.matches(":focus-within"))) return;
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else if (MOVES_BEFORE) /** @type {any} */ (parent).moveBefore(child, next);
    else parent.insertBefore(child, next);
  }
}

"""###,
"js/screen-input.js": ###"""
// Converts the sections of any client to the form that the element works with.

import { layoutOfBytes } from "./layout-bytes.js";
import { layoutProblem, sectionKinds } from "./layout.js";

/** @typedef {import("./screen-types.js").ScreenSection} ScreenSection */
/** @typedef {import("./screen-types.js").Supplement} Supplement */
/** @typedef {import("./layout.js").Layout} Layout */

/**
 * @typedef {object} SectionInput
 * @property {string} id
 * @property {string} kind The name of its kind.
 * @property {Supplement | null} header
 * @property {Supplement | null} footer
 * @property {Readonly<Record<string, Supplement>>} supplements
 * @property {Layout | null} layout `null` if there is none or it can't be used.
 * @property {readonly {id: string, title?: string}[]} sorts
 * @property {string} sort
 * @property {readonly number[]} windows
 * @property {number} window
 * @property {string} error
 * @property {number} placeholders
 * @property {number} first The place of the first item in the whole list, from 0.
 * @property {readonly import("./screen-types.js").ScreenItem[]} items
 */

/** Layouts already read, for as long as their bytes or values are alive.
 * @type {WeakMap<object, Layout | null>} */
const layouts = new WeakMap();

/** @param {Layout | Uint8Array | null | undefined} given @returns {Layout | null} */
function layoutOf(given) {
  if (!given) return null;
  const known = layouts.get(given);
  if (known !== undefined) return known;
  const layout = given instanceof Uint8Array ? layoutOfBytes(given) : given;
  const usable = layout && layoutProblem(layout) === null ? layout : null;
  layouts.set(given, usable);
  return usable;
}

/** The texts of supplementary views, by kind.
 * @param {ScreenSection["supplements"]} given @returns {Record<string, Supplement>} */
function supplementsOf(given) {
  /** @type {readonly {kind?: string, supplement?: Supplement}[] | null} */
  const named = Array.isArray(given) ? given : null;
  if (named) return Object.fromEntries(named.map(({ kind, supplement }) => [kind ?? "", supplement ?? {}]));
  return { .../** @type {Record<string, Supplement>} */ (given ?? {}) };
}

/** Converts a section, whose head's fields are either in `head` or in the section itself.
 * @param {ScreenSection} section @returns {SectionInput} */
export function sectionInput(section) {
  const head = section.head ?? section;
  const header = head.header ?? (section.title ? { title: section.title } : null);
  const error = section.error ?? head.error;
  return {
    id: section.id, header, footer: head.footer ?? null, supplements: supplementsOf(head.supplements),
    kind: typeof head.kind === "string" ? head.kind : sectionKinds[head.kind ?? 0] ?? `kind-${head.kind}`,
    layout: layoutOf(head.layout), sorts: head.sorts ?? [], sort: head.sort ?? "", windows: head.windows ?? [],
    window: head.window ?? 0, error: typeof error === "string" ? error : error?.message ?? "",
    placeholders: section.placeholders ?? 0, first: head.first ?? 0, items: section.items,
  };
}

"""###,
"js/screen-keys.js": ###"""
// Keyboard navigation: finds the item that a key moves the focus to, by the frames of a screen.

/** @typedef {import("./layout.js").ScreenLayout} ScreenLayout */
/** @typedef {import("./layout.js").ItemPosition} ItemPosition */
/** @typedef {import("./layout.js").Rect} Rect */

/** How much more a point of distance across the direction counts than one along it. */
const ASIDE = 2;

/**
 * The item that a key moves the focus to; `null` if there is none, or the key isn't an arrow, Home or End.
 * @param {ScreenLayout} layout @param {ItemPosition} from @param {string} key Of a keyboard event.
 * @param {(section: number) => number | undefined} offset How far a section is scrolled sideways.
 * @returns {ItemPosition | null}
 */
export function neighbour(layout, from, key, offset) {
  const frames = layout.sections[from.section];
  const last = frames.itemCount - 1;
  switch (key) {
    case "Home": return from.item === 0 ? null : { section: from.section, item: 0 };
    case "End": return from.item === last ? null : { section: from.section, item: last };
    case "ArrowLeft": return within(layout, from, -1, 0);
    case "ArrowRight": return within(layout, from, 1, 0);
    case "ArrowUp": return within(layout, from, 0, -1) ?? beyond(layout, from, -1, offset);
    case "ArrowDown": return within(layout, from, 0, 1) ?? beyond(layout, from, 1, offset);
    default: return null;
  }
}

/** The nearest item of the same section in a direction.
 * @param {ScreenLayout} layout @param {ItemPosition} from @param {number} dx @param {number} dy
 * @returns {ItemPosition | null} */
function within(layout, from, dx, dy) {
  const frames = layout.sections[from.section];
  const own = frames.frameOfItem(from.item);
  if (!own) return null;
  const { width, height } = frames.container;
  // The nearest item in that direction, if there is one, is within a screen's width or height.
  const window = {
    x: dx > 0 ? centre(own).x : own.x - width, y: dy === 0 ? own.y : dy > 0 ? centre(own).y : own.y - height,
    width: dx === 0 ? 2 * width + own.width : width + own.width, height: dy === 0 ? own.height : height + own.height,
  };
  const item = nearest(frames.itemsIn(window), from.item, own, frames, dx, dy);
  return item === null ? null : { section: from.section, item };
}

/** The nearest item in the next section above or below that has any.
 * @param {ScreenLayout} layout @param {ItemPosition} from @param {number} dy
 * @param {(section: number) => number | undefined} offset @returns {ItemPosition | null} */
function beyond(layout, from, dy, offset) {
  const own = layout.frameOf(from, offset(from.section));
  if (!own) return null;
  for (let section = from.section + dy; section >= 0 && section < layout.sections.length; section += dy) {
    const frames = layout.sections[section];
    if (frames.itemCount === 0) continue;
    const x = offset(section) ?? frames.initialOffset;
    const { width, height } = frames.contentSize;
    const window = { x, y: 0, width: Math.min(width, frames.container.width), height };
    const shown = frames.itemsIn(window);
    const tops = shown.map((item) => topOf(frames, item));
    const edge = dy > 0 ? Math.min(...tops) : Math.max(...tops);
    const row = shown.filter((item) => topOf(frames, item) === edge);
    const goal = centre(own).x + x;
    const item = row.sort((a, b) => aside(frames, a, goal) - aside(frames, b, goal))[0];
    return { section, item: item ?? (dy > 0 ? 0 : frames.itemCount - 1) };
  }
  return null;
}

/** @param {Rect} r */
const centre = (r) => ({ x: r.x + r.width / 2, y: r.y + r.height / 2 });
/** @param {import("./layout.js").SectionFrames} frames @param {number} item */
const topOf = (frames, item) => frames.frameOfItem(item)?.y ?? 0;
/** @param {import("./layout.js").SectionFrames} frames @param {number} item @param {number} x */
const aside = (frames, item, x) => {
  const frame = frames.frameOfItem(item);
  return frame ? Math.abs(centre(frame).x - x) : Infinity;
};

/** @param {number[]} items @param {number} except @param {Rect} own @param {import("./layout.js").SectionFrames} frames
 * @param {number} dx @param {number} dy */
function nearest(items, except, own, frames, dx, dy) {
  const from = centre(own);
  let [best, least] = [/** @type {number | null} */ (null), Infinity];
  for (const item of items) {
    const frame = frames.frameOfItem(item);
    if (item === except || !frame) continue;
    const to = centre(frame);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    if (along <= 1) continue;
    const away = along + ASIDE * Math.abs((to.x - from.x) * dy + (to.y - from.y) * dx);
    if (away < least) [best, least] = [item, away];
  }
  return best;
}

"""###,
"js/screen-section.js": ###"""
// One section in the document: its background, its supplementary views, and the items near the visible part.

import { planOf } from "./screen-cards.js";
import { make, moveTo, orderChildren, place } from "./screen-dom.js";
import { badgeElement, cardElement, footerElement, headerElement, sideElement, starElement } from "./screen-views.js";
import { Scrolling } from "./layout.js";

/** @typedef {import("./layout.js").Rect} Rect */
/** @typedef {import("./layout.js").SectionFrames} SectionFrames */
/** @typedef {import("./screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("./screen-input.js").SectionInput} SectionInput */

/**
 * @typedef {object} SectionState A section with its layout.
 * @property {SectionInput} section
 * @property {string} id
 * @property {import("./screen-cards.js").Company} company
 * @property {import("./layout.js").Layout} layout
 * @property {SectionFrames} frames
 * @property {Map<string, number>} places The items' indices, by id.
 * @property {number} placeholders The number of placeholders shown while there are no items.
 */

/**
 * @typedef {object} SectionHost The services that a section needs from its screen.
 * @property {import("./screen-views.js").Surroundings} around
 * @property {() => void} scrolled
 * @property {(section: string, sort: string) => void} choose
 * @property {(section: string) => void} showMore
 */

/** @typedef {{root: HTMLElement, card: HTMLElement, item: ScreenItem, key: string, frame: Rect}} ItemView */

/** Points to either side of the visible part within which items are kept in the document. */
const MARGIN = 200;
/** Page stops kept in the document before and after the nearest one. */
const STOPS = 500;
/** The duration of a section's slide, in milliseconds. */
const SLIDE_MILLISECONDS = 350;
/** Milliseconds after which a removed item's element is removed from the document, even if it hasn't faded out. */
const GHOST_MILLISECONDS = 600;
/** Maximum number of items that fade out at a time; any others vanish at once. */
const GHOSTS = 60;
/** Maximum number of points by which a header is indented to line up with the items. */
const HEADER_MARGIN = 24;

/** A section in the document. */
export class SectionView {
  /** @type {Map<string, ItemView>} */ #items = new Map();
  /** @type {HTMLElement} */ #list;
  /** @type {HTMLElement | null} */ #sideways = null;
  /** @type {HTMLElement[]} */ #views = [];
  /** @type {HTMLElement | null} */ #background = null;
  #viewsKey = "";
  #ghosts = 0;
  #lower = 0;
  #contentWidth = 0;

  /**
   * @param {SectionState} state @param {SectionHost} host
   * @param {number | undefined} offset Where it was scrolled to when it was last in the document.
   */
  constructor(state, host, offset) {
    this.host = host;
    this.state = state;
    this.root = make("div", "section");
    this.root.setAttribute("role", "group");
    this.#list = make("div", "list");
    this.#list.setAttribute("role", "list");
    if (state.frames.scrolling === Scrolling.none) this.root.append(this.#list);
    else this.#makeSideways(state.frames, offset);
    this.update(state);
  }

  /** Whether this view can show a state: a section that starts or stops scrolling sideways needs a new view.
   * @param {SectionState} state */
  suits(state) { return (this.#sideways === null) === (state.frames.scrolling === Scrolling.none); }

  /** @type {number | null} */ #top = null;

  /** Puts the section at a distance from the screen's top. It sets `top` rather than a translation, which sticky views
   * would ignore; only the slide from the old position is a translation.
   * @param {number} top @param {boolean} slides */
  moveTo(top, slides) {
    if (top === this.#top) return;
    const from = this.#top;
    this.#top = top;
    this.root.style.top = `${top}px`;
    if (!slides || from === null) return;
    const slide = { translate: [`0 ${from - top}px`, "0 0"] };
    this.root.animate(slide, { duration: SLIDE_MILLISECONDS, easing: "cubic-bezier(.2,.7,.3,1)", composite: "add" });
  }

  /** The items in the document. */
  get items() { return this.#items; }

  /** @param {SectionFrames} frames @param {number | undefined} offset */
  #makeSideways(frames, offset) {
    this.#list.className = "content";
    this.#stopLayer.setAttribute("aria-hidden", "true");
    this.#sideways = make("div", "sideways", this.#list, this.#stopLayer);
    // Chromium lets the tab key stop at whatever scrolls, even where arrow keys already lead from item to item.
    this.#sideways.tabIndex = -1;
    this.#sideways.addEventListener("scroll", () => this.host.scrolled(), { passive: true });
    this.root.append(this.#sideways);
    this.#measureContent(frames);
    const { lower } = frames.offsetRange;
    const start = offset ?? frames.initialOffset;
    // It can't be scrolled before it is in the document.
    queueMicrotask(() => { if (this.#sideways) this.#sideways.scrollLeft = start - lower; });
    this.#offset = start;
  }

  #offset = 0;

  /** How far it is scrolled sideways, in the layout engine's coordinates; 0 if it doesn't scroll sideways. */
  get offset() {
    if (!this.#sideways) return 0;
    const isRendered = this.#sideways.isConnected && this.#sideways.clientWidth > 0;
    if (isRendered) this.#offset = this.#sideways.scrollLeft + this.#lower;
    return this.#offset;
  }

  /** @param {SectionFrames} frames */
  #measureContent(frames) {
    if (!this.#sideways) return;
    const { lower, upper } = frames.offsetRange;
    const width = upper - lower + frames.container.width;
    const before = this.#contentWidth;
    this.#list.style.width = `${width}px`;
    this.#sideways.style.height = `${frames.contentSize.height}px`;
    const { scrolling } = frames;
    this.#sideways.classList.toggle("snaps", scrolling !== Scrolling.continuous);
    this.#sideways.classList.toggle("single", scrolling !== Scrolling.continuousGroupLeadingBoundary);
    this.#lower = lower;
    this.#contentWidth = width;
    // In a right-to-left section, the visible content stays in place while the width changes.
    if (frames.isRightToLeft && before > 0 && before !== width) this.#sideways.scrollLeft += width - before;
  }

  /** Shows another state of the section, except for its items, which `sync` updates.
   * @param {SectionState} state */
  update(state) {
    const { frames, section } = state;
    const isSameLayout = state.layout === this.state.layout
      || JSON.stringify(state.layout) === JSON.stringify(this.state.layout);
    // Badges come from the layout, so the items are rebuilt.
    if (!isSameLayout) for (const view of this.#items.values()) view.key = "";
    this.state = state;
    this.root.style.height = `${frames.contentSize.height}px`;
    if (frames !== this.#measuredFrames) this.#measureContent(frames);
    this.#measuredFrames = frames;
    this.#placeBackground(frames);
    this.#placeViews(state);
    const title = this.root.querySelector(".header-title");
    if (title?.textContent) this.root.setAttribute("aria-labelledby", title.id);
    else this.root.removeAttribute("aria-labelledby");
    this.#list.setAttribute("aria-busy", String(section.items.length === 0 && state.placeholders > 0));
  }

  /** @type {SectionFrames | null} */
  #measuredFrames = null;

  /** @param {SectionFrames} frames */
  #placeBackground({ background }) {
    this.root.classList.toggle("decorated", background !== null);
    if (!background) {
      this.#background?.remove();
      this.#background = null;
      return;
    }
    if (!this.#background) {
      this.#background = make("div", "background");
      this.root.prepend(this.#background);
    }
    place(this.#background, background.frame);
    this.#background.style.zIndex = background.depth === -Infinity ? "-1000001" : String(background.depth);
  }

  // ---------------------------------------------------------------- headers, footers and side views

  /** @param {SectionState} state */
  #placeViews(state) {
    const { section, frames, layout } = state;
    const { header, error } = section;
    const views = layout.supplementaries ?? [];
    const key = JSON.stringify([
      views, header, section.footer, section.supplements, section.sorts, section.sort, error,
      frames.container.width, frames.isRightToLeft, this.host.around.words.locale,
    ]);
    if (key !== this.#viewsKey) {
      this.#viewsKey = key;
      for (const element of this.#views) (element.closest(".pin") ?? element).remove();
      this.#views = frames.supplementaryFrames.map((view, index) => {
        const element = this.#viewOf(state, view.kind, header, error, view.frame);
        if (views[index].height?.unit === ESTIMATED) element.classList.add("measured");
        element.style.zIndex = String(view.depth);
        this.root.append(frames.pinOf(index) ? this.#pinned(element) : element);
        return element;
      });
    }
    const margin = this.#headerMargin(frames);
    this.#margin = margin;
    for (const [index, { frame }] of frames.supplementaryFrames.entries()) {
      const element = this.#views[index];
      element.style.setProperty("--margin", `${margin}px`);
      element.classList.toggle("low", frame.height < 36);
      const pin = frames.pinOf(index);
      if (pin) this.#placePinned(element, frame, pin, frames.contentSize.height);
      else place(element, frame);
    }
  }

  /** The distance from the first view's start to the first item's, within limits.
   * @param {SectionFrames} frames */
  #headerMargin(frames) {
    const [first, header] = [frames.frameOfItem(0), frames.supplementaryFrames[0]?.frame];
    if (!first || !header) return 0;
    const x = first.x - frames.initialOffset;
    const inside = frames.isRightToLeft ? header.x + header.width - (x + first.width) : x - header.x;
    return Math.min(Math.max(inside, 0), HEADER_MARGIN);
  }

  /** @param {SectionState} state @param {string} kind @param {import("./screen-types.js").Supplement | null} header
   * @param {string} error @param {Rect} frame */
  #viewOf(state, kind, header, error, frame) {
    const { section } = state;
    const { around } = this.host;
    if (kind === "header") {
      const heading = { supplement: header, sorts: section.sorts, sort: section.sort, error };
      return headerElement(heading, `title-${section.id}`, around, (sort) => this.host.choose(section.id, sort));
    }
    if (kind === "footer") return footerElement(section.footer, around, () => this.host.showMore(section.id));
    const supplement = section.supplements[kind];
    if (frame.height > frame.width) return sideElement(supplement, false);
    const heading = { supplement, sorts: [], sort: undefined, error: "" };
    return headerElement(heading, `view-${section.id}-${kind}`, around, () => {});
  }

  /** @param {HTMLElement} element */
  #pinned(element) {
    const pin = document.createElement("div");
    pin.className = "pin";
    pin.append(element);
    return pin;
  }

  /** Lets the browser pin a view: it is sticky within a box that covers the range in which it may move.
   * @param {HTMLElement} element @param {Rect} frame @param {import("./layout.js").Pin} pin @param {number} height */
  #placePinned(element, frame, pin, height) {
    const box = /** @type {HTMLElement} */ (element.parentElement);
    const [top, bottom] = pin.edge === "top" ? [frame.y, height - pin.behind] : [pin.before, frame.y + frame.height];
    box.style.top = `${top}px`;
    box.style.height = `${Math.max(bottom - top, frame.height)}px`;
    box.style.zIndex = element.style.zIndex;
    box.classList.toggle("bottom", pin.edge === "bottom");
    element.style.top = pin.edge === "top" ? `${pin.before}px` : "auto";
    element.style.bottom = pin.edge === "bottom" ? `${pin.behind}px` : "auto";
    element.style.marginLeft = `${frame.x}px`;
    element.style.width = `${frame.width}px`;
    element.style.height = `${frame.height}px`;
  }

  #measuredKey = "";
  #margin = 0;

  /** Measures views of estimated height. Returns their sizes by index, or none if nothing has changed since they were
   * last measured.
   * @returns {Map<number, import("./layout.js").Size>} */
  measureViews() {
    const sizes = new Map();
    const key = `${this.#viewsKey} ${this.#margin}`;
    if (key === this.#measuredKey) return sizes;
    this.#measuredKey = key;
    for (const [index, element] of this.#views.entries()) {
      if (!element.classList.contains("measured")) continue;
      const { height } = element.style;
      element.style.height = "auto";
      const needed = element.textContent ? element.offsetHeight : 0;
      element.style.height = height;
      sizes.set(index, { width: this.state.frames.supplementaryFrames[index].frame.width, height: needed });
    }
    return sizes;
  }

  // ---------------------------------------------------------------- items

  /**
   * Puts the items near the visible part into the document, and removes the others.
   * @param {{top: number, height: number}} visible From the section's top.
   * @param {SectionState | null} before The state that items move from; `null` if nothing is animated.
   * @param {Set<string>} raised Items that pass in front of the others.
   * @param {string | null} kept The item that has the focus, which stays in the document.
   * @param {number} most Maximum number of items in the document.
   * @returns {(() => void)[]} Start the animations; to be called once the document has the items' old positions.
   */
  sync(visible, before, raised, kept, most) {
    const { frames, section } = this.state;
    const isSideways = this.#sideways !== null;
    const x = isSideways ? this.offset - MARGIN : 0;
    const wanted = frames.itemsIn({
      x, y: visible.top, width: frames.container.width + (isSideways ? 2 * MARGIN : 0), height: visible.height,
    }).slice(0, most);
    const keptPlace = kept === null ? undefined : this.state.places.get(kept);
    if (keptPlace !== undefined && !wanted.includes(keptPlace)) wanted.push(keptPlace);
    /** @type {(() => void)[]} */
    const moves = [];
    const shown = new Set();
    for (const index of wanted) {
      const item = section.items[index];
      const id = item ? item.id : placeholderId(index);
      shown.add(id);
      this.#show(id, item, index, before, raised.has(id), moves);
    }
    for (const [id, view] of this.#items) if (!shown.has(id)) this.#hide(id, view, before);
    this.#placeStops(frames);
    this.#order(wanted, before !== null);
    return moves;
  }

  /** Puts the items' elements in the order of the list.
   * @param {number[]} wanted @param {boolean} isMoving */
  #order(wanted, isMoving) {
    const { items } = this.state.section;
    const roots = [...wanted].sort((a, b) => a - b)
      .flatMap((index) => this.#items.get(items[index]?.id ?? placeholderId(index))?.root ?? []);
    orderChildren(this.#list, roots, isMoving);
  }

  /** @param {string} id @param {ScreenItem | undefined} item @param {number} index @param {SectionState | null} before
   * @param {boolean} isRaised @param {(() => void)[]} moves */
  #show(id, item, index, before, isRaised, moves) {
    const { frames, company, section } = this.state;
    const frame = /** @type {Rect} */ (frames.frameOfItem(index));
    const view = this.#items.get(id);
    if (!view) {
      const made = this.#makeItem(item, index, frame);
      this.#items.set(id, made);
      this.#list.append(made.root);
      this.#moveIn(made, before && item ? before.places.get(id) : undefined, before, moves);
      return;
    }
    if (item) {
      const key = keyOf(item, section.first + index, frame, company, this.host.around);
      const isSame = view.key === key && (view.item === item || sameCard(view.item, item));
      if (!isSame) this.#rebuild(view, item, index, frame, key);
      view.item = item;
      view.root.setAttribute("aria-posinset", String(index + 1));
      view.root.setAttribute("aria-setsize", String(section.items.length));
    }
    view.root.classList.toggle("moved", isRaised && before !== null);
    if (!sameFrame(view.frame, frame) || before !== null) this.#position(view, frame);
  }

  /** @param {ItemView} view @param {Rect} frame */
  #position(view, frame) {
    view.frame = frame;
    place(view.root, { ...frame, x: frame.x - this.#lower });
  }

  /** @param {ScreenItem | undefined} item @param {number} index @param {Rect} frame @returns {ItemView} */
  #makeItem(item, index, frame) {
    const root = make("div", "item");
    root.setAttribute("role", "listitem");
    const none = /** @type {ScreenItem} */ ({ id: "" });
    /** @type {ItemView} */
    const view = { root, card: root, item: item ?? none, key: "", frame };
    if (item) {
      root.setAttribute("aria-posinset", String(index + 1));
      root.setAttribute("aria-setsize", String(this.state.section.items.length));
      const { company, section } = this.state;
      const key = keyOf(item, section.first + index, frame, company, this.host.around);
      this.#rebuild(view, item, index, frame, key);
    } else {
      root.append(make("div", "placeholder"));
      root.setAttribute("aria-hidden", "true");
    }
    this.#position(view, frame);
    return view;
  }

  /** @param {ItemView} view @param {ScreenItem} item @param {number} index @param {Rect} frame @param {string} key */
  #rebuild(view, item, index, frame, key) {
    const { company, frames, section } = this.state;
    const { around } = this.host;
    const isFocused = view.root.contains(/** @type {ShadowRoot} */ (view.root.getRootNode()).activeElement ?? null);
    const wasCurrent = view.card !== view.root && view.card.tabIndex === 0;
    view.key = key;
    view.root.dataset.id = item.id;
    if (!item.card) {
      view.root.replaceChildren();
      view.card = view.root;
      return;
    }
    const plan = planOf(item.card, frame, company);
    view.card = cardElement(item, section.first + index, plan, frame, company, around);
    if (wasCurrent) view.card.tabIndex = 0;
    const badges = frames.badgeFramesOfItem(index).map((badge) => {
      const element = badgeElement(badge.kind);
      place(element, { ...badge.frame, x: badge.frame.x - frame.x, y: badge.frame.y - frame.y });
      element.style.zIndex = String(badge.depth);
      return element;
    });
    const star = starElement(item, plan, frame, around);
    if (star && !wasCurrent) star.tabIndex = -1;
    view.root.replaceChildren(view.card, ...(star ? [star] : []), ...badges);
    if (!wasCurrent) for (const button of view.card.querySelectorAll("button")) button.tabIndex = -1;
    if (isFocused) view.card.focus({ preventScroll: true });
  }

  /** Animates an item that wasn't in the document: it slides in from its old position, or fades in.
   * @param {ItemView} view @param {number | undefined} oldPlace @param {SectionState | null} before
   * @param {(() => void)[]} moves */
  #moveIn(view, oldPlace, before, moves) {
    if (!before) return;
    const { frame } = view;
    const old = oldPlace === undefined ? null : before.frames.frameOfItem(oldPlace);
    if (!old) {
      view.root.classList.add("entering");
      moves.push(() => view.root.classList.remove("entering"));
      return;
    }
    const reach = this.state.frames.container.height;
    const y = Math.min(Math.max(old.y, frame.y - reach), frame.y + reach);
    moveTo(view.root, old.x - this.#lower, y);
    moves.push(() => this.#position(view, frame));
  }

  /** Removes an item from the document. One that is now far away slides there first; one that was removed fades out.
   * @param {string} id @param {ItemView} view
   * @param {SectionState | null} before */
  #hide(id, view, before) {
    this.#items.delete(id);
    if (!before || this.#ghosts >= GHOSTS) {
      view.root.remove();
      return;
    }
    const place = this.state.places.get(id);
    const frame = place === undefined ? null : this.state.frames.frameOfItem(place);
    if (frame) this.#position(view, frame);
    else view.root.classList.add("leaving");
    view.root.inert = true;
    view.root.setAttribute("aria-hidden", "true");
    this.#ghosts += 1;
    setTimeout(() => {
      view.root.remove();
      this.#ghosts -= 1;
    }, GHOST_MILLISECONDS);
  }

  /** Places the elements that the browser snaps to.
   * @param {SectionFrames} frames */
  #placeStops(frames) {
    const stops = frames.pageStops;
    if (!this.#sideways || stops.length === 0) return;
    const near = stops.nearest(this.offset);
    const isNear = near - STOPS / 2 >= this.#firstStop && near + STOPS / 2 < this.#firstStop + this.#stops.length;
    const first = isNear ? this.#firstStop : Math.max(0, near - STOPS);
    const wanted = Array.from(
      { length: Math.min(stops.length - first, 2 * STOPS) }, (_, index) => stops.at(first + index) - this.#lower);
    const { width } = frames.container;
    if (this.#stopWidth === width && wanted.length === this.#stops.length
      && wanted.every((stop, index) => stop === this.#stops[index])) return;
    [this.#firstStop, this.#stops, this.#stopWidth] = [first, wanted, width];
    this.#stopLayer.replaceChildren(...wanted.map((left) => {
      const stop = document.createElement("div");
      stop.className = "stop";
      stop.style.left = `${left}px`;
      stop.style.width = `${width}px`;
      return stop;
    }));
  }

  #stopLayer = document.createElement("div");
  /** @type {number[]} */ #stops = [];
  #stopWidth = 0;
  #firstStop = 0;

  /** Measures the cards in the document that are as high as their content.
   * @returns {Map<string, import("./layout.js").Size>} */
  measureItems() {
    const sizes = new Map();
    for (const [id, { card, frame }] of this.#items) {
      if (card.classList.contains("detail")) sizes.set(id, { width: frame.width, height: card.offsetHeight });
    }
    return sizes;
  }

  /** Scrolls sideways until an item is visible.
   * @param {Rect} frame */
  reveal(frame) {
    if (!this.#sideways) return;
    const { width } = this.state.frames.container;
    const { offset } = this;
    if (frame.x >= offset && frame.x + frame.width <= offset + width) return;
    const left = frame.x < offset ? frame.x - HEADER_MARGIN : frame.x + frame.width - width + HEADER_MARGIN;
    this.#sideways.scrollLeft = left - this.#lower;
  }
}

const ESTIMATED = 4;
/** @param {number} index */
const placeholderId = (index) => `placeholder ${index}`;

/** @param {Rect} a @param {Rect} b */
const sameFrame = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** A key for everything except the card that an item's elements depend on.
 * @param {ScreenItem} item @param {number} index
 * @param {Rect} frame @param {import("./screen-cards.js").Company} company
 * @param {import("./screen-views.js").Surroundings} around */
function keyOf(item, index, frame, company, around) {
  const isRanked = company.kind === "rank" || company.kind === "chart" || item.card?.rank;
  return [
    frame.width, frame.height, around.starOf(item), isRanked ? index : "", company.kind, company.hasImages,
    company.aspect, company.hasStars, around.words.locale, around.hasFavorites,
  ].join(" ");
}

/** Whether two items have equal cards. Some clients keep the object of an unchanged card; others parse a new one from
 * JSON each time.
 * @param {ScreenItem} a @param {ScreenItem} b */
const sameCard = (a, b) => a.card === b.card || JSON.stringify(a.card) === JSON.stringify(b.card);

"""###,
"js/screen-styles.js": ###"""
// The element's style sheet. The page can override each colour with a custom property, `--marquee-` and its name.

/** Colours by scheme; test/screen.test.js checks their contrast.
 * @type {Record<"light" | "dark", Record<string, string>>} */
export const palette = {
  light: {
    background: "#ffffff", surface: "#f2f3f7", placeholder: "#e6e8ee", text: "#16181d", secondary: "#5b616e",
    accent: "#5624d0", "on-accent": "#ffffff", "accent-text": "#5624d0", star: "#b87300", warning: "#b3261e",
    rose: "#19713d", fell: "#b91d33", track: "#c9ccd6",
  },
  dark: {
    background: "#0e0f13", surface: "#1c1e25", placeholder: "#23262e", text: "#f5f6f8", secondary: "#a0a5b1",
    accent: "#c9292d", "on-accent": "#ffffff", "accent-text": "#ff7a7c", star: "#ffc83d", warning: "#ff8a65",
    rose: "#54cf86", fell: "#ff7d8c", track: "#4a4e5a",
  },
};

/** Background and text colours of badges, by role.
 * @type {Record<string, [string, string]>} */
export const badgeColors = {
  neutral: ["#636a78", "#ffffff"], good: ["#1f7a43", "#ffffff"], warning: ["#f2c230", "#1a1a1a"],
  bad: ["#c41f34", "#ffffff"], highlight: ["#eceb98", "#3d3c0a"],
};

/** @param {"light" | "dark"} scheme */
const variables = (scheme) => Object.entries(palette[scheme])
  .map(([name, color]) => `--${name}:var(--marquee-${name},${color});`).join("");

const css = `
:host{display:block;position:relative;block-size:var(--marquee-height,100dvh);color-scheme:light dark;
 ${variables("light")}
 --radius:var(--marquee-radius,8px);--duration:var(--marquee-duration,.35s);
 font-family:var(--marquee-font,Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif);
 font-size:15px;line-height:20px;color:var(--text);background:var(--background);-webkit-text-size-adjust:100%}
:host([hidden]){display:none}
@media (prefers-color-scheme:dark){:host(:not([theme=light])){${variables("dark")}}}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark;${variables("dark")}}
*,*::before,*::after{box-sizing:border-box}
h2,p,dl,dd,dt,ul{margin:0;padding:0;font:inherit}
button{font:inherit;color:inherit;background:none;border:0;padding:0;margin:0;cursor:pointer;text-align:inherit;
 -webkit-tap-highlight-color:transparent}
:focus-visible{outline:3px solid var(--accent-text);outline-offset:2px}
.card:focus-visible{outline:3px solid transparent;outline-offset:-3px}
.card:focus-visible::after{content:"";position:absolute;z-index:4;inset:0;border-radius:inherit;pointer-events:none;
 box-shadow:inset 0 0 0 3px var(--accent-text),inset 0 0 0 5px var(--background)}
.poster:focus-visible::after,.numbered:focus-visible::after,.person:focus-visible::after,.course:focus-visible::after,
.place:focus-visible::after{inset:-5px;border-radius:calc(var(--radius) + 4px)}
@media (forced-colors:active){.card,.badge,.order,.action{border:1px solid}}
.scroller{position:absolute;inset:0;overflow-x:hidden;overflow-y:auto;overflow-anchor:none;outline-offset:-3px}
.canvas{position:relative;overflow:hidden;overflow:clip}
.section{position:absolute;top:0;left:0;width:100%;isolation:isolate}
.background,.header,.footer,.side,.item,.view-badge{position:absolute;top:0;left:0}
.background{background:color-mix(in srgb,var(--surface) 55%,var(--background))}
.sideways{position:absolute;left:0;width:100%;overflow-x:auto;overflow-y:hidden;direction:ltr;scrollbar-width:none;
 overscroll-behavior-x:contain}
.sideways::-webkit-scrollbar{display:none}
.sideways.snaps{scroll-snap-type:x mandatory}
.content{position:relative;height:100%;overflow:clip}
.stop{position:absolute;top:0;height:1px;scroll-snap-align:start;pointer-events:none}
.sideways.single .stop{scroll-snap-stop:always}
.section,.item{contain:layout style}
.item{direction:var(--direction)}
.root.animated .item,.root.animated .view-badge,.root.animated .header,.root.animated .footer{
 transition:translate var(--duration) cubic-bezier(.2,.7,.3,1),opacity var(--duration),scale var(--duration)}
.root.animated .item{will-change:translate}
.item.entering{opacity:0;scale:.94}
.item.leaving{opacity:0;scale:.94;pointer-events:none}
.item.moved{z-index:1}
@media (prefers-reduced-motion:reduce){.root.animated *{transition:none!important}.placeholder{
 animation:none!important}}
.pin{position:absolute;left:0;width:100%;pointer-events:none}
.pin>*{position:sticky;pointer-events:auto}
.pin.bottom{display:flex;flex-direction:column;justify-content:flex-end}
.pin .header,.pin .footer{background:var(--background)}
.decorated .pin .header,.decorated .pin .footer{background:color-mix(in srgb,var(--surface) 55%,var(--background))}
.quiet{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}

.header{display:flex;align-items:center;gap:14px;padding-inline:var(--margin,0)}
.header-title{flex:1 1 auto;min-width:60px;font-size:20px;line-height:26px;font-weight:700;letter-spacing:-.01em;
 overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1}
.header.measured .header-title{-webkit-line-clamp:6}
.header.measured{padding-block:9px}
.header.low .header-title{font-size:18px;line-height:22px}
.header-action{flex:none;font-size:13px;font-weight:600;color:var(--accent-text);padding:4px 2px;min-height:24px}
.orders{flex:0 1 auto;display:flex;gap:7px;overflow-x:auto;scrollbar-width:none;padding:3px}
.order{flex:none;font-size:12px;line-height:16px;font-weight:600;padding:4px 11px;border-radius:13px;
 color:var(--secondary);
 box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--secondary) 55%,transparent)}
.order[aria-pressed=true]{background:var(--accent);color:var(--on-accent);box-shadow:none}
.header-error{font-size:12px;line-height:16px;color:var(--warning);flex:0 1 auto}
.footer{display:flex;align-items:center;justify-content:center;text-align:center}
.footer.measured{padding-block:9px}
.footer-words{max-width:100%;font-size:14px;line-height:18px;font-weight:600;border-radius:18px;
 background:var(--surface);
 padding:9px 18px;overflow:hidden;display:flex;align-items:center;gap:8px}
.footer-words .icon{width:12px;height:12px;color:var(--secondary)}
.side{display:flex;align-items:flex-start}
.side-words{writing-mode:vertical-rl;width:min(100%,26px);height:100%;display:flex;align-items:center;
 justify-content:center;
 background:color-mix(in srgb,var(--surface) 85%,transparent);border-radius:13px;color:var(--accent-text);
 font-size:13px;
 font-weight:700;overflow:hidden;white-space:nowrap}
.side.wide .side-words{writing-mode:horizontal-tb;width:100%;height:min(100%,26px)}

.card{position:relative;display:flex;width:100%;height:100%;border-radius:var(--radius);text-align:start;cursor:default;
 overflow:hidden;-webkit-user-select:none;user-select:none}
.card[role=link]{cursor:pointer}
.item:focus-within{z-index:2}
.image{position:relative;flex:none;overflow:hidden;background:var(--placeholder)}
.image .artwork,.image img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;display:block}
.words{flex:1 1 0;min-width:0;min-height:0;display:flex;flex-direction:column;justify-content:center}
.title,.line,.overline,.prose{overflow:hidden;flex:none;white-space:nowrap;text-overflow:ellipsis}
.title{font-weight:600}
.two,.three,.five,.prose.short{white-space:normal;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;
 overflow-wrap:anywhere}
.three{-webkit-line-clamp:3}.five{-webkit-line-clamp:5}
.line,.overline{font-size:12px;line-height:16px;color:var(--secondary)}
.overline{font-weight:600}
.marks{display:flex;align-items:center;gap:6px;font-size:12px;line-height:16px;color:var(--secondary);min-height:20px;
 overflow:hidden;flex:none;white-space:nowrap}
.on-line{display:flex;gap:5px;min-width:0;overflow:hidden}
.rating{display:inline-flex;align-items:center;gap:3px;flex:none}
.rating.with-fact,.marks .line{flex:0 1 auto;min-width:0}
.icon{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:2.6;stroke-linecap:round;
 stroke-linejoin:round;display:block}
.icon.filled{fill:currentColor;stroke:none}
.rating .icon{width:13px;height:13px;color:var(--star)}
.badge{flex:none;font-size:11px;line-height:17px;font-weight:700;padding:0 6px;border-radius:4px;max-width:100%;
 overflow:hidden;text-overflow:ellipsis;white-space:nowrap;background:var(--fill,var(--accent));
 color:var(--on,var(--on-accent))}
${Object.entries(badgeColors).map(([role, [fill, on]]) => `.badge.${role}{--fill:${fill};--on:${on}}`).join("")}
.movement{display:inline-flex;align-items:center;gap:2px;font-weight:700;flex:none;color:var(--secondary);
 font-size:12px;
 line-height:16px}
.movement.rose{color:var(--rose)}.movement.fell{color:var(--fell)}.movement.new{color:var(--accent-text)}
.bar{position:absolute;inset-inline:0;bottom:0;height:3px;background:var(--track)}
.bar>*{height:100%;background:var(--accent-text)}
.price{flex:none;font-weight:700}
.facts{display:flex;flex:none}
.fact{width:46px;padding-inline-end:8px;display:flex;flex-direction:column;justify-content:center;text-align:end;
 font-weight:600;white-space:nowrap}
.fact>*{overflow:hidden;text-overflow:ellipsis}
.fact:only-child{width:auto;min-width:46px;max-width:10em}
.fact-label{font-size:10px;line-height:13px;font-weight:400;color:var(--secondary)}
.fact-value{order:-1}

.row{background:var(--surface);align-items:stretch}
.row .words{padding-inline:12px}
.row .price{align-self:center;padding-inline-end:12px}
.row.starred,.numbered.starred{padding-inline-end:32px}
.numbered{border-radius:0;align-items:stretch;overflow:visible}
.number{flex:none;width:1.6em;align-self:center;font-weight:800;font-size:var(--number,20px);line-height:1.1;
 letter-spacing:-.02em;overflow:hidden;white-space:nowrap}
.numbered .words{padding-inline:4px 8px}
.numbered .marks{min-height:16px}
.numbered .image{border-radius:var(--radius)}
.numbered.pictured .words{padding-inline-start:12px}
.poster{flex-direction:column;border-radius:0;overflow:visible}
.poster .image{border-radius:var(--radius);width:100%}
.poster .words{justify-content:flex-start;padding-top:5px;flex:1 1 auto}
.poster .title{font-size:13px;line-height:17px}
.poster .line,.poster .overline,.poster .marks{font-size:11px;line-height:15px;min-height:15px}
.poster .price{font-size:13px;line-height:17px}
.on-image{position:absolute;z-index:1;inset-inline-start:7px;top:7px;max-width:calc(100% - 14px);display:flex;gap:5px}
.lettered .words{position:absolute;inset:auto 0 0;padding:34px 10px 12px;text-align:center;flex:none;
 background:linear-gradient(#0e0f1300,#0e0f13c0 34px,#0e0f13e6);border-radius:0 0 var(--radius) var(--radius)}
.lettered .title{color:#fff;font-weight:700}
.figure{position:absolute;z-index:1;inset-inline-start:8px;line-height:1;font-weight:800;color:#fff;paint-order:stroke;
 -webkit-text-stroke:3px #000c}
.behind{border-radius:0;justify-content:flex-end}
.behind .image{border-radius:var(--radius)}
.behind .words{inset-inline-start:auto;inset-inline-end:0}
.behind .figure{inset-inline-start:0;bottom:0;z-index:-1;color:var(--background);
 -webkit-text-stroke:3px var(--secondary);
 letter-spacing:-.05em}
.tile{border-radius:12px;align-items:center;justify-content:center;text-align:center}
.tile .image{position:absolute;inset:0}
.tile .image::after,.hero .image::after{content:"";position:absolute;inset:0;background:#0000008c}
.tile .words{position:relative;z-index:1;padding:4px 6px;color:#fff}
.tile .title{font-weight:700;font-size:var(--letter,15px);line-height:1.25}
.tile .line{color:#ffffffe0;font-size:11px}
.person{align-items:center;gap:8px;border-radius:0;overflow:visible}
.person .image{border-radius:50%}
.person .title{font-size:12.5px;line-height:16px}
.person .line{font-size:11px;line-height:14px}
.hero{border-radius:0;flex-direction:column;justify-content:flex-end;color:#fff}
.hero .image{position:absolute;inset:0;height:100%!important;width:100%!important}
.hero .image::after{background:linear-gradient(#000b,#0009 44px,#0000 110px),linear-gradient(#0000 38%,#0e0f13 96%)}
.hero .words{position:relative;z-index:1;padding:48px 24px 16px;align-items:center;text-align:center;flex:none;
 gap:4px;background:linear-gradient(#0e0f1300,#0e0f13a6 48px,#0e0f13d9)}
.hero .title{font-size:30px;line-height:36px;font-weight:800;max-width:24em}
.hero .title.long{font-size:20px;line-height:26px;font-weight:700}
.hero .line,.hero .overline{color:#ffffffe6;font-size:14px;line-height:18px}
.hero .bar{position:static;width:min(100%,240px);height:4px;background:#fff5;border-radius:2px;margin-block:6px}
.buttons{display:flex;flex-wrap:wrap;gap:8px;margin-block:10px 14px}
.action{min-height:36px;padding:8px 16px;border-radius:18px;font-size:14px;line-height:20px;font-weight:600;
 box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--secondary) 70%,transparent);display:inline-flex;align-items:center;
 gap:6px;max-width:100%}
.action.main{background:var(--accent);color:var(--on-accent);box-shadow:none}
.hero .buttons{justify-content:space-around;align-self:stretch;margin:8px 0 0}
.hero .action{box-shadow:none;flex-direction:column;gap:4px;font-size:11px;line-height:14px;padding:4px 10px;color:#fff}
.hero .action .icon{width:18px;height:18px}
.hero .action.main{background:#fff;color:#000;flex-direction:row;font-size:15px;font-weight:700;border-radius:6px;
 padding:8px 16px;align-self:center}
.hero .action.main .icon{width:14px;height:14px}
.menu{position:absolute;z-index:1;top:20px;inset-inline:15px 60px;display:flex;gap:24px;overflow:hidden}
.menu .action{font-size:15px;font-weight:600;flex-direction:row;padding:0 1px;min-height:24px}
.banner,.course,.place{flex-direction:column}
.banner .image,.course .image,.place:not(.beside) .image{flex:1 1 0;width:100%!important;min-height:0}
.banner .words,.course .words,.place .words{flex:none;justify-content:flex-start}
.banner{background:var(--surface);border-radius:0}
.banner .words{padding:12px 16px;gap:2px}
.banner .title{font-size:19px;line-height:24px;font-weight:700}
.banner .line{font-size:13px;line-height:18px}
.course,.place{border-radius:0;overflow:visible}
.course .image,.place .image{border-radius:4px}
.course .words,.place .words{padding-top:5px}
.course .title,.place .title{font-size:13px;line-height:17px}
.course .line,.place .line{font-size:11px;line-height:15px}
.course .marks{font-size:11px;min-height:16px}
.course .price{font-size:13px;line-height:18px}
.place.beside{flex-direction:row;align-items:center;gap:12px}
.place.beside .image{flex:none;border-radius:8px}
.place.beside .words{flex:1 1 0;padding:0;justify-content:center}
.place.lettered{border-radius:var(--radius)}
.detail{flex-direction:column;border-radius:0;height:auto;-webkit-user-select:text;user-select:text}
.detail{--inset:16px}
.detail.inset{--inset:0px}
.detail .top{display:flex;gap:14px;padding:16px var(--inset) 0}
.detail .top .image{border-radius:var(--radius)}
.detail>.image{width:100%!important}
.detail .top .words{justify-content:flex-start;padding-inline-end:52px}
.detail .title{font-size:22px;line-height:28px;font-weight:700;-webkit-line-clamp:4}
.detail .line{font-size:13px;line-height:17px}
.detail .overline{font-size:13px;line-height:17px}
.detail .marks{font-size:14px;line-height:18px;color:var(--text);font-weight:600;min-height:26px;flex-wrap:wrap;
 overflow:visible}
.detail .rest{padding:8px var(--inset) 16px}
.detail .prose{line-height:21px;color:color-mix(in srgb,var(--text) 90%,var(--background));white-space:normal}
.detail .more{color:var(--accent-text);font-weight:600;font-size:14px;min-height:24px}
.detail .table{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:6px 10px;font-size:13px;line-height:17px;
 font-weight:600;margin-top:12px}
.detail dt{color:var(--secondary)}
.detail .bar{position:static;border-radius:2px;height:4px;margin-top:8px}
.detail .bar>*{border-radius:2px}

.favorite{position:absolute;z-index:3;inset-inline-end:4px;top:50%;width:28px;height:28px;margin-top:-14px;display:grid;
 place-items:center;color:var(--secondary);opacity:0;border-radius:50%;transition:opacity .15s}
.favorite .icon{width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2}
.favorite.on,.favorite.pending{color:var(--star)}
.favorite.on .icon{fill:currentColor;stroke:none}
.favorite.on,.favorite.pending,.item:hover .favorite,.item:focus-within .favorite,.favorite.always{opacity:1}
@media (hover:none){.favorite.off:not(.shy){opacity:.8}}
.favorite.over{top:6px;margin:0;inset-inline-end:6px;background:#000a;color:#ffffffe6}
.favorite.over.on,.favorite.over.pending{color:#ffc83d}
.favorite.over .icon{width:15px;height:15px}
.favorite.large{width:38px;height:38px;top:14px;inset-inline-end:16px}
.favorite.large .icon{width:22px;height:22px}
.view-badge{display:grid;place-items:center;border-radius:999px;background:var(--accent);color:var(--on-accent);
 font-size:12px;line-height:1;font-weight:700;overflow:hidden}
.view-badge.symbol{background:#fff;box-shadow:inset 0 0 0 2px #fff,inset 0 0 0 99px var(--mark,var(--accent))}
.view-badge.minus{--mark:#c4211f}
.view-badge .icon{width:58%;height:58%;color:#fff}
.placeholder{background:var(--placeholder);border-radius:var(--radius);width:100%;height:100%;
 animation:breathe 1.6s ease-in-out infinite alternate}
@keyframes breathe{from{opacity:1}to{opacity:.55}}
.notice{position:absolute;inset:0;display:grid;place-content:center;justify-items:center;gap:10px;padding:24px 15%;
 text-align:center;color:var(--secondary);font-weight:600;font-size:16px}
.notice.error{color:var(--warning)}
`;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** The style sheet, made once. A page's Content-Security-Policy doesn't apply to a sheet that a script constructs. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}

"""###,
"js/screen-views.js": ###"""
// The elements of cards, headers, footers and side views.

import { artwork } from "./screen-artwork.js";
import {
  CardLimits, aspectOf, expectedForm, hasButtons, linesOf, movementOf, openingOf, placeOf, sentenceOf,
} from "./screen-cards.js";
import { icon, make } from "./screen-dom.js";
import { clean } from "./screen-words.js";

/** @typedef {import("./screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("./screen-types.js").Card} Card */
/** @typedef {import("./screen-types.js").Action} Action */
/** @typedef {import("./screen-types.js").Supplement} Supplement */
/** @typedef {import("./screen-cards.js").CardPlan} CardPlan */

/**
 * @typedef {object} Surroundings The context in which cards and headers are built.
 * @property {import("./screen-words.js").Words} words
 * @property {(name: string) => string | null} imageURL
 * @property {boolean} hasFavorites Whether subjects can be favorites.
 * @property {(item: ScreenItem) => "off" | "on" | "pending"} starOf Whether an item is a favorite.
 * @property {(action: Action, item: ScreenItem | null) => void} act Performs an action that a person has chosen.
 */

/** The maximum width of a picture beside a detail card's title, and the maximum height of any picture on one, in
 * points. */
const DETAIL_PICTURE = 140;
const DETAIL_BACKDROP = 360;
/** At this distance from the screen's side, in points, a detail card needs no margin of its own. */
const INSET = 8;
const LONG_TITLE = 48;
const LONG_TEXT = 110;
const TILE_LETTERS = 7;

/** @param {string} text @param {string} name @param {number} [lines] */
const textOf = (text, name, lines = 1) => (text === "" ? null : make("div", name + (CLAMPS.get(lines) ?? ""), text));

/** @type {Map<number, string>} */
const CLAMPS = new Map([[2, " two"], [3, " three"], [5, " five"]]);

/**
 * Builds the card of an item.
 * @param {ScreenItem} item @param {number} index In its section.
 * @param {CardPlan} plan @param {import("./layout.js").Rect} frame @param {import("./screen-cards.js").Company} company
 * @param {Surroundings} around
 */
export function cardElement(item, index, plan, frame, company, around) {
  const card = item.card ?? {};
  const element = make("div", "card");
  element.classList.add(plan.form);
  if (plan.isLettered) element.classList.add("lettered");
  if (canStar(item, around) && (plan.form === "row" || plan.form === "numbered")) element.classList.add("starred");
  const parts = { item, card, index, plan, frame, company, around };
  for (const part of BUILDERS[plan.form](parts, element)) if (part) element.append(part);
  element.setAttribute("aria-label", sentenceOf(item, index, company, around.words));
  const opening = openingOf(item);
  element.setAttribute("role", opening && !hasButtons(plan.form) ? "link" : "group");
  element.tabIndex = -1;
  if (opening) {
    element.addEventListener("click", (event) => {
      if (!(/** @type {Element} */ (event.target).closest("button"))) around.act(opening, item);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === element) around.act(opening, item);
    });
  }
  return element;
}

/**
 * @typedef {{item: ScreenItem, card: Card, index: number, plan: CardPlan, frame: import("./layout.js").Rect,
 *   company: import("./screen-cards.js").Company, around: Surroundings}} Parts
 */

/** @param {ScreenItem} item @param {Surroundings} around */
const canStar = (item, around) => around.hasFavorites && Boolean(item.subject && item.card);

/** Whether a `place` card's frame is wide enough to show its text beside the image.
 * @param {import("./layout.js").Size} frame */
const isPlaceBeside = (frame) => frame.width > frame.height * 1.6;
/** The side length of the image in such a card.
 * @param {import("./layout.js").Size} frame */
const besideSide = (frame) => Math.max(0, Math.min(frame.height - 20, frame.width * 0.4));
/** The diameter of a portrait.
 * @param {import("./layout.js").Size} frame */
const portraitSide = (frame) => Math.min(frame.height, frame.width * 0.34);

/** Builds the star button of an item; `null` if the item can't be a favorite.
 * @param {ScreenItem} item @param {CardPlan} plan @param {import("./layout.js").Size} frame
 * @param {Surroundings} around */
export function starElement(item, plan, frame, around) {
  if (!canStar(item, around)) return null;
  const star = around.starOf(item);
  const button = make("button", "favorite", icon("star"));
  button.type = "button";
  button.classList.add(star);
  if (plan.form !== "row" && plan.form !== "numbered") button.classList.add("over");
  if (plan.form === "detail" || plan.form === "hero") button.classList.add("large");
  if (plan.form === "detail") button.classList.add("always");
  placeStar(button, plan, frame);
  const title = clean(item.card?.title);
  button.setAttribute("aria-pressed", String(star !== "off"));
  button.setAttribute("aria-label", around.words.say(star === "off" ? "addFavorite" : "removeFavorite", title));
  button.addEventListener("click", () => around.act({ id: "favorite" }, item));
  return button;
}

/** @type {Record<import("./screen-cards.js").Form, (parts: Parts, element: HTMLElement) => (Node | null)[]>} */
const BUILDERS = {
  row: (parts) => [
    imageElement(parts), rowWords(parts), priceElement(parts), barElement(parts.card),
  ],
  poster: (parts) => {
    const { plan, card, frame } = parts;
    const onImage = frame.width >= 110 ? badges(card, "on-image") : null;
    const figure = expectedForm(parts.company.kind, card) === "ranked" ? figureElement(parts) : null;
    return [imageElement(parts), onImage, figure, plan.isLettered && figure ? null : posterWords(parts)];
  },
  behind: (parts) => [
    figureElement(parts), imageElement(parts), posterWords(parts, parts.plan.imageWidth),
  ],
  numbered: (parts, element) => {
    const number = make("div", "number", parts.around.words.whole(placeOf(parts.card, parts.index)));
    number.style.setProperty("--number", `${Math.min(parts.frame.height * 0.45, 40)}px`);
    if (parts.plan.imageWidth > 0) element.classList.add("pictured");
    return [number, imageElement(parts), numberedWords(parts), factColumns(parts)];
  },
  tile: (parts, element) => {
    element.style.setProperty("--letter", `${Math.min(Math.max((parts.frame.width - 12) / TILE_LETTERS, 9), 17)}px`);
    const facts = linesOf(parts.card).join(" · ");
    const hasRoom = parts.frame.height >= 64;
    return [
      imageElement(parts, parts.frame.width, parts.frame.height),
      make("div", "words", textOf(clean(parts.card.title), "title", 2), hasRoom ? textOf(facts, "line") : null),
    ];
  },
  person: (parts) => {
    const side = portraitSide(parts.frame);
    const hasRoom = parts.frame.height >= 60;
    return [
      imageElement(parts, side, side),
      make("div", "words", textOf(clean(parts.card.title), "title", 2),
        textOf(linesOf(parts.card)[0] ?? "", "line", hasRoom ? 2 : 1)),
    ];
  },
  hero: heroParts,
  detail: detailParts,
  banner: (parts) => [
    imageElement(parts),
    make("div", "words", badges(parts.card, "marks"), textOf(clean(parts.card.overline), "overline"),
      textOf(clean(parts.card.title), "title", 2), textOf(linesOf(parts.card).join(" · "), "line", 2),
      buttonsElement((parts.card.actions ?? []).slice(0, 1), parts)),
  ],
  course: (parts) => [
    imageElement(parts),
    make("div", "words", textOf(clean(parts.card.title), "title", 2), textOf(linesOf(parts.card)[0] ?? "", "line"),
      make("div", "marks", ratingElement(parts), badges(parts.card, "")), priceElement(parts)),
  ],
  place: (parts, element) => {
    const { width, height } = parts.frame;
    const isBeside = isPlaceBeside(parts.frame);
    const side = besideSide(parts.frame);
    if (isBeside) element.classList.add("beside");
    return [
      isBeside ? imageElement(parts, side, side) : imageElement(parts),
      make("div", "words", textOf(clean(parts.card.title), "title", width > height ? 2 : 1),
        height >= 80 || isBeside ? textOf(linesOf(parts.card)[0] ?? "", "line") : null),
    ];
  },
};

/** Moves the star onto the image, where the image doesn't extend to the end of the card.
 * @param {HTMLElement} button @param {CardPlan} plan @param {import("./layout.js").Size} frame */
function placeStar(button, plan, frame) {
  let [corner, top] = [0, 0];
  if (plan.form === "place" && isPlaceBeside(frame)) {
    [corner, top] = [besideSide(frame) - 4, (frame.height - besideSide(frame)) / 2 + 4];
  } else if (plan.form === "person") {
    // A portrait is too small for a star that is always visible.
    button.classList.add("shy");
    [corner, top] = [portraitSide(frame) + 8, (frame.height + portraitSide(frame)) / 2 - STAR];
  } else {
    return;
  }
  button.style.insetInlineEnd = "auto";
  button.style.insetInlineStart = `${corner - STAR}px`;
  button.style.top = `${top}px`;
}

/** The size of a star on an image, in points. */
const STAR = 28;

// ---------------------------------------------------------------- parts

/** @param {Parts} parts @param {number} [width] @param {number} [height] */
function imageElement({ item, card, plan, around }, width = plan.imageWidth, height = plan.imageHeight) {
  if (width <= 0 || height <= 0) return null;
  const name = card.image?.name ?? "";
  const element = make("div", "image", artwork(name || clean(item.subject) || item.id, card.image?.color));
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
  const url = name ? around.imageURL(name) : null;
  if (url) {
    const image = document.createElement("img");
    image.alt = "";
    image.decoding = "async";
    image.addEventListener("error", () => image.remove());
    image.src = url;
    element.append(image);
  }
  return element;
}

/** @param {Card} card @param {string} name */
function badges(card, name) {
  const shown = (card.badges ?? []).slice(0, CardLimits.badges).filter((badge) => clean(badge.text) !== "");
  if (shown.length === 0) return null;
  const made = shown.map(({ text, role }) => {
    const badge = make("span", "badge", clean(text));
    badge.classList.add(ROLES.has(role ?? "") ? String(role) : "neutral");
    return badge;
  });
  const box = make("div", name || "badges", ...made);
  if (!name) box.className = "on-line";
  return box;
}

const ROLES = new Set(["accent", "good", "warning", "bad", "neutral", "highlight"]);

/** @param {Parts} parts @param {string} [fact] @param {boolean} [isWhole] Whether to show scale and count too. */
function ratingElement({ card, around }, fact = "", isWhole = false) {
  const value = Number(card.rating?.value);
  if (!(value > 0)) return fact === "" ? null : make("span", "line", fact);
  const { words } = around;
  const scale = card.rating?.scale || 10;
  let text = words.decimal(value);
  if (isWhole && scale !== 10) text += `/${words.whole(scale)}`;
  if (isWhole && Number(card.rating?.count) > 0) text += ` (${words.whole(Number(card.rating?.count))})`;
  if (fact === "") return make("span", "rating", icon("star"), text);
  const rating = make("span", "rating", icon("star"), make("span", "line", `${text} · ${fact}`));
  rating.classList.add("with-fact");
  return rating;
}

/** @param {Parts} parts */
function movementElement({ card, index, around }) {
  const movement = movementOf(card, placeOf(card, index));
  if (movement === null) return null;
  if (movement === "new") {
    const isNew = make("span", "movement", around.words.phrases.isNew);
    isNew.classList.add("new");
    return isNew;
  }
  const sign = movement > 0 ? "up" : movement < 0 ? "down" : "minus";
  const mark = make("span", "movement", icon(sign), movement === 0 ? "" : around.words.whole(Math.abs(movement)));
  if (movement !== 0) mark.classList.add(movement > 0 ? "rose" : "fell");
  return mark;
}

/** @param {Parts} parts */
function priceElement({ card, plan, around }) {
  if (!card.price || !plan.hasPrice) return null;
  return textOf(around.words.price(card.price), "price");
}

/** @param {Card} card */
function barElement(card) {
  const [value, total] = [Number(card.progress?.value), Number(card.progress?.total)];
  if (!(total > 0) || !Number.isFinite(value)) return null;
  const done = document.createElement("div");
  done.style.width = `${Math.min(Math.max(value / total, 0), 1) * 100}%`;
  return make("div", "bar", done);
}

/** @param {Parts} parts */
function figureElement({ card, index, plan, frame, around }) {
  const text = around.words.whole(placeOf(card, index));
  const figure = make("div", "figure", text);
  const room = frame.width - plan.imageWidth;
  const size = plan.form === "behind"
    ? Math.min(frame.height * 0.72, (room + plan.imageWidth * 0.16) / (0.62 * text.length))
    : Math.min(54, frame.width * 0.4);
  figure.style.fontSize = `${size}px`;
  if (plan.form !== "behind") figure.style.top = `${Math.max(0, plan.imageHeight - size * 1.1)}px`;
  return figure;
}

/** @param {Parts} parts */
function marksElement(parts) {
  const { card, plan, around } = parts;
  if (!plan.hasMarks) return null;
  const progress = card.progress ? make("span", "progress", around.words.progress(card.progress)) : null;
  const made = [ratingElement(parts), badges(card, ""), progress].filter((node) => node !== null);
  return made.length > 0 ? make("div", "marks", ...made) : null;
}

/** @param {Parts} parts */
function rowWords(parts) {
  const { card, plan } = parts;
  return make(
    "div", "words", plan.hasOverline ? textOf(clean(card.overline), "overline") : null,
    textOf(clean(card.title), "title", plan.titleLines),
    ...linesOf(card).slice(0, plan.lines).map((line) => textOf(line, "line")), marksElement(parts));
}

/** The texts of a poster; `null` if it has none. If they are on the image, there is room for only one.
 * @param {Parts} parts @param {number} [width] */
function posterWords(parts, width) {
  const { card, plan, around } = parts;
  const fact = linesOf(card)[0] ?? "";
  const title = clean(card.title) || (plan.isLettered ? fact : "");
  const isRanked = expectedForm(parts.company.kind, card) === "ranked";
  const facts = [isRanked ? movementElement(parts) : null, ratingElement(parts, fact)].filter((node) => node !== null);
  const progress = plan.hasMarks && card.progress ? around.words.progress(card.progress) : "";
  const words = make(
    "div", "words", plan.hasOverline ? textOf(clean(card.overline), "overline") : null,
    textOf(title, "title", plan.titleLines),
    plan.lines > 0 && !plan.isLettered && facts.length > 0 ? make("div", "marks", ...facts) : null,
    plan.isLettered ? null : priceElement(parts), plan.isLettered ? null : textOf(progress, "line"));
  if (width !== undefined) words.style.width = `${width}px`;
  return words.childElementCount > 0 ? words : null;
}

/** @param {Parts} parts */
function numberedWords(parts) {
  const { card, plan } = parts;
  const facts = [clean(card.overline), ...linesOf(card)].filter((text) => text !== "").join(" · ");
  const marks = [badges(card, ""), ratingElement(parts, facts)].filter((node) => node !== null);
  const movement = movementElement(parts);
  const isJoined = plan.lines < 2 && marks.length > 0;
  const first = isJoined && movement ? [movement, ...marks] : marks;
  return make(
    "div", "words", textOf(clean(card.title), "title", plan.titleLines),
    first.length > 0 ? make("div", "marks", ...first) : null,
    !isJoined && movement && plan.hasMovementLine ? make("div", "marks", movement) : null);
}

/** @param {Parts} parts */
function factColumns({ card, plan }) {
  if (plan.facts === 0) return null;
  return make("div", "facts", ...(card.facts ?? []).slice(0, plan.facts).map(({ label, value }) =>
    make("div", "fact", make("span", "fact-label", clean(label)), make("span", "fact-value", clean(value)))));
}

/** The actions that have a title, up to the limit.
 * @param {readonly Action[] | undefined} actions */
const titled = (actions) => (actions ?? []).slice(0, CardLimits.actions).filter((action) => clean(action.title) !== "");

/** @param {readonly Action[]} actions @param {Parts} parts @param {number} [main] The index of the main action. */
function buttonsElement(actions, parts, main = 0) {
  const shown = titled(actions);
  if (shown.length === 0) return null;
  return make("div", "buttons", ...shown.map((action, index) => buttonElement(action, parts, index === main)));
}

/** @param {Action} action @param {Parts} parts @param {boolean} isMain @param {string | null} [symbol] */
function buttonElement(action, { item, around }, isMain, symbol = null) {
  const button = make("button", "action", symbol ? icon(symbol) : null, clean(action.title));
  button.type = "button";
  if (isMain) button.classList.add("main");
  button.addEventListener("click", () => around.act(action, item));
  return button;
}

/** @param {Parts} parts */
function heroParts(parts) {
  const { card, frame, item } = parts;
  const actions = [...titled(card.actions), ...titled(parts.company.actions)];
  const menu = actions.filter((action) => action.id === "menu");
  const others = actions.filter((action) => action.id !== "menu");
  const playing = others.findIndex((action) => action.id === "play");
  const main = playing >= 0 ? playing : others.length === 1 ? 0 : -1;
  const isOn = parts.around.starOf(item) !== "off";
  /** @type {Record<string, string>} */
  const symbols = { play: "play", info: "info", favorite: isOn ? "check" : "plus" };
  const title = textOf(clean(card.title), "title", 2);
  if (clean(card.title).length > LONG_TITLE) title?.classList.replace("two", "five");
  if (clean(card.title).length > LONG_TITLE) title?.classList.add("long");
  return [
    imageElement(parts, frame.width, frame.height),
    menu.length > 0 ? make("div", "menu", ...menu.map((action) => buttonElement(action, parts, false))) : null,
    make(
      "div", "words", badges(card, "marks"), textOf(clean(card.overline), "overline"), title,
      ...linesOf(card).map((line) => textOf(line, "line", 2)), barElement(card),
      others.length > 0
        ? make("div", "buttons", ...others.map((action, index) =>
          buttonElement(action, parts, index === main, symbols[action.id ?? ""] ?? (index === main ? null : "next"))))
        : null),
  ];
}

/** @param {Parts} parts @param {HTMLElement} element */
function detailParts(parts, element) {
  const { card, frame, plan, around } = parts;
  if (parts.frame.x >= INSET) element.classList.add("inset");
  const hasPicture = plan.imageWidth > 0;
  const aspect = aspectOf(card.image, parts.company.aspect);
  const isWide = hasPicture && aspect > 1.2;
  const beside = Math.min(DETAIL_PICTURE, frame.width * 0.34);
  const rank = card.rank?.place ? make("span", "rank", `#${around.words.whole(card.rank.place)}`) : null;
  const marks = [rank, rank ? movementElement(parts) : null, ratingElement(parts, "", true), badges(card, "")]
    .filter((node) => node !== null);
  const progress = card.progress ? around.words.progress(card.progress) : "";
  const picture = hasPicture && !isWide
    ? imageElement(parts, beside, Math.min(beside / aspect, DETAIL_BACKDROP)) : null;
  const top = make(
    "div", "top", picture,
    make(
      "div", "words", textOf(clean(card.overline), "overline"), textOf(clean(card.title), "title", 5),
      textOf(clean(card.subtitle), "line", 2), marks.length > 0 ? make("div", "marks", ...marks) : null,
      textOf(clean(card.caption), "line"), card.price ? textOf(around.words.price(card.price), "price") : null));
  const facts = (card.facts ?? []).slice(0, CardLimits.facts).filter(({ value }) => clean(value) !== "");
  const table = facts.flatMap(({ label, value }) =>
    [make("dt", "fact-name", clean(label)), make("dd", "fact-text", clean(value))]);
  return [
    isWide ? imageElement(parts, frame.width, Math.min(frame.width / aspect, DETAIL_BACKDROP)) : null, top,
    make(
      "div", "rest", textOf(progress, "line"), barElement(card), buttonsElement(card.actions ?? [], parts),
      ...proseElements(clean(card.text), element, around), table.length > 0 ? make("dl", "table", ...table) : null),
  ];
}

/** Running text, limited to two lines until it is expanded.
 * @param {string} text @param {HTMLElement} card @param {Surroundings} around */
function proseElements(text, card, around) {
  if (text === "") return [];
  const prose = make("p", "prose", text);
  if (text.length <= LONG_TEXT) {
    prose.className = "prose five";
    return [prose];
  }
  prose.className = "prose short";
  const more = make("button", "more", around.words.phrases.more);
  more.type = "button";
  more.setAttribute("aria-expanded", "false");
  more.addEventListener("click", () => {
    const isShort = prose.classList.toggle("short");
    prose.style.webkitLineClamp = isShort ? "" : "none";
    more.textContent = isShort ? around.words.phrases.more : around.words.phrases.less;
    more.setAttribute("aria-expanded", String(!isShort));
    card.dispatchEvent(new CustomEvent("resized", { bubbles: true }));
  });
  return [prose, more];
}

// ---------------------------------------------------------------- views of a section

/**
 * @typedef {object} Heading The content of a header.
 * @property {Supplement | null | undefined} supplement
 * @property {readonly {id: string, title?: string}[]} sorts
 * @property {string | undefined} sort
 * @property {string} error
 */

/** @param {Heading} heading @param {string} id For the title, which labels the section. @param {Surroundings} around
 * @param {(sort: string) => void} choose */
export function headerElement({ supplement, sorts, sort, error }, id, around, choose) {
  const title = make("h2", "header-title", clean(supplement?.title));
  title.id = id;
  const header = make("div", "header", title);
  if (error !== "") header.append(make("p", "header-error", clean(error)));
  for (const action of titled(supplement?.actions).filter(({ id: name }) => name !== "sort" && name !== "menu")) {
    const button = make("button", "header-action", clean(action.title));
    button.type = "button";
    button.addEventListener("click", () => around.act(action, null));
    header.append(button);
  }
  if (sorts.length > 1) {
    const orders = make("div", "orders", ...sorts.slice(0, CardLimits.actions).map((option) => {
      const order = make("button", "order", clean(option.title) || option.id);
      order.type = "button";
      order.setAttribute("aria-pressed", String(option.id === sort));
      order.addEventListener("click", () => choose(option.id));
      return order;
    }));
    orders.setAttribute("role", "group");
    orders.setAttribute("aria-label", around.words.phrases.order);
    header.append(orders);
  }
  return header;
}

/** @param {Supplement | null | undefined} supplement @param {Surroundings} around @param {() => void} showMore */
export function footerElement(supplement, around, showMore) {
  const title = clean(supplement?.title);
  const footer = make("div", "footer");
  if (title === "") return footer;
  const action = supplement?.actions?.[0];
  if (!action) {
    footer.append(make("p", "footer-words", title));
    return footer;
  }
  const sign = action.id === "more" ? "down" : action.id === "close" ? "up" : null;
  const button = make("button", "footer-words", title, sign ? icon(sign) : null);
  button.type = "button";
  button.addEventListener("click", () => (action.id === "more" ? showMore() : around.act(action, null)));
  footer.append(button);
  return footer;
}

/** Builds a view at the side of a section.
 * @param {Supplement | null | undefined} supplement @param {boolean} isWide */
export function sideElement(supplement, isWide) {
  const side = make("div", "side", make("p", "side-words", clean(supplement?.title)));
  if (isWide) side.classList.add("wide");
  return side;
}

const SYMBOLS = new Set(["minus", "plus", "star", "check"]);

/** Builds a badge of a layout. It is decorative, and hidden from screen readers.
 * @param {string} kind */
export function badgeElement(kind) {
  const badge = make("div", "view-badge", SYMBOLS.has(kind) ? icon(kind) : clean(kind));
  if (SYMBOLS.has(kind)) badge.classList.add("symbol", kind);
  badge.setAttribute("aria-hidden", "true");
  return badge;
}

"""###,
"js/screen-words.js": ###"""
// The element's own phrases, and its formats for numbers, in the screen's language.

/**
 * @typedef {{more: string, less: string, isNew: string, addFavorite: string, removeFavorite: string,
 *   nothingHere: string, loading: string, failed: string, rose: string, fell: string, stayed: string,
 *   rating: string, order: string,
 *   added: string, removed: string, moved: string, of: string}} Phrases
 *   `{}` stands for a number or a text; `of` has two.
 */

/** @type {Record<string, Phrases>} */
const PHRASES = {
  en: {
    more: "More", less: "Less", isNew: "New", addFavorite: "Add {} to favorites",
    removeFavorite: "Remove {} from favorites", nothingHere: "Nothing here yet", loading: "Loading",
    failed: "This can't be shown right now", rose: "up {}", fell: "down {}", stayed: "unchanged", rating: "rated {}",
    order: "Order", added: "{} added", removed: "{} removed", moved: "{} moved", of: "{} of {}",
  },
  ko: {
    more: "더보기", less: "접기", isNew: "신규", addFavorite: "{} 즐겨찾기에 추가",
    removeFavorite: "{} 즐겨찾기에서 삭제", nothingHere: "표시할 내용이 없습니다",
    loading: "불러오는 중",
    failed: "지금은 표시할 수 없습니다", rose: "{}계단 상승", fell: "{}계단 하락",
    stayed: "변동 없음",
    rating: "평점 {}", order: "정렬", added: "{}개 추가", removed: "{}개 삭제", moved: "{}개 이동",
    of: "{} / {}",
  },
  ar: {
    more: "المزيد", less: "أقل", isNew: "جديد", addFavorite: "إضافة {} إلى المفضلة",
    removeFavorite: "إزالة {} من المفضلة", nothingHere: "لا يوجد شيء هنا بعد",
    loading: "جارٍ التحميل",
    failed: "لا يمكن عرض هذا الآن", rose: "صعود {}", fell: "هبوط {}",
    stayed: "بلا تغيير", rating: "التقييم {}",
    order: "الترتيب", added: "أضيف {}", removed: "حُذف {}", moved: "انتقل {}", of: "{} من {}",
  },
};

/** Languages written from right to left. */
const RIGHT_TO_LEFT = new Set(
  ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"]);
/** Maximum number of characters shown of a text; no card has room for more, and laying them out takes time. */
const MAXIMUM_TEXT = 2000;
/** Maximum number of characters in a price that is formatted. */
const PRICE_DIGITS = 15;

/** @param {string} locale */
const languageOf = (locale) => locale.split(/[-_]/)[0].toLowerCase();

/** Whether a language is read from right to left.
 * @param {string} locale */
export const isRightToLeft = (locale) => RIGHT_TO_LEFT.has(languageOf(locale));

/** A text on one line, without characters that could change the direction of the text around it: it may be anyone's.
 * @param {unknown} text */
export const clean = (text) =>
  (typeof text === "string" ? text : "").slice(0, MAXIMUM_TEXT).replace(HIDDEN, "").replace(BREAKS, " ").trim();

/** Directional marks and invisible characters. Joiners are kept, because they shape letters and emoji. */
const HIDDEN = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
const BREAKS = /[\s\u0000-\u001F\u007F-\u009F]+/g;

/** The phrases and number formats of one language. */
export class Words {
  /** @type {Intl.NumberFormat} */ #decimal;
  /** @type {Intl.NumberFormat} */ #whole;
  /** @type {Intl.NumberFormat} */ #short;

  /** @param {string} locale Unknown ones become English. @param {Partial<Phrases>} [own] The page's own phrases. */
  constructor(locale, own = {}) {
    this.locale = supported(locale);
    /** @type {Phrases} */
    this.phrases = { ...(PHRASES[languageOf(locale)] ?? PHRASES.en), ...own };
    this.#decimal = new Intl.NumberFormat(this.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.#whole = new Intl.NumberFormat(this.locale);
    this.#short = new Intl.NumberFormat(this.locale, { maximumFractionDigits: 1 });
  }

  /** A phrase with its `{}` replaced by values.
   * @param {keyof Phrases} phrase @param {...(string | number)} values */
  say(phrase, ...values) {
    const rest = [...values];
    return this.phrases[phrase].replace(/\{\}/g, () => {
      const value = rest.shift() ?? "";
      return typeof value === "number" ? this.#whole.format(value) : value;
    });
  }

  /** A number with one decimal.
   * @param {number} value */
  decimal(value) { return this.#decimal.format(value); }

  /** A whole number.
   * @param {number} value */
  whole(value) { return this.#whole.format(value); }

  /** `24 of 38 min`.
   * @param {{value?: number, total?: number, unit?: string}} progress */
  progress({ value, total, unit }) {
    if (!Number.isFinite(value)) return "";
    const done = this.#short.format(Number(value));
    const words = Number(total) > 0 ? this.say("of", done, this.#short.format(Number(total))) : done;
    return clean(`${words} ${unit ?? ""}`);
  }

  /** A formatted price; an amount that isn't a number is shown unchanged.
   * @param {{amount?: string, currency?: string}} price */
  price({ amount, currency }) {
    const text = clean(amount);
    if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || text.length > PRICE_DIGITS) return text;
    const whole = text.includes(".") ? {} : { minimumFractionDigits: 0, maximumFractionDigits: 0 };
    if (!/^[A-Za-z]{3}$/.test(currency ?? "")) return this.#whole.format(Number(text));
    return new Intl.NumberFormat(this.locale, { style: "currency", currency, ...whole }).format(Number(text));
  }
}

/** @param {string} locale */
function supported(locale) {
  try {
    return Intl.NumberFormat.supportedLocalesOf([locale.replace(/_/g, "-")])[0] ?? "en";
  } catch {
    return "en";
  }
}

"""###,
"js/screen.js": ###"""
// `<marquee-screen>` shows any screen of cards and keeps it live. The layout engine computes its frames.
//
//   <marquee-screen src="wss://screens.example.org" screen="home"></marquee-screen>
//
// Attributes: `src` (the server, unless the page sets the property `client`), `screen`, `locale` (the requested
// language), `theme` (`light` or `dark`; by default the system's), `dir` (by default the language's direction),
// `favorites` (the collection behind the star; by default `favorites`). `token` is only a property.
// Events, all of which bubble: `marquee-open` and `marquee-action` when a person opens an item or takes an action,
// `marquee-favorite` before a favorite is set or removed (cancel it to do so yourself), `marquee-update` after each
// update, `marquee-error` on an error, such as one that ends the updates.
// CSS parts have the class names in screen-styles.js; colours are custom properties, `--marquee-` and a palette name.

import { companyOf, haveOnlyWords, starOf } from "./screen-cards.js";
import { changesBetween, reportedMoves } from "./screen-changes.js";
import { leaseOf } from "./screen-clients.js";
import { make, orderChildren } from "./screen-dom.js";
import { sectionInput } from "./screen-input.js";
import { neighbour } from "./screen-keys.js";
import { SectionView } from "./screen-section.js";
import { styleSheet } from "./screen-styles.js";
import { Words, isRightToLeft } from "./screen-words.js";
import { LayoutLimits, ScreenLayout, designLayout, sectionDesign } from "./layout.js";

/** @typedef {import("./layout.js").Size} Size */
/** @typedef {import("./layout.js").Sizes} Sizes */
/** @typedef {import("./screen-types.js").Screen} Screen */
/** @typedef {import("./screen-types.js").ScreenSource} ScreenSource */
/** @typedef {import("./screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("./screen-input.js").SectionInput} SectionInput */
/** @typedef {import("./screen-types.js").Action} Action */
/** @typedef {import("./screen-section.js").SectionState} SectionState */

/** Points above and below the visible part within which items are kept in the document. */
const MARGIN = 300;
/** Maximum number of times that sizes are measured per drawing: each may bring other items into view. */
const PASSES = 4;
/** Minimum number of milliseconds between announcements to a screen reader. */
const ANNOUNCEMENT_MILLISECONDS = 5000;
/** Milliseconds after the last change during which elements are animated. */
const SLIDE_MILLISECONDS = 700;
/** Maximum number of sections shown of a screen. */
const SECTIONS = 512;
/** Maximum number of items in the document. A layout may put any number of them in one place. */
const ITEMS = 1000;
/** A screen scrolled by at most this many points counts as at its top, where new content may push down the rest. */
const TOP_TOLERANCE = 4;

/** @typedef {{key: string, sizes: Map<string | number, Size>}} Measured Sizes that are valid for one width,
 * the `key`. */

/** Shows a screen of a client. */
export class MarqueeScreen extends HTMLElement {
  static observedAttributes = ["src", "screen", "locale", "dir", "favorites"];

  /** @type {ScreenSource | null} */ #given = null;
  /** @type {ScreenSource | null} */ #client = null;
  /** @type {import("./screen-clients.js").Token} */ #token;
  /** @type {import("./screen-clients.js").Lease | null} */ #lease = null;
  /** @type {AbortController | null} */ #updates = null;
  /** @type {Screen | null} */ #screen = null;
  /** @type {SectionState[]} */ #sections = [];
  /** @type {ScreenLayout} */ #layout = new ScreenLayout([], { width: 0, height: 0 });
  /** @type {Map<string, SectionView>} */ #views = new Map();
  /** @type {Map<string, number>} */ #offsets = new Map();
  /** @type {Map<string, Measured>} */ #measuredItems = new Map();
  /** @type {Map<string, Measured>} */ #measuredViews = new Map();
  /** @type {Record<string, string>} */ #sorts = {};
  /** @type {Record<string, number>} */ #windows = {};
  /** @type {Map<string, import("./screen-types.js").Member>} */ #members = new Map();
  /** @type {{section: string, item: string} | null} */ #current = null;
  /** @type {((name: string) => string | null) | null} */ #imageURL = null;
  /** @type {Partial<import("./screen-words.js").Phrases>} */ #phrases = {};
  #words = new Words("en");
  #wordsLocale = "en";
  #wordsPhrases = this.#phrases;
  #frame = 0;
  #slideEnd = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #settling;
  #announcedAt = -ANNOUNCEMENT_MILLISECONDS;
  /** The name of the screen shown. */
  #shown = "";
  #root = make("div", "root");
  #scroller = make("div", "scroller");
  #canvas = make("div", "canvas");
  #notice = make("div", "notice");
  #status = make("div", "quiet");
  #resizes = new ResizeObserver(() => this.#relayout());
  #host = this.#makeHost();

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styleSheet()];
    this.#status.setAttribute("role", "status");
    this.#status.setAttribute("aria-live", "polite");
    this.#scroller.append(this.#canvas);
    this.#root.append(this.#scroller, this.#status);
    shadow.append(this.#root);
    this.#scroller.addEventListener("scroll", () => this.#scheduleSync(), { passive: true });
    this.#scroller.addEventListener("keydown", (event) => this.#keyDown(event));
    this.#scroller.addEventListener("focusin", (event) => this.#focused(event));
    // The order may have waited for it.
    this.#scroller.addEventListener("focusout", () => this.#scheduleSync());
    this.#scroller.addEventListener("resized", () => this.#relayout());
  }

  /** @returns {import("./screen-section.js").SectionHost} */
  #makeHost() {
    const words = () => this.#words;
    const hasFavorites = () => this.#hasFavorites;
    return {
      around: {
        get words() { return words(); }, get hasFavorites() { return hasFavorites(); },
        starOf: (item) => this.#starOf(item), imageURL: (name) => this.#addressOf(name),
        act: (action, item) => this.#act(action, item),
      },
      scrolled: () => this.#scheduleSync(), choose: (section, sort) => this.#choose(section, sort),
      showMore: (section) => this.#showMore(section),
    };
  }

  // ---------------------------------------------------------------- properties

  /** The client that the screen comes from: the one that the page has set, or else that of `src` once it is loaded.
   * @param {ScreenSource | null} client */
  set client(client) {
    if (client === this.#given) return;
    this.#given = client;
    this.#connect();
  }
  get client() { return this.#client; }

  /** The server, such as `wss://screens.example.org`, unless the page sets a client. Elements with the same `src` and
   * the same token share a client.
   * @param {string | null} src */
  set src(src) { setOrRemove(this, "src", src); }
  get src() { return this.getAttribute("src"); }

  /** The token that identifies the user to the server of `src`: a string, or a function as in the client's options.
   * Without one there are no favorites. It isn't an attribute, because that would put it into the page's markup.
   * @param {import("./screen-clients.js").Token} token */
  set token(token) {
    if (token === this.#token) return;
    this.#token = token;
    // One user must not see another's screen.
    if (!this.#given && this.#screen) this.#forget();
    this.#connect();
  }
  get token() { return this.#token; }

  /** The screen's name, such as `home`.
   * @param {string | null} name */
  set screen(name) { setOrRemove(this, "screen", name); }
  get screen() { return this.getAttribute("screen"); }

  /** The requested language.
   * @param {string | null} locale */
  set locale(locale) { setOrRemove(this, "locale", locale); }
  get locale() { return this.getAttribute("locale"); }

  /** The colour scheme, `light` or `dark`; `null` for the system's.
   * @param {string | null} theme */
  set theme(theme) { setOrRemove(this, "theme", theme); }
  get theme() { return this.getAttribute("theme"); }

  /** Maps an image's name to its URL, or to `null` if there is no such image. By default, the name is resolved against
   * the client's `imageBaseUrl`.
   * @param {((name: string) => string | null) | null} address */
  set imageURL(address) {
    this.#imageURL = address;
    this.#redraw();
  }
  get imageURL() { return this.#imageURL; }

  /** The page's own phrases, which replace the element's.
   * @param {Partial<import("./screen-words.js").Phrases>} phrases */
  set phrases(phrases) {
    this.#phrases = phrases ?? {};
    this.#redraw();
  }
  get phrases() { return this.#phrases; }

  /** The screen shown; `null` before it has arrived. */
  get content() { return this.#screen; }

  /** An item's frame, relative to the top left of the element's content; `null` if there is no such item.
   * @param {string} section @param {string} item */
  frameOf(section, item) {
    const index = this.#sections.findIndex(({ id }) => id === section);
    const place = this.#sections[index]?.places.get(item);
    if (place === undefined) return null;
    return this.#layout.frameOf({ section: index, item: place }, this.#offsetOf(section));
  }

  /** An item's element; `null` while it is far from the visible part, or if there is no such item.
   * @param {string} section @param {string} item @returns {HTMLElement | null} */
  elementOf(section, item) { return this.#views.get(section)?.items.get(item)?.root ?? null; }

  /** The items whose elements are in the document: those near the visible part.
   * @returns {{section: string, item: string, root: HTMLElement}[]} */
  itemsInDocument() {
    return [...this.#views].flatMap(([section, { items }]) =>
      [...items].map(([item, { root }]) => ({ section, item, root })));
  }

  /** A section's layout and frames, its kind and its top edge; `null` if there is no such section.
   * @param {string} section
   * @returns {{layout: import("./layout.js").Layout, frames: import("./layout.js").SectionFrames, top: number,
   *   kind: string} | null} */
  layoutOf(section) {
    const index = this.#sections.findIndex(({ id }) => id === section);
    const state = this.#sections[index];
    if (!state) return null;
    const { layout, frames, section: { kind } } = state;
    return { layout, frames, kind, top: this.#layout.frameOfSection(index)?.y ?? 0 };
  }

  connectedCallback() {
    for (const name of PROPERTIES) upgradeProperty(this, name);
    this.#resizes.observe(this);
    this.#connect();
  }

  disconnectedCallback() {
    this.#resizes.disconnect();
    clearTimeout(this.#settling);
    this.#stop();
    this.#endLease();
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "dir" || name === "favorites") this.#redraw();
    else if (name === "src") this.#connect();
    else this.#restart();
  }

  // ---------------------------------------------------------------- updates

  #endLease() {
    this.#lease?.end();
    this.#lease = null;
  }

  /** Uses the client that the page has set, or else leases the one of `src`. */
  #connect() {
    this.#endLease();
    this.#client = this.#given;
    this.#members = new Map();
    const { src } = this;
    if (src && !this.#given && this.isConnected) {
      const lease = leaseOf(src, this.#token);
      this.#lease = lease;
      lease.client.then((client) => {
        if (this.#lease !== lease) return;
        this.#client = client;
        this.#restart();
      }, (error) => {
        if (this.#lease === lease) this.#fail(error);
      });
    }
    this.#restart();
  }

  get #hasFavorites() {
    return typeof this.#client?.collection === "function" && (this.#given !== null || this.#token !== undefined);
  }

  #stop() {
    this.#updates?.abort();
    this.#updates = null;
  }

  /** Requests the screen again. If it is the one shown, its content stays until the new one arrives. */
  #restart() {
    this.#stop();
    if (!this.isConnected) return;
    const name = this.screen;
    if (this.#screen && this.#shown !== name) this.#forget();
    if (!(this.#client || this.#lease) || !name) return;
    if (!this.#screen) this.#showNotice("loading");
    if (!this.#client) return;
    this.#updates = new AbortController();
    this.#follow(this.#client, name, this.#updates.signal);
    if (this.#hasFavorites) this.#followFavorites(this.#client, this.#updates.signal);
  }

  /** Clears the screen and everything that belongs to it. */
  #forget() {
    this.#screen = null;
    this.#sections = [];
    this.#sorts = {};
    this.#windows = {};
    this.#current = null;
    for (const map of [this.#offsets, this.#measuredItems, this.#measuredViews]) map.clear();
    this.#scroller.scrollTop = 0;
    this.#redraw();
  }

  /** Follows the collection, for items without `favorite`.
   * @param {ScreenSource} client @param {AbortSignal} signal */
  async #followFavorites(client, signal) {
    try {
      for await (const { members } of client.collection?.(this.#collection).states?.({ signal }) ?? []) {
        if (signal.aborted) return;
        this.#members = new Map(members.map((member) => [member.subject, member]));
        this.#draw(null, null);
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {ScreenSource} client @param {string} name @param {AbortSignal} signal */
  async #follow(client, name, signal) {
    const requested = this.locale ? { locale: this.locale } : {};
    const options = { signal, sorts: this.#sorts, windows: this.#windows, ...requested };
    try {
      for await (const { screen, changes } of client.screen(name, options)) {
        if (signal.aborted) return;
        this.#shown = name;
        this.#show(screen, changes ?? null);
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.dispatchEvent(new CustomEvent("marquee-error", { bubbles: true, composed: true, detail: { error } }));
    if (!this.#screen) this.#showNotice("failed");
  }

  /** Shows a notice in place of the sections, or none.
   * @param {"loading" | "failed" | "nothingHere" | null} phrase */
  #showNotice(phrase) {
    this.#notice.remove();
    if (!phrase) return;
    this.#notice.textContent = this.#words.phrases[phrase];
    this.#notice.classList.toggle("error", phrase === "failed");
    this.#notice.setAttribute("role", phrase === "failed" ? "alert" : "note");
    this.#root.append(this.#notice);
  }

  /** @param {Screen} screen @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #show(screen, operations) {
    const before = this.#screen ? this.#sections : [];
    const isFirst = this.#screen === null;
    this.#screen = screen;
    this.#setLanguage();
    const anchor = this.#anchor();
    this.#arrange();
    this.#showNotice(this.#sections.length === 0 ? "nothingHere" : null);
    // Scrolling has kept an item in place for the reader, so it must not slide.
    if (anchor && this.#restoreAnchor(anchor)) this.#drawStill();
    else this.#draw(isFirst ? null : new Map(before.map((state) => [state.id, state])), operations);
    if (!isFirst) this.#announce(before);
    this.dispatchEvent(new CustomEvent("marquee-update", { bubbles: true, composed: true, detail: { screen } }));
  }

  #setLanguage() {
    const locale = this.#screen?.locale ?? this.locale ?? "en";
    if (locale !== this.#wordsLocale || this.#phrases !== this.#wordsPhrases) {
      this.#words = new Words(locale, this.#phrases);
      [this.#wordsLocale, this.#wordsPhrases] = [locale, this.#phrases];
    }
    this.#root.lang = this.#words.locale;
    this.#root.dir = this.#isRightToLeft ? "rtl" : "ltr";
    this.#root.style.setProperty("--direction", this.#root.dir);
    this.#scroller.setAttribute("role", "region");
    this.#scroller.setAttribute("aria-label", this.#screen?.title || this.screen || "");
  }

  get #isRightToLeft() {
    const given = this.getAttribute("dir");
    return given ? given === "rtl" : isRightToLeft(this.#screen?.locale ?? "");
  }

  /** Lays everything out again, without animation. */
  #relayout() {
    if (!this.#screen) return;
    const anchor = this.#anchor();
    this.#arrange();
    if (anchor) this.#restoreAnchor(anchor);
    this.#drawStill();
  }

  /** Draws without animation. */
  #drawStill() {
    this.#slideEnd = 0;
    this.#draw(null, null);
  }

  /** Builds all elements again. */
  #redraw() {
    this.#setLanguage();
    for (const view of this.#views.values()) view.root.remove();
    this.#views.clear();
    this.#relayout();
  }

  // ---------------------------------------------------------------- layout

  /** Lays out the sections for the element's size, minus any scrollbar that takes up space. */
  #arrange() {
    const width = this.#scroller.clientWidth;
    this.#arrangeIn(width);
    // The new height may have made a scrollbar appear or disappear.
    if (this.#scroller.clientWidth !== width) this.#arrangeIn(this.#scroller.clientWidth);
  }

  /** @param {number} width */
  #arrangeIn(width) {
    const size = { width, height: this.clientHeight };
    const old = new Map(this.#sections.map((state) => [state.id, state]));
    const given = (this.#screen?.sections ?? []).slice(0, SECTIONS).map(sectionInput);
    const sections = given.map((section) => ({ section, ...this.#inputOf(section, size, old.get(section.id)) }));
    this.#layout = new ScreenLayout(
      sections.map(({ layout, itemCount, measured, measuredSupplementaries }) =>
        ({ layout, itemCount, measured, measuredSupplementaries })), size, { rightToLeft: this.#isRightToLeft });
    this.#sections = sections.map(({ section, layout, company, places, placeholders }, index) => ({
      section, id: section.id, company, layout, frames: this.#layout.sections[index], places, placeholders,
    }));
    this.#canvas.style.height = `${this.#layout.contentSize.height}px`;
  }

  /** @param {SectionInput} section @param {Size} size @param {SectionState | undefined} old */
  #inputOf(section, size, old) {
    const { items } = section;
    const isSame = old?.section.items === items && old.section.header === section.header;
    const placeholders = items.length === 0 ? Math.min(section.placeholders, LayoutLimits.count) : 0;
    const key = `${size.width}`;
    return {
      layout: layoutOf(section, size.width), itemCount: items.length || placeholders, placeholders,
      company: isSame && old ? old.company : companyOf(section.kind, items, section.header?.actions),
      places: isSame && old ? old.places : new Map(items.map((item, index) => [item.id, index])),
      measured: this.#measuredOf(section, key),
      measuredSupplementaries: /** @type {Sizes} */ (sizesFor(this.#measuredViews.get(section.id), key)),
    };
  }

  /** The measured sizes of items by index; they are stored by id.
   * @param {SectionInput} section @param {string} key
   * @returns {Sizes} */
  #measuredOf(section, key) {
    const known = sizesFor(this.#measuredItems.get(section.id), key);
    /** @type {Sizes} */
    const sizes = new Map();
    if (known.size === 0) return sizes;
    for (const [index, item] of section.items.entries()) {
      const size = known.get(item.id);
      if (size) sizes.set(index, size);
    }
    return sizes;
  }

  /** The item at the top of the visible part, and its distance from there; `null` if the screen is at its top.
   * @returns {{section: string, item: string | null, distance: number} | null} */
  #anchor() {
    const top = this.#scroller.scrollTop;
    if (top <= TOP_TOLERANCE || this.#sections.length === 0) return null;
    const window = { x: 0, y: top, width: this.#layout.contentSize.width, height: this.clientHeight };
    const [first] = this.#layout.sectionsIn(window);
    const state = this.#sections[first];
    const frame = this.#layout.frameOfSection(first);
    if (!state || !frame) return null;
    const line = { x: -LayoutLimits.points, y: top - frame.y, width: 2 * LayoutLimits.points, height: 1 };
    const [item] = state.frames.itemsIn(line);
    const own = item === undefined ? null : state.frames.frameOfItem(item);
    const id = state.section.items[item ?? -1]?.id ?? null;
    return { section: state.id, item: id, distance: frame.y + (own && id !== null ? own.y : 0) - top };
  }

  /** Scrolls so that the anchor stays where it was. Returns whether scrolling was needed.
   * @param {{section: string, item: string | null, distance: number}} anchor */
  #restoreAnchor({ section, item, distance }) {
    const index = this.#sections.findIndex(({ id }) => id === section);
    const frame = this.#layout.frameOfSection(index);
    if (!frame) return false;
    const place = item === null ? undefined : this.#sections[index].places.get(item);
    if (item !== null && place === undefined) return false;
    const own = place === undefined ? null : this.#sections[index].frames.frameOfItem(place);
    const wanted = frame.y + (own?.y ?? 0) - distance;
    if (Math.abs(wanted - this.#scroller.scrollTop) < 1) return false;
    this.#scroller.scrollTop = wanted;
    return true;
  }

  // ---------------------------------------------------------------- drawing

  #scheduleSync() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#sync(null, null);
    });
  }

  /** Draws the visible part, measures items of estimated size, and lays out again until sizes settle.
   * @param {Map<string, SectionState> | null} before The states that items move from; `null` without animation.
   * @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #draw(before, operations) {
    if (this.clientWidth === 0) return;
    const isMoving = before !== null && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#root.classList.toggle("animated", isMoving || performance.now() < this.#slideEnd);
    if (isMoving) this.#slideFor(SLIDE_MILLISECONDS);
    if (before === null && performance.now() >= this.#slideEnd) this.#root.classList.remove("animated");
    this.#sync(isMoving ? before : null, operations);
    for (let pass = 0; pass < PASSES && this.#measure(); pass += 1) {
      this.#arrange();
      this.#sync(null, null);
    }
  }

  /** @param {number} milliseconds */
  #slideFor(milliseconds) {
    this.#slideEnd = performance.now() + milliseconds;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#drawStill(), milliseconds);
  }

  /** @param {Map<string, SectionState> | null} before
   * @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #sync(before, operations) {
    const [top, height] = [this.#scroller.scrollTop - MARGIN, this.clientHeight + 2 * MARGIN];
    const [first, end] = this.#layout.sectionsIn({ x: 0, y: top, width: 1, height });
    const shown = new Set();
    /** @type {(() => void)[]} */
    const moves = [];
    let room = ITEMS;
    for (const [index, state] of this.#sections.entries()) {
      const hasFocus = this.#current?.section === state.id && this.#hasFocus();
      if ((index < first || index >= end) && !hasFocus) continue;
      shown.add(state.id);
      const view = this.#viewOf(state);
      const y = this.#layout.frameOfSection(index)?.y ?? 0;
      view.moveTo(y, before !== null);
      const old = before?.get(state.id) ?? null;
      const raised = old ? this.#raised(old, state, operations) : new Set();
      const kept = hasFocus ? this.#current?.item ?? null : null;
      moves.push(...view.sync({ top: top - y, height }, old, raised, kept, room));
      room = Math.max(0, room - view.items.size);
    }
    for (const [id, view] of this.#views) {
      if (shown.has(id)) continue;
      this.#offsets.set(id, view.offset);
      view.root.remove();
      this.#views.delete(id);
    }
    const roots = this.#sections.flatMap(({ id }) => this.#views.get(id)?.root ?? []);
    orderChildren(this.#canvas, roots, before !== null);
    if (moves.length > 0) {
      // Reading a size makes the browser apply the old positions, from which the animations start.
      void this.#canvas.offsetHeight;
      for (const move of moves) move();
    }
    this.#keepTabStop();
    this.dispatchEvent(new CustomEvent("marquee-drawn"));
  }

  /** @param {SectionState} old @param {SectionState} state
   * @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #raised(old, state, operations) {
    if (old.section.items === state.section.items) return new Set();
    return reportedMoves(operations, state.id)
      ?? changesBetween([...old.places.keys()], [...state.places.keys()]).moved;
  }

  /** @param {SectionState} state */
  #viewOf(state) {
    const known = this.#views.get(state.id);
    if (known?.suits(state)) {
      if (known.state !== state) known.update(state);
      return known;
    }
    known?.root.remove();
    const view = new SectionView(state, this.#host, this.#offsets.get(state.id));
    this.#views.set(state.id, view);
    this.#canvas.append(view.root);
    return view;
  }

  /** @param {string} name */
  #addressOf(name) {
    if (this.#imageURL) return this.#imageURL(name);
    const base = this.#client?.imageBaseUrl;
    const isWhole = /^[a-z][a-z\d+.-]*:/i.test(name);
    return base ? new URL((isWhole ? "" : base) + encodeURI(name), document.baseURI).href : null;
  }

  /** Measures what is in the document. Returns whether any size is new, so that the layout has to change. */
  #measure() {
    const key = `${this.#scroller.clientWidth}`;
    let isNew = false;
    for (const [id, view] of this.#views) {
      for (const [map, sizes] of /** @type {[Map<string, Measured>, Map<string | number, Size>][]} */ ([
        [this.#measuredItems, view.measureItems()], [this.#measuredViews, view.measureViews()],
      ])) {
        const known = map.get(id);
        const kept = known?.key === key ? known.sizes : new Map();
        for (const [name, size] of sizes) {
          if (kept.get(name)?.height === size.height) continue;
          kept.set(name, size);
          isNew = true;
        }
        map.set(id, { key, sizes: kept });
      }
    }
    return isNew;
  }

  /** @param {string} section */
  #offsetOf(section) { return this.#views.get(section)?.offset ?? this.#offsets.get(section); }

  // ---------------------------------------------------------------- user actions

  /** @param {Action} action @param {ScreenItem | null} item */
  #act(action, item) {
    if (action.id === "favorite" && item?.subject) return this.#toggleFavorite(item);
    const isOpening = action.id === "open" || Boolean(action.target);
    this.dispatchEvent(new CustomEvent(isOpening ? "marquee-open" : "marquee-action", {
      bubbles: true, composed: true, detail: { action, target: action.target ?? "", item },
    }));
  }

  /** @param {ScreenItem} item */
  #toggleFavorite(item) {
    const subject = item.subject ?? "";
    const member = this.#starOf(item) === "off";
    const collection = this.#collection;
    const event = new CustomEvent("marquee-favorite", {
      bubbles: true, composed: true, cancelable: true, detail: { subject, member, collection, item },
    });
    if (!this.dispatchEvent(event)) return;
    const members = this.#client?.collection?.(collection);
    // The change, or its rollback, shows in the next update of the screen.
    Promise.resolve(member ? members?.set(subject) : members?.remove(subject)).catch((error) => this.#fail(error));
  }

  /** The name of the collection behind the star. */
  get #collection() { return this.getAttribute("favorites") ?? "favorites"; }

  /** @param {ScreenItem} item */
  #starOf(item) {
    if (item.favorite !== undefined) return starOf(item.favorite);
    const member = this.#members.get(item.subject ?? "");
    return member ? member.pending ? "pending" : "on" : "off";
  }

  /** @param {string} section @param {string} sort */
  #choose(section, sort) {
    this.#sorts = { ...this.#sorts, [section]: sort };
    this.#changeOptions();
  }

  /** Shows the screen with the chosen sorts and windows. */
  #changeOptions() {
    if (!this.#client?.setOptions || !this.screen) return this.#restart();
    const requested = this.locale ? { locale: this.locale } : {};
    this.#client.setOptions(this.screen, { ...requested, sorts: this.#sorts, windows: this.#windows });
  }

  /** Requests the next larger window of a section.
   * @param {string} section */
  #showMore(section) {
    const given = this.#sections.find(({ id }) => id === section)?.section;
    const next = given?.windows.find((window) => window > given.window);
    if (next === undefined) return;
    this.#windows = { ...this.#windows, [section]: next };
    this.#changeOptions();
  }

  /** Announces changes to a screen reader, at most once every few seconds.
   * @param {SectionState[]} before */
  #announce(before) {
    if (performance.now() - this.#announcedAt < ANNOUNCEMENT_MILLISECONDS) return;
    const sentences = [];
    for (const state of this.#sections) {
      const old = before.find(({ id }) => id === state.id);
      if (!old || old.section.items === state.section.items) continue;
      const { added, removed, moved } = changesBetween([...old.places.keys()], [...state.places.keys()]);
      const words = /** @type {const} */ ([["added", added], ["removed", removed], ["moved", moved]])
        .filter(([, ids]) => ids.size > 0).map(([phrase, ids]) => this.#words.say(phrase, ids.size));
      const title = state.section.header?.title ?? "";
      if (words.length > 0) sentences.push(`${title}: ${words.join(", ")}`);
    }
    if (sentences.length === 0) return;
    this.#announcedAt = performance.now();
    this.#status.textContent = sentences.join(". ");
  }

  // ---------------------------------------------------------------- keyboard

  #hasFocus() {
    const focused = this.shadowRoot?.activeElement;
    return Boolean(focused && this.#canvas.contains(focused));
  }

  /** Makes exactly one item a tab stop; from there, arrow keys move the focus. */
  #keepTabStop() {
    const current = this.#current && this.#views.get(this.#current.section)?.items.get(this.#current.item);
    if (current && current.card.tabIndex === 0) return;
    if (current) {
      setTabStop(current.root, current.card, true);
      return;
    }
    if (this.#current && this.#hasFocus()) return;
    for (const state of this.#sections) {
      const first = this.#views.get(state.id)?.items.entries().next().value;
      if (!first || !state.places.has(first[0])) continue;
      this.#current = { section: state.id, item: first[0] };
      setTabStop(first[1].root, first[1].card, true);
      return;
    }
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const root = /** @type {Element} */ (event.target).closest(".item");
    if (!root) return;
    for (const [section, view] of this.#views) {
      for (const [item, { root: own, card }] of view.items) {
        if (own === root) this.#current = { section, item };
        setTabStop(own, card, own === root);
      }
    }
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || !target.closest(".item") || !this.#current) return;
    const section = this.#sections.findIndex(({ id }) => id === this.#current?.section);
    const item = this.#sections[section]?.places.get(this.#current.item);
    if (item === undefined) return;
    const offset = (/** @type {number} */ index) => this.#offsetOf(this.#sections[index].id);
    const next = neighbour(this.#layout, { section, item }, event.key, offset);
    if (!next) return;
    event.preventDefault();
    this.#focusItem(next);
  }

  /** @param {import("./layout.js").ItemPosition} position */
  #focusItem({ section, item }) {
    const state = this.#sections[section];
    const id = state.section.items[item]?.id;
    const own = state.frames.frameOfItem(item);
    if (id === undefined || !own) return;
    this.#current = { section: state.id, item: id };
    this.#viewOf(state).reveal(own);
    const y = (this.#layout.frameOfSection(section)?.y ?? 0) + own.y;
    const [top, height] = [this.#scroller.scrollTop, this.clientHeight];
    const above = Math.max(REVEAL, pinnedHeight(state.frames) + TOP_TOLERANCE);
    if (y < top + above) this.#scroller.scrollTop = y - above;
    else if (y + own.height > top + height - REVEAL) this.#scroller.scrollTop = y + own.height - height + REVEAL;
    this.#sync(null, null);
    const view = this.#views.get(state.id);
    view?.items.get(id)?.card.focus({ preventScroll: true });
  }
}

/** Minimum distance between the focused item and the edge of the screen, in points. */
const REVEAL = 48;

/** The points at the top that pinned headers take up.
 * @param {import("./layout.js").SectionFrames} frames */
const pinnedHeight = (frames) => frames.supplementaryFrames.reduce(
  (sum, { frame }, index) => sum + (frames.pinOf(index)?.edge === "top" ? frame.height : 0), 0);

/** Sets whether an item and its buttons are tab stops.
 * @param {HTMLElement} root
 * @param {HTMLElement} card @param {boolean} isStop */
function setTabStop(root, card, isStop) {
  const index = isStop ? 0 : -1;
  if (card.tabIndex === index || card === root) return;
  card.tabIndex = index;
  for (const button of root.querySelectorAll("button")) button.tabIndex = index;
}

/** Properties that a page may have set before this module was loaded. */
const PROPERTIES = ["client", "token", "src", "screen", "locale", "theme", "imageURL", "phrases"];

/** Sets a property again that was set before the element was upgraded, so that its setter runs.
 * @param {any} element @param {string} name */
function upgradeProperty(element, name) {
  if (!Object.hasOwn(element, name)) return;
  const value = element[name];
  delete element[name];
  element[name] = value;
}

/** @param {HTMLElement} element @param {string} name @param {string | null} value */
function setOrRemove(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** @param {Measured | undefined} measured @param {string} key @returns {Map<string | number, Size>} */
const sizesFor = (measured, key) => (measured?.key === key ? measured.sizes : new Map());

/** @param {SectionInput} section @param {number} width */
function layoutOf({ layout, kind, items, header, footer, error }, width) {
  if (layout) return layout;
  const design = sectionDesign(kind, haveOnlyWords(items));
  return designLayout(design, { header: header !== null || error !== "", footer: footer !== null, width });
}

if (!customElements.get("marquee-screen")) customElements.define("marquee-screen", MarqueeScreen);

"""###,
"js/src/bytes.js": ###"""
/** Helpers for bytes: UTF-8, little-endian numbers, and hexadecimal for people. */

export const encoder = new TextEncoder();

/** No bytes. */
export const NONE = new Uint8Array(0);

/**
 * Encodes UTF-8.
 * @param {string} string
 */
export const utf8 = (string) => encoder.encode(string);

/** @param {Uint8Array} bytes */
export const viewOf = ({ buffer, byteOffset }) => new DataView(buffer, byteOffset);

/**
 * The lower 64 bits. JavaScript engines can use machine words if every result is passed through this.
 * @param {bigint} value
 */
export const uint64 = (value) => BigInt.asUintN(64, value);

/**
 * A fixed64, little endian.
 * @param {bigint} value
 */
export function fixed64(value) {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, value, true);
  return bytes;
}

/**
 * Joins pieces.
 * @param {Uint8Array[]} pieces
 * @returns {Uint8Array} if there is a single piece, that piece itself
 */
export function concat(pieces) {
  if (pieces.length === 1) return pieces[0];
  const result = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

/**
 * A sum as 16 hexadecimal digits.
 * @param {bigint} sum
 */
export const hex = (sum) => sum.toString(16).padStart(16, "0");

"""###,
"js/src/changes.js": ###"""
/** The difference between two states of a screen, as operations to apply to lists on a page. */

/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("./screen.js").Section} Section */

/** @typedef {"delete" | "insert" | "move" | "update"} Op */

/**
 * One change. Indices count from 0; `from` is an index in the old list, `to` one in the new list. To apply changes,
 * first to the sections and then to the items of each: remove what is deleted or moved, then insert what is inserted or
 * moved at its `to`, in the order given. The rest keeps its order.
 * @typedef {object} Change
 * @property {Op | `section-${Op}`} op
 * @property {string} section its id
 * @property {string} [id] of the item
 * @property {number} [from]
 * @property {number} [to]
 */

/**
 * A longest increasing subsequence.
 * @param {number[]} numbers
 * @returns {Set<number>}
 */
function longestIncreasing(numbers) {
  /**
   * The smallest last number of the sequences of each length.
   * @type {number[]}
   */
  const ends = [];
  /**
   * For each number, the one before it in its sequence.
   * @type {number[]}
   */
  const previous = [];
  for (const number of numbers) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (ends[middle] < number) low = middle + 1;
      else high = middle;
    }
    previous[number] = ends[low - 1];
    ends[low] = number;
  }
  const result = new Set();
  for (let number = ends[ends.length - 1]; number !== undefined; number = previous[number]) result.add(number);
  return result;
}

/**
 * Compares two lists by id.
 * @param {readonly {id: string}[]} before
 * @param {readonly {id: string}[]} after
 * @param {(op: Op, id: string, from: any, to?: any) => void} visit
 */
function compare(before, after, visit) {
  const places = new Map(before.map(({ id }, i) => [id, i]));
  const kept = after.flatMap(({ id }) => places.get(id) ?? []);
  const still = longestIncreasing(kept), left = new Set(kept);
  before.forEach(({ id }, from) => left.has(from) || visit("delete", id, from));
  after.forEach(({ id }, to) => {
    const from = places.get(id);
    if (from === undefined) return visit("insert", id, undefined, to);
    if (!still.has(from)) visit("move", id, from, to);
    visit("update", id, from, to);
  });
}

/**
 * All changes from one state to another.
 * @param {Screen} before
 * @param {Screen} after
 * @returns {Change[]}
 */
export function changesBetween(before, after) {
  /** @type {Change[]} */
  const changes = [];
  /** @type {Change[]} */
  const ofItems = [];
  compare(before.sections, after.sections, (op, section, from, to) => {
    const old = before.sections[from], now = after.sections[to];
    if (op !== "update" || !old.hasHeadOf(now)) changes.push({ op: `section-${op}`, section, from, to });
    if (op === "update" && old.items !== now.items)
      compare(old.items, now.items, (change, id, at, end) => {
        if (change !== "update" || !old.items[at].equals(now.items[end]))
          ofItems.push({ op: change, section, id, from: at, to: end });
      });
  });
  return changes.concat(ofItems);
}

"""###,
"js/src/client.js": ###"""
/** The public client. */

import { changesBetween } from "./changes.js";
import { COLLECTION, MAX_EVENTS, SEARCH, TIMEOUT } from "./constants.js";
import { Item } from "./content.js";
import { Engine, memory } from "./engine.js";
import { FATAL, MarqueeError } from "./errors.js";
import { decode, encode } from "./protobuf.js";
import { Screen } from "./screen.js";
import { COLLECTIONS } from "./view.js";
import { websocket } from "./websocket.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./engine.js").Message} Message */
/** @typedef {import("./core.js").Ticket} Ticket */
/** @typedef {import("./engine.js").ScreenState} ScreenState */
/** @typedef {import("./view.js").SectionOptions} SectionOptions */

/**
 * @typedef {object} Options
 * @property {string} [user] the user that the client identifies as; a token proves it
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token] a function is
 *   called for each connection, and again before its token expires; `refused` is a token that the server refused
 * @property {import("./engine.js").Mirror} [mirror] memory by default
 * @property {import("./websocket.js").Transport} [transport] WebSocket by default
 * @property {number} [timeout] of calls, in milliseconds
 * @property {string} [locale] the default for screens and searches
 * @property {{creditBytes?: number, cutBytes?: number}} [limits] bytes that the server may send ahead
 */

/** @typedef {{signal?: AbortSignal, timeout?: number}} CallOptions */
/** @typedef {{screen: Screen, changes: import("./changes.js").Change[]}} Update */
/**
 * A member of a collection.
 * @typedef {{subject: string, value: any, pending: boolean}} Member
 */
/** @typedef {{members: Member[], live: boolean, asOf: Date}} CollectionState */

/**
 * A generator of pushed values, which starts when it is first iterated. Only the newest unread values are kept.
 * @template T
 * @param {number} kept how many unread values are kept
 * @param {AbortSignal | undefined} signal
 * @param {(push: (value: T) => void, end: (error?: unknown) => void) => () => void} start returns the function that
 *   stops it; `end` takes effect after the unread values
 * @returns {AsyncGenerator<T, void, void>}
 */
async function* loop(kept, signal, start) {
  /** @type {T[]} */
  const values = [];
  /** @type {{error?: unknown} | undefined} */
  let ending;
  let wake = () => {};
  const end = (/** @type {unknown} */ error) => {
    ending = { error };
    wake();
  };
  const stop = start((value) => {
    if (values.push(value) > kept) values.shift();
    wake();
  }, end);
  const stopListening = onAbort(signal, end);
  try {
    for (;;)
      if (values.length) yield /** @type {T} */ (values.shift());
      else if (ending) {
        if (ending.error) throw ending.error;
        return;
      } else await new Promise((/** @type {(value?: unknown) => void} */ resolve) => (wake = resolve));
  } finally {
    stopListening();
    stop();
  }
}

/**
 * Calls back when a signal is aborted, or at once if it already is.
 * @param {AbortSignal | undefined} signal
 * @param {(error: MarqueeError) => void} run
 * @returns {() => void} stops listening
 */
function onAbort(signal, run) {
  const abort = () => run(new MarqueeError("ABORTED", FATAL, { cause: signal?.reason }));
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}

export class MarqueeClient {
  /** @type {import("./engine.js").Port} */ #port;
  #options;
  /**
   * Requests that have not ended, by ticket.
   * @type {Map<Ticket, Message>}
   */
  #open = new Map();
  /**
   * Listeners for messages about the client as a whole.
   * @type {Set<Ticket>}
   */
  #listeners = new Set();
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {Message} */
  #state = { type: "state", state: "idle" };
  /** @type {ScreenState | undefined} */
  #collections;
  /** @type {Ticket} that watches the collections */
  #watch = () => {};
  #isClosed = false;

  /**
   * The server's base URL for images, to which an image's name is appended.
   * @type {string | undefined}
   */
  imageBaseUrl;

  /**
   * @param {string} url `wss://host`, or what another transport expects
   * @param {Options} [options]
   */
  constructor(url, options = {}) {
    const { mirror = memory(), transport = websocket } = options;
    this.#options = options;
    /** The default for screens and searches. */
    this.locale = options.locale ?? "";
    this.#port = (mirror.share ?? ((start) => start()))(() => new Engine(url, { ...options, mirror, transport }));
    this.#port.receive(this.#handle, { type: "hello" });
  }

  // ---------------------------------------------------------------- screens

  /**
   * A screen: the mirror's state, then each newer one. Leaving the loop ends the subscription. A slow loop skips
   * states; `changes` are those since the last state it received.
   * @param {string} name
   * @param {SectionOptions & {locale?: string, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<Update, void, void>}
   * @throws {MarqueeError} in the loop, if the server refuses the screen or the connection for good
   */
  async *screen(name, options = {}) {
    const { locale = this.locale, sorts, windows, signal } = options;
    /** @type {AsyncGenerator<ScreenState, void, void>} */
    const states = loop(1, signal, (push, end) => {
      /** @type {ScreenState | undefined} */
      let state;
      const ticket = this.#ask({ type: "watch", screen: name, locale, options: { sorts, windows } }, (message) => {
        if (message.type === "done") end(message.error);
        else push((state = /** @type {any} */ (message)));
      });
      const stop = this.#listen(({ type }) => {
        if (type === "rows" && state) push(state);
      });
      return () => {
        stop();
        this.#leave(ticket);
      };
    });
    /** @type {Screen | undefined} */
    let shown;
    /** @type {ScreenState | undefined} */
    let last;
    for await (const one of states) {
      const screen = new Screen(one, this.#rows);
      const changes = shown ? changesBetween(shown, screen) : [];
      shown = screen;
      // Otherwise only rows of the outbox have changed, and none of them affects this screen.
      if (one !== last || changes.length) yield { screen, changes };
      last = one;
    }
  }

  /**
   * Changes the sorts or windows of a screen that is being iterated, for all its loops. If the server refuses them, the
   * client emits the event `optionsRefused`.
   * @param {string} name
   * @param {SectionOptions & {locale?: string}} options
   */
  setOptions(name, { locale = this.locale, sorts, windows }) {
    for (const [ticket, { screen, locale: one }] of this.#open)
      if (screen === name && one === locale)
        return this.#port.receive(ticket, { type: "options", options: { sorts, windows } });
    throw new MarqueeError("NOT_SHOWN");
  }

  // ---------------------------------------------------------------- collections

  /**
   * A collection of the user: a set of subjects. Changes are stored at once, and sent once there is a connection.
   * @param {string} name
   */
  collection(name) {
    const change = (/** @type {string} */ subject, /** @type {boolean} */ member, /** @type {string} */ value) =>
      this.change({
        method: COLLECTION, type: "CollectionRequest", subject, collection: name,
        messages: [{ subject, member, value, collection: name === "favorites" ? undefined : name }],
      });
    /**
     * The members, newest first, and each newer state.
     * @param {{signal?: AbortSignal}} options
     * @returns {AsyncGenerator<CollectionState, void, void>}
     */
    const states = ({ signal } = {}) =>
      loop(1, signal, (push, end) => {
        /** @param {Message} message */
        const show = ({ error, type }) => {
          if (type === "closed") end(error);
          if (type !== "rows") return;
          const members = this.#members(name);
          const { asOf = 0, live = false } = this.#collections ?? {};
          if (this.#collections || members.length) push({ members, live, asOf: new Date(asOf) });
        };
        const stop = this.#listen(show);
        show({ type: "rows" });
        return stop;
      });
    return {
      /**
       * Makes a subject a member, or gives it another value. Resolves when the change is stored. The result's
       * `confirmed` resolves when the server has applied the change, and rejects with the reason if it was rolled back.
       * @param {string} subject such as `movie/27205`
       * @param {any} [value] what the collection keeps with it
       */
      set: (subject, value) => change(subject, true, JSON.stringify(value)),
      /**
       * Removes a subject.
       * @param {string} subject
       */
      remove: (subject) => change(subject, false, /** @type {any} */ (undefined)),
      /**
       * Whether a subject is a member, as far as the client knows, including pending changes.
       * @param {string} subject
       */
      has: (subject) => this.#members(name).some((member) => member.subject === subject),
      states,
      [Symbol.asyncIterator]: states,
    };
  }

  /**
   * Puts a change into the outbox.
   * @param {import("./outbox.js").Mutation} mutation
   * @returns {Promise<{confirmed: Promise<{changed: boolean}>}>}
   */
  change(mutation) {
    return new Promise((resolve, reject) => {
      const confirmed = new Promise((confirm, refuse) => {
        this.#ask({ type: "change", mutation }, ({ type, error, result }) => {
          if (type === "stored") return resolve({ confirmed });
          error ? refuse(error) : confirm(result);
          reject(error);
        });
      });
      confirmed.catch(() => {}); // A rejection is also reported as an event.
    });
  }

  /**
   * Members with pending changes applied.
   * @param {string} name
   */
  #members(name) {
    if (!this.#open.has(this.#watch))
      this.#watch = this.#ask({ type: "watch", screen: COLLECTIONS, locale: "", options: {} }, (message) => {
        if (message.type === "done") return;
        this.#collections = /** @type {any} */ (message);
        this.#handle({ type: "rows", rows: this.#rows });
      });
    /** @type {Map<string, Member>} newest last */
    const members = new Map();
    const items = this.#collections?.contents.get(name)?.items ?? [];
    for (const { subject, content } of [...items].reverse())
      members.set(subject, { subject, value: jsonOf(content?.value), pending: false });
    for (const { subject, messages: [{ member, value }], collection } of /** @type {readonly any[]} */ (this.#rows)) {
      if (collection !== name) continue;
      members.delete(subject);
      if (member) members.set(subject, { subject, value: jsonOf(value), pending: true });
    }
    return [...members.values()].reverse();
  }

  // ---------------------------------------------------------------- calls

  /**
   * Searches.
   * @param {string} query
   * @param {CallOptions & {page?: number, locale?: string}} options pages count from 1
   * @returns {Promise<{items: Item[], total: number, totalCapped: boolean, page: number, pages: number}>}
   */
  async search(query, { page = 1, locale = this.locale, ...options } = {}) {
    const answer = await this.call(SEARCH, "SearchRequest", { page, query, locale }, "SearchAnswer", options);
    const items = (answer.items ?? []).map((/** @type {any} */ item) => new Item(item));
    return { total: 0, totalCapped: false, pages: 0, ...answer, items, page };
  }

  /**
   * Makes a call.
   * @param {number} method
   * @param {string} type of the request
   * @param {object} request
   * @param {string} answer the type of the answer
   * @param {CallOptions} options
   * @returns {Promise<any>}
   */
  call(method, type, request, answer, { signal, timeout = this.#options.timeout ?? TIMEOUT }) {
    return new Promise((resolve, reject) => {
      const ticket = this.#ask({ type: "call", method, body: encode(type, request), timeout }, ({ error, result }) => {
        stopListening();
        if (error) return reject(error);
        try {
          resolve(decode(answer, result));
        } catch (cause) {
          reject(new MarqueeError("BODY_INVALID", FATAL, { cause }));
        }
      });
      const stopListening = onAbort(signal, (error) => {
        this.#leave(ticket);
        reject(error);
      });
    });
  }

  // ---------------------------------------------------------------- messages

  /**
   * Sends a message; the handler receives its outcome.
   * @param {Message} message
   * @param {Ticket} handler
   * @returns {Ticket}
   */
  #ask(message, handler) {
    const ticket = (/** @type {Message} */ one) => {
      if (!this.#open.has(ticket)) return;
      if (one.type === "done") this.#open.delete(ticket);
      handler(one);
    };
    this.#open.set(ticket, message);
    if (this.#isClosed) queueMicrotask(() => ticket({ type: "done", error: new MarqueeError("CLOSED") }));
    else this.#port.receive(ticket, message);
    return ticket;
  }

  /** @param {Ticket} ticket */
  #leave(ticket) {
    if (this.#open.delete(ticket)) this.#port.receive(ticket, { type: "leave" });
  }

  /**
   * Listens to messages about the client as a whole.
   * @param {Ticket} listener
   * @returns {() => void} stops listening
   */
  #listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @type {Ticket} */
  #handle = (message) => {
    this.#rows = message.rows ?? this.#rows;
    if (message.type === "state") this.#state = message;
    this.imageBaseUrl = message.welcome?.imageBaseUrl ?? this.imageBaseUrl;
    for (const listener of this.#listeners) listener(message);
  };

  /**
   * Events of the client as a whole, beginning with its current state. Types of events: `state` (connecting, connected,
   * waiting or failed, possibly with an error and a pause), `changeRejected`, `changesHeldUp`,
   * `optionsRefused`, `tokenRefused`, `renewalFailed`, `notStored`, `cutRefused`, `role` (this tab leads).
   * @returns {AsyncGenerator<any, void, void>}
   */
  get events() {
    return loop(MAX_EVENTS, undefined, (push, end) => {
      push(this.#state);
      return this.#listen((message) => {
        if (message.type === "closed") end();
        else if (message.type !== "rows") push(message);
      });
    });
  }

  /** Reconnects at once instead of waiting, for example when the network is back or there is a new token. */
  retry() {
    this.#port.receive(this.#handle, { type: "retry" });
  }

  /** Ends all loops and calls. The next client of the mirror sends the rows left in the outbox. */
  async close() {
    this.#isClosed = true;
    const error = new MarqueeError("CLOSED");
    for (const [ticket] of this.#open) ticket({ type: "done", error });
    this.#handle({ type: "closed", error });
    await this.#port.close();
  }
}

/**
 * A value parsed as JSON, or unchanged if it isn't JSON.
 * @param {any} value
 */
function jsonOf(value) {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

"""###,
"js/src/constants.js": ###"""
/**
 * Constants of the protocol and of this client. This module imports nothing, so bundlers can inline them.
 */

/** Frames (chapter 2): the flags, the size of the header, and the minimum value of `length`. */
export const CRITICAL = 1, FIRST = 2, LAST = 4;
export const HEADER = 12, ENVELOPE = 8;

/** Limits of a message (chapter 3), and the highest field number. */
export const MAX_LEVELS = 8;
export const FRAME_ELEMENTS = 65536;
export const UNKNOWN_PER_MESSAGE = 32;
export const NAME_BYTES = 256;
export const MAX_NUMBER = 2 ** 29 - 1;
/** Maximum number of repeated elements in a body that is decoded for display. */
export const BODY_ELEMENTS = 4096;
/** The value of one unit of a varint's higher half. */
export const HIGH = 2 ** 28;

/** Bytes hashed for an edge, not counting its texts, which take at most three bytes per UTF-16 code unit. */
export const EDGE_BYTES = 24;

/** The maximum size of a body, and the operations of a patch's script (chapter 8); operation 0 keeps items. */
export const BODY_BYTES = 65536;
export const MOVE = 1, ADD = 2, UPDATE = 3;

/** Methods of calls. */
export const SEARCH = 4, COLLECTION = 5, RENEW = 7;

/** Maximum number of nacks without a good cut in between. */
export const NACKS = 3;
/** Maximum number of bytes in a manifest's frame, not counting its pairs. */
export const MANIFEST_BYTES = 64;
export const PAIR_BYTES = 16;
/** Limits assumed if the server doesn't state any. */
export const PART_BYTES = 65536;
export const CALLS = 16;
/** Ping intervals within which a frame that has begun must be complete. */
export const FRAME_INTERVALS = 3;
/** The key of the version that is being staged. Real handles are above 0. */
export const INCOMPLETE = 0;

/** Milliseconds. */
export const SECOND = 1000;
export const WELCOME_WAIT = 10_000;
export const LEAVING_WAIT = 5000;
export const CONNECT_WAIT = 15_000;
export const GOOD_CONNECTION = 5000;
/** The default timeout of calls. */
export const TIMEOUT = 10_000;
/** The longest delay of a timer. */
export const LONGEST_TIMER = 0x7fffffff;
/** The attempts and the time after which the client gives up on a claimed position that no server has reached. */
export const CLAIM_ATTEMPTS = 8;
export const CLAIM_MS = 300_000;

/** Maximum numbers of calls, waiting or in flight, and of rows in the outbox. */
export const MAX_CALLS = 256;
export const MAX_ROWS = 1000;
/** Maximum number of bytes buffered for sending. */
export const UNSENT_BYTES = 32 << 20;
/** Maximum number of unread events per loop; the oldest are dropped. */
export const MAX_EVENTS = 256;

/** The version of the mirror in IndexedDB; version 1 had object stores with other names. */
export const VERSION = 2;
/** Maximum number of records of a section before it is folded. */
export const MAX_RECORDS = 64;
/** Maximum number of views kept; those that have been out of date longest are evicted first. */
export const MAX_VIEWS = 64;

"""###,
"js/src/content.js": ###"""
/** Items, versions of variants, and their sums (chapter 7). */

import { NONE, concat, encoder, fixed64, uint64, utf8, viewOf } from "./bytes.js";
import { EDGE_BYTES } from "./constants.js";
import { decodeBody } from "./protobuf.js";
import { xxh64 } from "./xxh64.js";

/**
 * The messages of the item kinds that this library can decode. Those in a view's own list are left out: only their ids
 * are read.
 * @type {Record<number, string>}
 */
const bodies = { 9: "MemberBody", 12: "OtherBody", 13: "CardBody" };

/** A reusable buffer for hashing edges. */
let buffer = new Uint8Array(1024);

/**
 * The hash of an edge: an item and the id of the one before it.
 * @param {string} previous
 * @param {string} id
 * @param {number} kind
 * @param {string} subject
 * @param {bigint} bodyHash
 */
export function edge(previous, id, kind, subject, bodyHash) {
  const most = 3 * (previous.length + id.length + subject.length) + EDGE_BYTES;
  if (most > buffer.length) buffer = new Uint8Array(most);
  const view = viewOf(buffer);
  let at = 0;
  const write = (/** @type {string} */ text) => {
    const written = /** @type {number} */ (encoder.encodeInto(text, buffer.subarray(at + 4)).written);
    view.setUint32(at, written, true);
    at += 4 + written;
  };
  write(previous);
  write(id);
  view.setUint32(at, kind, true);
  at += 4;
  write(subject);
  view.setBigUint64(at, bodyHash, true);
  return xxh64(buffer, at + 8);
}

/** An item of a section. Its body is as received; never change it. */
export class Item {
  /** @type {any} */ #decoded;
  /**
   * The previous id that the cached edge was computed with.
   * @type {string | undefined}
   */
  #previous;
  #edge = 0n;

  /**
   * @param {import("./messages.js").ItemMessage} message its id is unique in its section; its subject is an entity's
   * type and id, or empty
   * @param {bigint} [bodyHash]
   */
  constructor({ id, kind, body = NONE, subject = "" }, bodyHash = xxh64(body)) {
    this.id = id;
    this.kind = kind;
    this.subject = subject;
    this.body = body;
    this.bodyHash = bodyHash;
  }

  /** The decoded body, if the protocol defines the item's kind; otherwise undefined. */
  get content() {
    const type = bodies[this.kind];
    return (this.#decoded ??= type && decodeBody(type, this.body));
  }

  /**
   * The decoded body of a card.
   * @returns {import("./messages.js").Card | undefined}
   */
  get card() {
    return this.kind === 13 ? this.content : undefined;
  }

  /**
   * Whether an item with the same id has the same kind, subject and body.
   * @param {Item} other
   */
  equals({ bodyHash, kind, subject }) {
    return this.kind === kind && this.subject === subject && this.bodyHash === bodyHash;
  }

  /**
   * The sum of all edges, including the closing edge.
   * @param {readonly Item[]} items
   */
  static edges(items) {
    let total = 0n, previous = "";
    for (const item of items) {
      const { id, kind, subject, bodyHash } = item;
      if (item.#previous !== previous) {
        item.#edge = edge(previous, id, kind, subject, bodyHash);
        item.#previous = previous;
      }
      total += item.#edge;
      previous = id;
    }
    return total + edge(previous, "", 0, "", 0n);
  }
}

/** A version of a variant: its head, its items, and their sum, which is computed here. */
export class Content {
  /** @type {any} */ #decoded;

  /**
   * @param {Uint8Array} head
   * @param {readonly Item[]} items
   * @param {Content} [base] the version before
   * @param {Uint8Array[]} [bodies] the parts that lead from `base` to this version, as received
   */
  constructor(head, items, base, bodies) {
    this.head = head;
    this.items = items;
    // Kept only until the next version, so that old versions don't keep older ones alive.
    this.base = base;
    this.bodies = bodies;
    if (base) base.base = base.bodies = undefined;
    this.sum = uint64(Item.edges(items) + xxh64(head));
  }

  /**
   * The decoded head; an empty message if it can't be decoded.
   * @param {"SectionHead" | "ViewHead"} type
   * @returns {any}
   */
  decoded(type) {
    return (this.#decoded ??= decodeBody(type, this.head) ?? {});
  }
}

/** The empty version, which client and server always hold. */
export const EMPTY = new Content(NONE, []);

/**
 * The pairs of a manifest for a version's items (chapter 15).
 * @param {readonly Item[]} items
 */
export const pairsOf = (items) =>
  concat(items.flatMap(({ bodyHash, id }) => [xxh64(utf8(id)), bodyHash]).map(fixed64));

/**
 * The screen sum: the sum of a view's own list, with each section's sum in place of its item's body hash.
 * @param {Content} own
 * @param {(section: string) => bigint | undefined} sumOf of a section; undefined for one that isn't held
 */
export const screenSum = ({ head, items }, sumOf) =>
  new Content(head, items.map((item) => new Item(item, sumOf(item.id) ?? 0n))).sum;

"""###,
"js/src/core.js": ###"""
/**
 * The client as a state machine: the caller sets `now` and reports an event by calling a method; `take` returns the
 * resulting actions, which the engine runs. It opens no socket, sets no timer and awaits nothing, so it can be tested
 * by calling functions.
 */

import { CLAIM_ATTEMPTS, CLAIM_MS, CONNECT_WAIT, GOOD_CONNECTION, MAX_CALLS, RENEW } from "./constants.js";
import { FATAL, Fault, MarqueeError, REAUTHENTICATE, RESYNC, RETRY, errorOf, faultOf, statusOf } from "./errors.js";
import { encodeFrame } from "./frames.js";
import { Session } from "./session.js";
import { Outbox, pauseOf } from "./outbox.js";
import { advanced, isBehind, whole, within } from "./positions.js";
import { decodeBody, encode } from "./protobuf.js";
import { COLLECTIONS, OWN, View } from "./view.js";

/** @typedef {import("./messages.js").Cut} Cut */
/** @typedef {import("./view.js").SectionOptions} SectionOptions */

/** The state that a mirror keeps in addition to content and the outbox.
 * @typedef {object} State
 * @property {string} [cluster] absent if the mirror is new
 * @property {string} user
 * @property {Uint8Array} clientId
 * @property {import("./positions.js").Position} [claimed] the newest position seen
 * @property {import("./positions.js").Position} [proven] the newest position that content came with
 * @property {number} next the highest mutation number so far
 * @property {number} answered the number up to which all answers are recorded
 * @property {number} confirmed the highest number that was applied
 */

/** A change of the mirror, made in one transaction.
 * @typedef {object} Write
 * @property {State} [state]
 * @property {boolean} [strict] whether it has to survive a power cut
 * @property {View[]} [views] all that hold content; unchanged versions are already stored
 * @property {import("./outbox.js").Row[]} [put]
 * @property {number[]} [removed] numbers of rows
 */

/**
 * An instruction to the engine: a name and arguments.
 * @typedef {[string, ...any]} Action
 */

/**
 * Receives the outcome of a request. To the core it only identifies the request.
 * @typedef {(message: import("./engine.js").Message) => void} Ticket
 */

/** A call without an answer yet; `id` is 0 until it is sent.
 * @typedef {{method: number, body: Uint8Array, deadline: number, id: number}} Pending */

/**
 * @typedef {object} Config
 * @property {() => number} random returns a number from 0 to 1
 * @property {() => Uint8Array} clientId makes a new client id
 * @property {boolean} renews whether the app can supply new tokens
 * @property {string} [user]
 * @property {object} [limits]
 */

/** The limits of this side, in bytes. */
const LIMITS = { frameBytes: 1 << 20, creditBytes: 1 << 20, cutBytes: 1 << 24, answerBytes: 1 << 20 };
const AGENT = "marquee-js/0.2.0";

export class Core {
  #config;
  /** @type {Action[]} */
  #actions = [];
  /** When the current phase times out. */
  #phaseEnds = Infinity;
  #attempts = 0;
  #openedAt = 0;
  /** @type {string | undefined} */
  #token;
  /** @type {string | undefined} */
  #refusedToken;
  /** Consecutive welcomes that belong to another mirror. */
  #otherMirrors = 0;
  /** Consecutive nodes that were behind the claimed position. */
  #behind = 0;
  #behindSince = 0;
  #renewAt = Infinity;
  /** @type {Map<Ticket, Pending>} */
  #calls = new Map();
  /**
   * The view that each ticket watches.
   * @type {Map<Ticket, View>}
   */
  #watches = new Map();
  /**
   * The ticket of the watch that keeps the user's collections subscribed.
   * @type {Ticket}
   */
  #forCollections = () => {};
  /** The time of the event being handled, in milliseconds; the caller sets it. */
  now = 0;
  /**
   * The position that the mirror has stored, which acks report.
   * @type {import("./positions.js").Position | undefined}
   */
  stored;
  /** @type {Session | undefined} */
  session;
  /** @type {"idle" | "connecting" | "open" | "waiting"} */
  phase = "idle";
  /**
   * The server's GoAway message, once it has sent one.
   * @type {any}
   */
  leaving;

  /**
   * @param {Config} config
   * @param {{state?: State, views?: View[], rows?: import("./outbox.js").Row[]}} stored
   */
  constructor(config, { state, views = [], rows = [] }) {
    this.#config = config;
    this.limits = { ...LIMITS, ...config.limits };
    /** @type {State} */
    this.state = state ?? { user: config.user ?? "", clientId: config.clientId(), next: 0, answered: 0, confirmed: 0 };
    this.stored = this.state.claimed;
    /** @type {Map<string, View>} */
    this.views = new Map(views.map((view) => [view.key, view]));
    this.outbox = new Outbox(this, rows, config.clientId);
  }

  /** @param {Action} action */
  act(...action) {
    this.#actions.push(action);
  }

  /** The actions since the last call. */
  take() {
    return this.#actions.splice(0);
  }

  /**
   * Sends a message to all listeners.
   * @param {string} type
   * @param {object} [more]
   */
  tell(type, more) {
    this.act("tell", { type, ...more });
  }

  // ---------------------------------------------------------------- requests

  /**
   * Subscribes a ticket to messages about the client as a whole.
   * @param {Ticket} ticket
   */
  hello(ticket) {
    this.act("say", ticket, this.outbox.shown);
  }

  /**
   * Watches a screen.
   * @param {Ticket} ticket
   * @param {{screen: string, locale: string, options: SectionOptions}} request
   */
  watch(ticket, { options, screen, locale }) {
    const fresh = new View(screen, locale);
    const view = this.views.get(fresh.key) ?? fresh;
    const isNew = !this.#isWatched(view);
    this.views.set(view.key, view);
    this.#watches.set(ticket, view);
    if (isNew) {
      view.tries = 0;
      view.error = undefined;
      view.options = options;
      this.#subscribe(view);
    } else if (options.sorts || options.windows) this.options(ticket, { options });
    if (view.isHeld) this.act("say", ticket, { ...view, type: "view" });
    this.pump();
  }

  /** @param {View} view */
  #isWatched(view) {
    return [...this.#watches.values()].includes(view);
  }

  /**
   * Changes the sorts and windows of a screen, for all its watches.
   * @param {Ticket} ticket
   * @param {{options: SectionOptions}} request
   */
  options(ticket, { options }) {
    const view = this.#watches.get(ticket);
    if (!view) return;
    view.options = options;
    this.session?.change(view);
  }

  /**
   * Drops a request whose outcome is no longer needed.
   * @param {Ticket} ticket
   */
  leave(ticket) {
    this.session?.cancel(this.#calls.get(ticket)?.id ?? 0);
    this.#calls.delete(ticket);
    const view = this.#watches.get(ticket);
    this.#watches.delete(ticket);
    if (view && !this.#isWatched(view)) {
      this.session?.unsubscribe(view);
      if (!view.isHeld) this.views.delete(view.key);
    }
  }

  /** @param {View} view */
  #subscribe(view) {
    view.retryAt = 0;
    this.ready?.subscribe(view);
  }

  /**
   * Starts a call.
   * @param {Ticket} ticket
   * @param {{method: number, body: Uint8Array, timeout: number}} request
   */
  call(ticket, request) {
    if (this.#calls.size >= MAX_CALLS) return this.finish(ticket, new MarqueeError("LIMIT", RETRY));
    this.#calls.set(ticket, { ...request, deadline: this.now + request.timeout, id: 0 });
    this.pump();
    this.#sendCalls();
  }

  /**
   * Puts a change into the outbox.
   * @param {Ticket} ticket
   * @param {{mutation: import("./outbox.js").Mutation}} request
   */
  change(ticket, { mutation }) {
    this.outbox.add(ticket, mutation);
  }

  /**
   * Ends a request with its outcome.
   * @param {Ticket | undefined} ticket
   * @param {MarqueeError | undefined} error
   * @param {any} [result]
   */
  finish(ticket, error, result) {
    if (ticket) {
      this.#calls.delete(ticket);
      this.#watches.delete(ticket);
      this.act("say", ticket, { type: "done", error, result });
    }
  }

  #sendCalls() {
    const { ready } = this;
    for (const [ticket, call] of this.#calls)
      if (ready && !call.id && ready.callsLeft > 0)
        call.id = ready.request(
          call.method,
          call.body,
          (error, body) => this.finish(ticket, error, body),
          Math.max(0, call.deadline - this.now),
        );
  }

  /** The session, if it can send subscriptions and calls. */
  get ready() {
    return this.session?.welcome && !this.leaving ? this.session : undefined;
  }

  // ---------------------------------------------------------------- connecting

  /**
   * Connects if there is a reason to.
   */
  pump() {
    if (this.phase !== "idle" || !(this.#watches.size || this.#calls.size || this.outbox.isWaiting)) return;
    this.phase = "connecting";
    this.#phaseEnds = this.now + CONNECT_WAIT;
    this.act("connect", this.#refusedToken);
    this.tell("state", { state: "connecting" });
  }

  /**
   * The transport is connected.
   * @param {string | undefined} token
   */
  opened(token) {
    const { cluster, answered, clientId } = this.state;
    this.phase = "open";
    this.#phaseEnds = Infinity;
    this.#token = token;
    this.#openedAt = this.now;
    this.session = new Session(this);
    this.session.send("Hello", {
      protocolMin: 1, protocolMax: 1, limits: this.limits, user: this.#config.user, token, clientId,
      agent: AGENT, cluster, seen: this.#seen(), answeredThrough: answered,
    });
  }

  /**
   * The position to send in Hello.
   */
  #seen() {
    const isGivenUp = this.#behind >= CLAIM_ATTEMPTS && this.now - this.#behindSince >= CLAIM_MS;
    return isGivenUp ? this.state.proven : this.state.claimed;
  }

  /**
   * Checks a Welcome before anything else is sent.
   * @param {import("./messages.js").Welcome} welcome
   */
  welcomed(welcome) {
    const { state } = this;
    const { cluster, user = "", identityMs, cut, lastMutation } = welcome;
    const seen = this.#seen();
    if (state.cluster && (state.cluster !== cluster || state.user !== user)) {
      // The first time, it may be a damaged message, so the client reconnects.
      const error = new MarqueeError("OTHER_MIRROR");
      return this.#otherMirrors++ ? this.fail(error) : this.disconnect(error);
    }
    this.#otherMirrors = 0;
    if (seen && isBehind(whole(cut), seen)) {
      if (!this.#behind++) this.#behindSince = this.now;
      throw new Fault("NODE_BEHIND");
    }
    if (this.#behind) state.claimed = this.stored = seen;
    this.#behind = 0;
    state.cluster = cluster;
    state.user = user;
    this.#refusedToken = undefined;
    if (!this.outbox.welcomed(lastMutation)) return;
    this.write({});
    this.#scheduleRenewal(identityMs);
    this.tell("state", { state: "connected", welcome });
    if (user) this.watch(this.#forCollections, { screen: COLLECTIONS, locale: "", options: {} });
    this.tick();
  }

  /** @param {number | undefined} ms */
  #scheduleRenewal(ms) {
    this.#renewAt = ms && this.#config.renews ? this.now + ms * (0.7 + 0.2 * this.#config.random()) : Infinity;
  }

  /**
   * Presents a new token on the current connection.
   * @param {string} token
   */
  renew(token) {
    this.ready?.request(RENEW, encode("RenewRequest", { token }), (error, body) => {
      if (error) {
        this.#renewAt = this.now + Math.max(error.retryAfterMs, 30_000);
        return this.tell("renewalFailed", { error });
      }
      this.#token = token;
      this.#scheduleRenewal(decodeBody("RenewAnswer", body)?.identityMs);
    });
  }

  /** @param {Uint8Array} bytes */
  received(bytes) {
    this.#guard((session) => session.receive(bytes));
    this.#sendCalls();
  }

  /** Runs a step of the session, and ends the connection if the peer broke the protocol.
   * @param {(session: Session) => boolean | void} step */
  #guard(step) {
    const fault = faultOf(() => {
      if (this.session && step(this.session)) this.disconnect(new MarqueeError("UNAVAILABLE", RETRY));
    });
    if (!fault) return;
    this.act("send", encodeFrame("Close", { status: statusOf(fault.message) }));
    this.disconnect(new MarqueeError(fault.message, RETRY));
  }

  /** Some offer has failed, but it isn't known which one, so nothing is offered next time. */
  #offerNothing() {
    for (const [, { withheld }] of this.views) withheld.add(OWN);
  }

  /**
   * Offers less after repairs of held content have failed (chapter 13): next time without the section, after that
   * without its view, and then nothing.
   * @param {View} view
   * @param {string} section
   */
  offerLess({ withheld }, section) {
    if (withheld.has(OWN)) this.#offerNothing();
    else withheld.add(withheld.size ? OWN : section);
  }

  /**
   * The server has closed the connection.
   * @param {MarqueeError} error
   */
  closed(error) {
    const { remedy } = error;
    if (remedy === RESYNC) this.#offerNothing();
    if (remedy === REAUTHENTICATE) {
      this.#refusedToken = this.#token;
      this.tell("tokenRefused", { error });
    }
    if (remedy === FATAL || (remedy === REAUTHENTICATE && !this.#config.renews)) this.fail(error);
    else this.disconnect(error);
  }

  /**
   * Ends the connection from this side, and waits before reconnecting.
   * @param {MarqueeError} error
   */
  disconnect(error) {
    this.act("disconnect");
    this.lost(error);
  }

  /**
   * The connection, or the attempt to make one, has ended.
   * @param {MarqueeError} error
   */
  lost(error) {
    const { session, leaving } = this;
    const bound = () => pauseOf(250, 30_000, this.#attempts);
    if (session?.good && this.now - this.#openedAt >= Math.min(bound(), GOOD_CONNECTION)) this.#attempts = 0;
    /** @type {{reconnectMinMs?: number, reconnectMaxMs?: number}} */
    const { reconnectMinMs: least = 0, reconnectMaxMs: most = leaving ? least : bound() } = leaving ?? {};
    let pause = least + this.#config.random() * (most - least);
    if (leaving) error = errorOf(leaving.status);
    else pause = Math.max(pause, error.retryAfterMs);
    this.#attempts++;
    this.#drop(error);
    this.phase = "waiting";
    this.#phaseEnds = this.now + pause;
    this.tell("state", { state: "waiting", error, pause });
  }

  /**
   * Forgets the connection.
   * @param {MarqueeError} error
   */
  #drop(error) {
    this.session = this.leaving = undefined;
    this.#renewAt = Infinity;
    this.outbox.inFlight = undefined;
    for (const [, call] of this.#calls) call.id = 0;
    for (const [, view] of this.views) {
      view.live = false;
      view.error = error;
      this.#show(view);
    }
  }

  /**
   * Gives up, because reconnecting would not help, and ends all requests with the error.
   * @param {MarqueeError} error
   */
  fail(error) {
    this.act("disconnect");
    this.#drop(error);
    this.phase = "idle";
    this.outbox.isHeld = true;
    for (const [ticket] of [...this.#watches, ...this.#calls]) this.finish(ticket, error);
    this.tell("state", { state: "failed", error });
  }

  /**
   * Reconnects at once instead of waiting, for example when the network is back or there is a new token.
   */
  retry() {
    this.outbox.isHeld = false;
    if (this.phase === "waiting") this.phase = "idle";
    this.pump();
  }

  tick() {
    if (this.now >= this.#phaseEnds) {
      this.#phaseEnds = Infinity;
      if (this.phase === "connecting") this.disconnect(new MarqueeError("TIMEOUT", RETRY));
      else this.phase = "idle";
    }
    this.#guard((session) => session.tick());
    for (const [ticket, { deadline }] of this.#calls)
      if (this.now >= deadline) {
        this.leave(ticket);
        this.finish(ticket, new MarqueeError("TIMEOUT", RETRY));
      }
    for (const [, view] of this.#watches) if (this.now >= view.retryAt) this.#subscribe(view);
    if (this.now >= this.#renewAt) {
      this.#renewAt = Infinity;
      this.act("renew");
    }
    this.#sendCalls();
    this.outbox.flush();
    this.pump();
  }

  /** When `tick` next has something to do; Infinity if never. */
  get due() {
    const retries = this.ready ? [this.outbox, ...this.#watches.values()] : [];
    return Math.min(
      this.#phaseEnds,
      this.#renewAt,
      this.session?.due ?? Infinity,
      ...[...this.#calls.values()].map(({ deadline }) => deadline),
      ...retries.map(({ retryAt }) => retryAt || Infinity),
    );
  }

  // ---------------------------------------------------------------- content

  /** @param {View} view */
  #show(view) {
    if (view.isHeld)
      for (const [ticket, one] of this.#watches) if (one === view) this.act("say", ticket, { ...view, type: "view" });
  }

  /**
   * The server has refused a subscription, a section of it, or a change of its options.
   * @param {View} view
   * @param {MarqueeError} error
   * @param {string | undefined} section
   * @param {boolean} isWhole whether the subscription has ended
   */
  refused(view, error, section, isWhole) {
    if (section) view.errors = new Map(view.errors).set(section, error);
    else if (!isWhole) {
      view.options = view.shown;
      return this.tell("optionsRefused", { screen: view.screen, error });
    } else {
      view.error = error;
      if (error.remedy > RESYNC) {
        for (const [ticket, one] of this.#watches) if (one === view) this.finish(ticket, error);
        return;
      }
      if (error.remedy === RESYNC) view.withheld.add(OWN);
      view.retryAt = this.now + Math.max(error.retryAfterMs, pauseOf(1000, 60_000, view.tries++));
    }
    this.#show(view);
  }

  /**
   * A whole cut has been verified.
   * @param {Map<import("./session.js").Subscription, import("./session.js").Step>} steps
   * @param {Cut[]} proven
   */
  applied(steps, proven) {
    const { position } = /** @type {Session} */ (this.session);
    for (const [{ view }, { contents, join }] of steps) {
      view.contents = contents;
      if (!join) continue;
      view.live = true;
      view.error = undefined;
      view.tries = 0;
      view.served = join.locale;
      view.shown = view.options;
      view.errors = new Map([...view.errors].filter(([id]) =>
        join.sections?.some(({ section, sum }) => section === id && sum === undefined)));
      view.withheld.clear();
    }
    this.state.proven = proven.reduce(advanced, within(position, whole(this.state.proven)));
    this.settle();
    for (const [{ view }] of steps) this.#show(view);
  }

  /**
   * Adopts the session's position, in one write with the content that came with it.
   */
  settle() {
    const { position } = /** @type {Session} */ (this.session);
    this.state.claimed = position;
    const views = [...this.views.values()].filter(({ isHeld }) => isHeld);
    for (const view of views)
      if (view.live) {
        view.cut = position;
        view.asOf = this.now;
      }
    this.write({ views, removed: this.outbox.leave() }, (error) => {
      if (!error) this.stored = position;
    });
  }

  // ---------------------------------------------------------------- the mirror

  /** Writes, in one transaction with the state.
   * @param {Write} write @param {(error: MarqueeError | undefined) => void} [done] */
  write(write, done) {
    this.act("write", { ...write, state: { ...this.state } }, done);
  }
}


"""###,
"js/src/crc32c.js": ###"""
/** CRC-32C (Castagnoli, reflected). */

/** The remainder for each byte value. */
const table = new Int32Array(256).map((_, remainder) => {
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 && 0x82f63b78);
  return remainder;
});

/**
 * Extends a remainder by more bytes. The initial remainder is −1; the checksum is the complement of the final one.
 * @param {number} remainder
 * @param {Uint8Array} bytes
 */
export function crc32c(remainder, bytes) {
  for (let i = 0; i < bytes.length; i++) remainder = (remainder >>> 8) ^ table[(remainder ^ bytes[i]) & 255];
  return remainder;
}

"""###,
"js/src/engine.js": ###"""
/**
 * Runs the core: passes requests to it, and runs its actions on a transport, a mirror and a timer. It communicates by
 * messages, so it can serve other tabs as well as its own.
 */

import { LONGEST_TIMER, UNSENT_BYTES } from "./constants.js";
import { Core } from "./core.js";
import { FATAL, MarqueeError, REAUTHENTICATE, RETRY, check } from "./errors.js";

/** @typedef {import("./core.js").Ticket} Ticket */

/** The current state of a screen; read-only.
 * @typedef {object} ScreenState
 * @property {string} screen
 * @property {string} served the locale that the server chose
 * @property {ReadonlyMap<string, import("./content.js").Content>} contents by section; "" is the view's own list
 * @property {boolean} live whether this is what the server has now
 * @property {number} asOf milliseconds since 1970; 0 if it was never current
 * @property {import("./messages.js").Cut} cut the position
 * @property {MarqueeError | undefined} error why it isn't live
 * @property {ReadonlyMap<string, MarqueeError>} errors of sections
 */

/** @typedef {{type: string, [more: string]: any}} Message */

/** Keeps content, state and the outbox.
 * @typedef {object} Mirror
 * @property {() => Promise<{state?: any, views?: import("./view.js").View[], rows?: any[]}>} open returns the rows in
 *   ascending order of their numbers
 * @property {(write: import("./core.js").Write) => Promise<void>} write
 * @property {() => void} [close]
 * @property {(start: () => Engine) => Port} [share] lets one engine serve several tabs
 */

/**
 * Receives a client's messages. The ticket identifies the request that a message begins or refers to, and receives the
 * request's outcome. The ticket of `hello` receives messages about the client as a whole.
 * @typedef {{receive: (ticket: Ticket, message: Message) => void, close: () => unknown}} Port
 */

/**
 * @typedef {object} EngineOptions
 * @property {import("./websocket.js").Transport} transport
 * @property {Mirror} mirror
 * @property {string} [user]
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token]
 * @property {object} [limits]
 */

/**
 * A mirror in memory.
 * @returns {Mirror}
 */
export const memory = () => ({ open: async () => ({}), write: async () => {} });

export class Engine {
  #url;
  #options;
  #mirror;
  /** @type {Core | undefined} */
  #core;
  #ready;
  /** @type {import("./websocket.js").Connection | undefined} */
  #connection;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isClosed = false;
  #isStored = true;
  /**
   * The tickets that receive messages about the client as a whole.
   * @type {Set<Ticket>}
   */
  #listeners = new Set();
  /** @type {Message} */
  #state = { type: "state", state: "idle" };

  /** @param {string} url @param {EngineOptions} options */
  constructor(url, options) {
    this.#url = url;
    this.#options = options;
    this.#mirror = options.mirror;
    this.#ready = this.#open();
  }

  async #open() {
    let stored = {};
    try {
      stored = await this.#mirror.open();
    } catch (cause) {
      this.#mirror = memory();
      this.#notStored(cause);
    }
    this.#core = new Core({
      ...this.#options,
      random: Math.random,
      clientId: () => crypto.getRandomValues(new Uint8Array(16)),
      renews: typeof this.#options.token === "function",
    }, stored);
    this.#step((core) => core.pump());
  }

  /** Ends everything. Nothing more is sent; a write that has begun is completed. */
  async close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.close();
    await this.#ready;
    this.#mirror.close?.();
  }

  // ---------------------------------------------------------------- requests

  /**
   * Handles a client's message; the core has a method for each type.
   * @param {Ticket} ticket
   * @param {Message} message
   */
  async receive(ticket, message) {
    const { type } = message;
    if (type === "leave") this.#listeners.delete(ticket);
    if (type === "hello") this.#listeners.add(ticket);
    await this.#ready;
    this.#step((core) => {
      if (type === "hello") ticket(this.#state);
      /** @type {any} */ (core)[type]?.(ticket, message);
    });
  }

  // ---------------------------------------------------------------- actions, called by name

  /**
   * Passes an event to the core, and runs the resulting actions.
   * @param {(core: Core) => void} event
   * @returns {void}
   */
  #step(event) {
    const core = this.#core;
    if (!core || this.#isClosed) return;
    core.now = Date.now();
    event(core);
    for (const [name, ...more] of core.take()) /** @type {any} */ (this)[name](...more);
    if (/** @type {number} */ (this.#connection?.buffered()) > UNSENT_BYTES)
      return this.#step(() => core.disconnect(new MarqueeError("UNAVAILABLE", RETRY)));
    clearTimeout(this.#timer);
    const pause = core.due - Date.now();
    if (pause < Infinity)
      this.#timer = setTimeout(() => this.#step(() => core.tick()), Math.min(pause, LONGEST_TIMER));
  }

  /** @param {Uint8Array} bytes */
  send(bytes) {
    this.#connection?.send(bytes);
  }

  disconnect() {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** @param {Ticket} ticket @param {Message} message */
  say(ticket, message) {
    ticket(message);
  }

  /**
   * Sends a message to all listeners.
   * @param {Message} event
   */
  tell(event) {
    if (event.type === "state") this.#state = event;
    for (const listener of this.#listeners) listener(event);
  }

  /** @param {string | undefined} refused */
  async connect(refused) {
    const core = /** @type {Core} */ (this.#core);
    /** @type {import("./websocket.js").Connection | undefined} */
    let connection;
    const step = (/** @type {(core: Core) => void} */ event) => {
      if (connection === this.#connection) this.#step(event);
    };
    const lost = (/** @type {unknown} */ cause, code = "UNAVAILABLE", remedy = RETRY) =>
      step(() => {
        this.#connection = undefined;
        core.lost(new MarqueeError(code, remedy, { cause }));
      });
    /** @type {string | undefined} */
    let token;
    try {
      token = await this.#token(refused);
    } catch (cause) {
      return core.phase === "connecting" && lost(cause, "TOKEN_REFUSED", REAUTHENTICATE);
    }
    if (this.#isClosed || core.phase !== "connecting" || this.#connection) return;
    try {
      this.#connection = connection = this.#options.transport(this.#url, {
        open: () => step(() => core.opened(token)),
        data: (bytes) => step(() => core.received(bytes)),
        close: lost,
      });
    } catch (cause) {
      this.#step(() => core.fail(new MarqueeError("UNAVAILABLE", FATAL, { message: `${cause}`, cause })));
    }
  }

  /**
   * Gets a token; throws if it is the one that was refused.
   * @param {string} [refused]
   */
  async #token(refused) {
    const { token } = this.#options;
    const found = typeof token === "function" ? await token({ refused }) : token;
    check(!refused || found !== refused, "refused before");
    return found;
  }

  async renew() {
    const token = await this.#token().catch(() => {});
    if (token) this.#step((core) => core.renew(token));
  }

  /** @param {import("./core.js").Write} write @param {(error: MarqueeError | undefined) => void} [done] */
  async write(write, done) {
    /** @type {MarqueeError | undefined} */
    let error;
    try {
      await this.#mirror.write(write);
      this.#isStored = true;
    } catch (cause) {
      error = this.#notStored(cause);
    }
    this.#step(() => done?.(error));
  }

  /**
   * Reports that the mirror fails; only once, until it works again.
   * @param {unknown} cause
   */
  #notStored(cause) {
    const error = new MarqueeError("NOT_STORED", RETRY, { message: `${cause}`, cause });
    if (this.#isStored) this.tell({ type: "notStored", error });
    this.#isStored = false;
    return error;
  }
}

"""###,
"js/src/errors.js": ###"""
/** Errors, and the statuses with which this side ends a connection. */

/**
 * How to react to an error, as numbered in chapter 21 of the protocol: 1 retry the same, 2 retry elsewhere, 3 resync,
 * 4 re-authenticate, 5 fatal.
 * @typedef {number} Remedy
 */
export const RETRY = 1, RESYNC = 3, REAUTHENTICATE = 4, FATAL = 5;

/**
 * Any error that this library reports. Programs should look at `code`: a reason of the protocol, such as
 * `UNKNOWN_SCREEN`, or one of the client's own: `UNAVAILABLE`, `TIMEOUT`, `CLOSED`, `ABORTED`, `NOT_STORED`,
 * `NOT_SHOWN`, `LIMIT`, `OTHER_MIRROR`, `MIRROR_IN_USE`, `UNCONFIRMED`.
 */
export class MarqueeError extends Error {
  name = "MarqueeError";

  /**
   * @param {string} code
   * @param {Remedy} [remedy] unknown remedies count as fatal
   * @param {{message?: string, retryAfterMs?: number, cause?: unknown}} more
   */
  constructor(code, remedy = FATAL, { message = code, retryAfterMs = 0, cause } = {}) {
    super(message, { cause });
    this.code = code;
    this.remedy = remedy > 0 && remedy < FATAL ? remedy : FATAL;
    /** Milliseconds to wait before retrying; 0 if the server gave none. */
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The error for a status that the server sent.
 * @param {import("./messages.js").Status} status
 */
export const errorOf = (status) => new MarqueeError(status.reason || "UNKNOWN", status.remedy, status);

/**
 * Thrown for bytes that break a rule. Its message is a reason of the protocol, or the reason for refusing a cut. A
 * fault in a frame's message ends the connection; one in a patch refuses the cut.
 */
export class Fault extends Error {}

/**
 * Throws a fault unless a condition holds.
 * @param {unknown} condition
 * @param {string} reason
 * @returns {asserts condition}
 */
export function check(condition, reason) {
  if (!condition) throw new Fault(reason);
}

/**
 * Runs a function, and returns the fault that it throws, if any.
 * @param {() => void} run
 * @returns {Fault | undefined}
 */
export function faultOf(run) {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/**
 * Codes and remedies of reasons; all other reasons have code 3 and remedy 5.
 * @type {[number, Remedy, RegExp][]}
 */
const statuses = [
  [15, RETRY, /^FRAME_DAMAGED/], [3, RETRY, /^FRAME_TOO_SHORT/], [4, RETRY, /^FRAME_U/],
  [8, RETRY, /^FRAME|CUT_TOO/], [8, FATAL, /^TOO_/], [11, FATAL, /^OUT_/], [12, FATAL, /^UNKNOWN_C/],
  [14, 2, /^NODE_/], [9, RETRY, /^CUT_O/], [15, RESYNC, /^CUT_/], [9, FATAL, /^WRONG_D|^PROTOCOL/],
];

/**
 * The status that this side sends for a reason.
 * @param {string} reason
 * @param {string} [message]
 */
export function statusOf(reason, message) {
  const [code, remedy] = statuses.find((row) => row[2].test(reason)) ?? [3, FATAL];
  return { code, reason, remedy, message };
}

"""###,
"js/src/frames.js": ###"""
/** Frames (chapter 2): twelve bytes, then a message. */

import { concat, viewOf } from "./bytes.js";
import { CRITICAL, ENVELOPE, FIRST, HEADER, LAST } from "./constants.js";
import { crc32c } from "./crc32c.js";
import { check } from "./errors.js";
import { encode } from "./protobuf.js";
import { names } from "./schema.js";

/**
 * The checksum of a complete frame.
 * @param {Uint8Array} frame
 */
const checkOf = (frame) => ~crc32c(crc32c(-1, frame.subarray(HEADER)), frame.subarray(0, ENVELOPE)) >>> 0;

/**
 * Makes a frame.
 * @param {number} kind
 * @param {Uint8Array} body
 * @param {number} [flags]
 */
export function frameOf(kind, body, flags = 0) {
  const frame = concat([new Uint8Array(HEADER), body]);
  const view = viewOf(frame);
  view.setUint32(0, ENVELOPE + body.length);
  view.setUint16(4, kind);
  view.setUint16(6, flags);
  view.setUint32(8, checkOf(frame));
  return frame;
}

/**
 * Makes a frame that carries a message.
 * @param {string} name of the frame's kind
 * @param {import("./protobuf.js").Message} message
 */
export const encodeFrame = (name, message) => frameOf(names.indexOf(name), encode(name, message));

/** A frame; `name` is undefined for unknown kinds.
 * @typedef {{name: string | undefined, flags: number, body: Uint8Array, size: number}} Frame */

/** Splits a stream of bytes into frames, and verifies the checksum of each. */
export class FrameReader {
  #limit;
  /** @type {Uint8Array[]} */
  #chunks = [];
  /** The number of buffered bytes; if there are any, a frame has begun. */
  size = 0;
  /** The number of buffered bytes needed for the next step. */
  #need = 4;

  /** @param {number} limit the largest `length` that is accepted */
  constructor(limit) {
    this.#limit = limit;
  }

  /**
   * Adds bytes. The bodies of frames may share their memory.
   * @param {Uint8Array} bytes
   */
  push(bytes) {
    this.#chunks.push(bytes);
    this.size += bytes.length;
  }

  /**
   * The next complete frame.
   * @returns {Frame | undefined}
   * @throws {Fault}
   */
  next() {
    if (this.size < this.#need) return;
    const bytes = concat(this.#chunks);
    this.#chunks = [bytes];
    const view = viewOf(bytes);
    const length = view.getUint32(0);
    check(length >= ENVELOPE, "FRAME_TOO_SHORT");
    check(length <= this.#limit, "FRAME_TOO_LONG");
    const size = (this.#need = length + 4);
    if (this.size < size) return;
    this.#chunks = [bytes.subarray(size)];
    this.size -= size;
    this.#need = 4;
    const frame = bytes.subarray(0, size);
    check(view.getUint32(8) === checkOf(frame), "FRAME_DAMAGED");
    return { name: names[view.getUint16(4)], flags: view.getUint16(6), body: frame.subarray(HEADER), size };
  }
}

"""###,
"js/src/index.js": ###"""
/** Live, verified screens of a Marquee server. */

export { MarqueeClient } from "./client.js";
export { memory } from "./engine.js";
export { MarqueeError } from "./errors.js";

"""###,
"js/src/outbox.js": ###"""
/**
 * Changes that the server hasn't confirmed (chapter 18). A row is stored before its effect is shown, and stored as sent
 * before it is sent. Rows are sent one at a time, in the order of their numbers, and each takes effect exactly once.
 */

import { MAX_ROWS } from "./constants.js";
import { FATAL, MarqueeError, RESYNC, RETRY } from "./errors.js";
import { decodeBody, encode } from "./protobuf.js";
import { COLLECTIONS, keyOf } from "./view.js";

/** A change: messages of one method, all of which take effect when the last one arrives. A change of a collection is a
 * single message, and names its subject.
 * @typedef {{method: number, type: string, messages: any[], subject?: string, collection?: string}} Mutation */

/** @typedef {Mutation & {number: number, state: RowState, cut?: import("./messages.js").Cut}} Row */

/**
 * In the states `new` and `sending`, the row is being stored.
 * @typedef {"new" | "pending" | "sending" | "sent" | "answered"} RowState
 */

/**
 * An exponential backoff.
 * @param {number} first
 * @param {number} longest
 * @param {number} tries
 */
export const pauseOf = (first, longest, tries) => Math.min(longest, first * 2 ** tries);

export class Outbox {
  #core;
  #clientId;
  /**
   * The tickets waiting for an outcome, by row.
   * @type {Map<Row, import("./core.js").Ticket>}
   */
  #tickets = new Map();
  #refusals = 0;
  /** When to resume sending after a temporary failure; 0 for at once. */
  retryAt = 0;
  /**
   * The row that awaits its answer.
   * @type {Row | undefined}
   */
  inFlight;
  /** Whether the server has refused the connection for good; existing rows alone are then no reason to reconnect. */
  isHeld = false;

  /** @param {import("./core.js").Core} core @param {Row[]} rows as stored @param {() => Uint8Array} clientId */
  constructor(core, rows, clientId) {
    this.#core = core;
    this.#clientId = clientId;
    this.rows = rows;
  }

  get isWaiting() {
    return !this.isHeld && this.rows.some(({ state }) => state !== "answered");
  }

  /** @param {Row[]} rows */
  #remove(rows) {
    this.rows = this.rows.filter((row) => !rows.includes(row));
    return rows.map(({ number }) => number);
  }

  /** @param {Row} row @param {MarqueeError | undefined} error @param {any} [result] */
  #settle(row, error, result) {
    this.#core.finish(this.#tickets.get(row), error, result);
    this.#tickets.delete(row);
    this.#core.act("tell", this.shown);
  }

  /** A message with the rows that may be shown: those that are stored. */
  get shown() {
    return { type: "rows", rows: this.rows.filter(({ state }) => state !== "new") };
  }

  /**
   * Adds a change. Its ticket receives `stored` once the change is durable, and `done` once it is answered.
   * @param {import("./core.js").Ticket} ticket
   * @param {Mutation} mutation
   */
  add(ticket, mutation) {
    if (this.rows.length >= MAX_ROWS) return this.#core.finish(ticket, new MarqueeError("LIMIT"));
    /** @type {Row} */
    const row = { ...mutation, number: ++this.#core.state.next, state: "new" };
    this.rows.push(row);
    this.#tickets.set(row, ticket);
    this.isHeld = false;
    this.#core.write({ strict: true, put: [{ ...row, state: "pending" }] }, (error) => {
      if (error) {
        this.#remove([row]);
        return this.#settle(row, error);
      }
      row.state = "pending";
      this.#core.act("say", ticket, { type: "stored" });
      this.#core.act("tell", this.shown);
      this.flush();
    });
    this.#core.pump();
  }

  /**
   * Sends the next row, unless one is in flight.
   */
  flush() {
    if (!this.#core.ready || this.inFlight || this.#core.now < this.retryAt) return;
    this.retryAt = 0;
    const row = this.rows.find(({ state }) => state !== "answered");
    if (row?.state === "sent") return this.#send(row);
    if (row?.state !== "pending") return;
    row.state = "sending";
    this.#core.write({ strict: true, put: [{ ...row, state: "sent" }] }, (error) => {
      row.state = error ? "pending" : "sent";
      if (error) this.#postpone();
      this.flush();
    });
  }

  /** @param {Row} row */
  #send(row) {
    const { number, method, type, messages } = row;
    this.inFlight = row;
    messages.forEach((message, i) => {
      const body = encode(type, { ...message, number, answeredThrough: this.#core.state.answered });
      this.#core.ready?.request(method, body, (error, answer) => {
        if (this.inFlight === row && (error || !messages[i + 1])) this.#take(row, error, answer);
      });
    });
  }

  /**
   * Handles the answer to a row.
   * @param {Row} row
   * @param {MarqueeError | undefined} error
   * @param {Uint8Array} body
   */
  #take(row, error, body) {
    const { session, state } = this.#core;
    const { number } = row;
    const answer = decodeBody("MutationAnswer", body);
    if (error || !answer) return this.#refused(row, error ?? new MarqueeError("BODY_INVALID", RETRY));
    /** @type {Row} */
    const answered = { ...row, state: "answered", cut: { ...session?.position, userRevision: 0, ...answer.cut } };
    const before = { answered: state.answered, confirmed: state.confirmed };
    state.answered = state.confirmed = number;
    this.#core.write({ strict: true, put: [answered] }, (failed) => {
      this.inFlight = undefined;
      if (failed) {
        // The row is sent again; the server repeats its answer.
        Object.assign(state, before);
        return this.#postpone();
      }
      this.#refusals = 0;
      Object.assign(row, answered);
      this.#settle(row, undefined, { changed: !!answer.changed });
      this.#core.write({ removed: this.leave() });
      this.flush();
    });
  }

  /** @param {Row} row @param {MarqueeError} error */
  #refused(row, error) {
    this.inFlight = undefined;
    if (error.code === "CLIENT_CLONED") return this.#renew([]);
    if (error.remedy !== RESYNC && error.remedy !== FATAL) {
      this.#postpone(error.retryAfterMs);
      return this.#core.tell("changesHeldUp", { error });
    }
    this.#core.state.answered = row.number;
    this.#core.write({ strict: true, removed: [row.number] });
    this.#rollBack([row], error);
    this.flush();
  }

  /** @param {Row[]} rows @param {MarqueeError} error */
  #rollBack(rows, error) {
    this.#remove(rows);
    for (const row of rows) {
      const { subject, collection } = row;
      this.#core.tell("changeRejected", { subject, collection, error });
      this.#settle(row, error);
    }
  }

  /** @param {number} [atLeast] */
  #postpone(atLeast = 0) {
    this.retryAt = this.#core.now + Math.max(atLeast, pauseOf(1000, 60_000, this.#refusals++));
  }

  /**
   * Compares the server's last mutation number with the outbox's.
   * @param {number | undefined} last
   * @returns {boolean} false if the client has to reconnect, with a new client id
   */
  welcomed(last = 0) {
    const { confirmed, answered } = this.#core.state;
    if (last >= Math.min(confirmed, answered)) return true;
    this.#renew(this.rows.filter(({ state }) => /^sen/.test(state)));
    return false;
  }

  /**
   * Continues with a new client id.
   * @param {Row[]} lost rows that may or may not have taken effect
   */
  #renew(lost) {
    const { state } = this.#core;
    const removed = this.rows.map(({ number }) => number);
    this.#rollBack(lost, new MarqueeError("MUTATION_FORGOTTEN", RESYNC));
    this.#remove(this.rows.filter((row) => row.state === "answered"));
    for (const row of this.rows) {
      row.number = ++state.next;
      if (row.state !== "new") row.state = "pending";
    }
    state.clientId = this.#clientId();
    state.answered = state.confirmed = 0;
    this.#core.write({ strict: true, removed, put: this.rows.map((row) => ({ ...row, state: "pending" })) });
    this.#core.disconnect(new MarqueeError("CLIENT_CLONED", RETRY));
  }

  /** Removes the answered rows whose effect is shown, and returns their numbers. */
  leave() {
    const { session, views } = this.#core;
    if (!session) return [];
    const { userEpoch, userRevision } = session.position;
    const isLive = views.get(keyOf(COLLECTIONS, ""))?.live;
    const leaving = this.rows.filter((/** @type {any} */ { state, subject, cut }) => state === "answered" &&
      (!isLive || subject === undefined || cut.userEpoch !== userEpoch || cut.userRevision <= userRevision));
    const numbers = this.#remove(leaving);
    if (leaving.length) this.#core.act("tell", this.shown);
    return numbers;
  }
}

"""###,
"js/src/patch.js": ###"""
/** Changes to bodies (chapter 6) and patches of lists (chapter 8). */

import { NONE, concat } from "./bytes.js";
import { ADD, BODY_BYTES, MAX_NUMBER, MOVE, UPDATE } from "./constants.js";
import { Content, EMPTY, Item } from "./content.js";
import { check } from "./errors.js";
import { whole } from "./positions.js";
import { decode, encode, numbersOf, recordsOf, varintOf } from "./protobuf.js";

/** @typedef {import("./messages.js").FieldChange} FieldChange */
/**
 * A patch, joined from its parts.
 * @typedef {import("./messages.js").Part} Patch
 */
/**
 * A record: its field number and its bytes.
 * @typedef {[number, Uint8Array]} Record_
 */

/** @param {Record_[]} records */
const bodyOf = (records) => concat(records.sort((a, b) => a[0] - b[0]).map((record) => record[1]));

/**
 * Puts a body into canonical form. Only servers need this.
 * @param {Uint8Array} body
 */
export const canonical = (body) => bodyOf(recordsOf(body));

/**
 * The records of a body, which must be canonical.
 * @param {Uint8Array} body
 */
function canonicalRecords(body) {
  const records = recordsOf(body);
  check(records.every(([number], i) => !i || number >= records[i - 1][0]), "invalidBody");
  return records;
}

/**
 * Applies a change to a body.
 * @param {Uint8Array} body
 * @param {FieldChange} change
 * @returns {Uint8Array} a new array
 */
export function changed(body, { cleared = [], records = NONE, replace }) {
  const added = canonicalRecords(records);
  const gone = new Set(cleared);
  const isSound = cleared.every((number, i) => number > (cleared[i - 1] ?? 0) && number <= MAX_NUMBER);
  check(isSound && !(replace && cleared.length) && !added.some(([number]) => gone.has(number)), "invalidBody");
  for (const [number] of added) gone.add(number);
  const left = replace ? [] : canonicalRecords(body).filter(([number]) => !gone.has(number));
  const result = bodyOf(left.concat(added));
  check(result.length <= BODY_BYTES, "invalidBody");
  return result;
}

/**
 * The values that all parts of a patch share.
 * @param {Patch} part
 */
const signature = ({ handle, targetSum, count, cut, baseSum }) =>
  [handle, baseSum, targetSum, count, Object.values(whole(cut))].join();

/**
 * Joins the parts of one patch.
 * @param {readonly Patch[]} parts
 * @returns {Patch}
 */
export function patchOf(parts) {
  const [first] = parts;
  parts.forEach((part, i) => {
    check(signature(part) === signature(first) && !part.more === !parts[i + 1] && !(i && part.head), "mixedParts");
  });
  const adds = parts.flatMap((part) => part.adds ?? []);
  const updates = parts.flatMap((part) => part.updates ?? []);
  return { ...first, adds, updates, script: concat(parts.map((part) => part.script ?? NONE)) };
}

/**
 * Applies a patch to its base, and verifies the sum of the result.
 * @param {Content} base the version to patch; ignored by a patch without a base
 * @param {Patch} patch
 * @param {Uint8Array[]} [bodies] the parts that the patch came in
 * @param {Content} [held] the version that the mirror holds, if `base` is an intermediate version built on it
 * @returns {Content}
 * @throws {Fault}
 */
export function apply(base, patch, bodies, held = base) {
  const { baseSum = EMPTY.sum, targetSum, head } = patch;
  if (baseSum === EMPTY.sum) base = EMPTY;
  check(baseSum === base.sum, "otherBase");
  const isDirect = base === EMPTY || base === held;
  const result = new Content(
    head ? changed(base.head, head) : base.head,
    built(base.items, patch),
    isDirect ? bodies && base : base.base,
    isDirect ? bodies : bodies && base.bodies?.concat(bodies),
  );
  check(result.sum === targetSum, "otherTarget");
  return result;
}

/**
 * Builds the new list.
 * @param {readonly Item[]} old
 * @param {Patch} patch
 */
function built(old, { count, script = NONE, adds = [], updates = [] }) {
  const numbers = numbersOf(script);
  /** @type {Item[]} */
  const items = [];
  /**
   * By index: whether an old item was kept or moved, and whether a new one was added.
   * @type {boolean[][]}
   */
  const [used, added] = [[], []];
  /** Where the last range of each operation ended. A move's range starts anywhere. */
  const ends = [0, 0, 0, 0];
  let updatesTaken = 0;
  for (let i = 0; i < numbers.length; ) {
    const word = numbers[i++], operation = word & 3, length = word >>> 2;
    let start = operation === ADD ? ends[ADD] : numbers[i++] + (operation === MOVE ? 0 : ends[operation]);
    const end = (ends[operation] = start + length);
    check(length && start >= 0 && (operation === UPDATE || !updatesTaken), "malformedScript");
    if (operation === ADD) check(end <= adds.length, "wrongCount");
    else check(end <= (operation === UPDATE ? items : old).length, "outOfRange");
    for (; start < end; start++)
      if (operation === UPDATE) {
        check(!added[start], "updateOfAdded");
        check(updatesTaken < updates.length, "wrongCount");
        const { id, kind, subject, body } = items[start];
        items[start] = new Item({ id, kind, subject, body: changed(body, updates[updatesTaken++]) });
      } else {
        if (operation === ADD) {
          const item = new Item(adds[start]);
          check(item.body.length <= BODY_BYTES, "invalidBody");
          added[items.length] = true;
          items.push(item);
        } else {
          check(!used[start], "usedTwice");
          used[start] = true;
          items.push(old[start]);
        }
      }
  }
  check(items.length === count && ends[ADD] === adds.length && updatesTaken === updates.length, "wrongCount");
  // Kept and moved items are used once each, so only added ones can repeat an id.
  check(!adds.length || new Set(items.map(({ id }) => id)).size === count, "invalidID");
  return items;
}

/**
 * Applies the frames of one patch.
 * @param {Content} base
 * @param {readonly {message: Patch, body: Uint8Array}[]} frames
 * @param {Content} [held]
 */
export const applyFrames = (base, frames, held) =>
  apply(base, patchOf(frames.map(({ message }) => message)), frames.map(({ body }) => body), held);

/**
 * Applies parts as they were received.
 * @param {Content} content
 * @param {Uint8Array[]} bodies
 * @throws {Fault} if they don't fit
 */
export function replay(content, bodies) {
  let parts = [];
  for (const body of bodies) {
    const part = decode("Part", body);
    parts.push(part);
    if (part.more) continue;
    content = apply(content, patchOf(parts));
    parts = [];
  }
  return content;
}

/**
 * A version as one part, as a server would send it.
 * @param {Content} content
 */
export const wholePart = ({ head, items, sum }) =>
  encode("Part", {
    handle: 1, targetSum: sum, adds: items, head: { records: head }, count: items.length,
    script: items.length ? varintOf(items.length * 4 + ADD) : NONE,
  });

"""###,
"js/src/positions.js": ###"""
/** Positions in the two logs (chapters 5 and 12). */

/** @typedef {import("./messages.js").Cut} Cut */
/** @typedef {Required<Cut>} Position */

/**
 * A position with all four components.
 * @param {Cut} [cut]
 * @returns {Position}
 */
export const whole = (cut) => ({ catalogueEpoch: 0n, catalogueRevision: 0, userEpoch: 0n, userRevision: 0, ...cut });

/** @param {any} a may be undefined @param {number} b may be a BigInt, like `a`, which Math.max doesn't accept */
const higher = (a, b) => (a > b ? a : b);

/**
 * A position with the higher of each revision. The epochs are those of `position`.
 * @param {Position} position
 * @param {Cut} cut
 * @returns {Position}
 */
export const advanced = (position, { catalogueRevision, userRevision }) => ({
  ...position,
  catalogueRevision: higher(catalogueRevision, position.catalogueRevision),
  userRevision: higher(userRevision, position.userRevision),
});

/**
 * A position in the epochs of `epochs`: revisions from other epochs become 0.
 * @param {Position} epochs
 * @param {Position} position
 * @returns {Position}
 */
export const within = (epochs, position) => ({
  ...epochs,
  catalogueRevision: epochs.catalogueEpoch === position.catalogueEpoch ? position.catalogueRevision : 0,
  userRevision: epochs.userEpoch === position.userEpoch ? position.userRevision : 0,
});

/**
 * Whether a position is behind another one in a log where both are in the same epoch.
 * @param {Position} position
 * @param {Position} seen
 */
export const isBehind = (position, seen) => {
  const comparable = within(position, seen);
  return position.catalogueRevision < comparable.catalogueRevision || position.userRevision < comparable.userRevision;
};

/**
 * Whether a cut names an epoch that differs from a position's.
 * @param {Cut} cut
 * @param {Position} position
 */
export const isForeign = (cut, position) => {
  const named = { ...position, ...cut };
  return named.catalogueEpoch !== position.catalogueEpoch || named.userEpoch !== position.userEpoch;
};

"""###,
"js/src/protobuf.js": ###"""
/**
 * Reads and writes the messages of `schemas`. Decoding checks every rule of the protocol's guard (chapter 3), so no
 * part of a message that breaks one is used.
 */

import { NONE, concat, fixed64, uint64, utf8, viewOf } from "./bytes.js";
import {
  BODY_ELEMENTS, FRAME_ELEMENTS, HIGH, MAX_LEVELS, NAME_BYTES, UNKNOWN_PER_MESSAGE,
} from "./constants.js";
import { Fault, check, faultOf } from "./errors.js";
import { schemas } from "./schema.js";

/**
 * A decoded message: present fields by name.
 * @typedef {Record<string, any>} Message
 */

/** The reader's position, and the start of the value read last. */
let at = 0;
let start = 0;
/** The wire type of the tag read last. */
let wire = 0;
/** The lower 28 bits of the varint read last, and its remaining bits. */
let low = 0;
let high = 0;
/** The whole varint, if a double holds it exactly. */
let number = 0;

/** How many more repeated elements and records the message being read may have. */
let elements = 0;
let records = 0;

/**
 * Reads a varint into `low` and `high`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} [most] the maximum number of bytes
 * @returns {number} the varint, if a double holds it exactly
 */
function varint(bytes, end, most = 5) {
  low = high = 0;
  for (let i = 0, byte = 128; byte > 127; i++) {
    check(at < end, "TRUNCATED");
    check(i !== most, "MALFORMED");
    byte = bytes[at++];
    if (i < 4) low += (byte & 127) << (7 * i);
    else high += (byte & 127) * 128 ** (i - 4);
  }
  return (number = high * HIGH + low);
}

/**
 * Reads a value: a varint into `low` and `high`; any other value is left between `start` and `at`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} type its wire type
 */
function raw(bytes, end, type) {
  let length = [0, 8, 0, 0, 0, 4][type];
  if (type === 0) varint(bytes, end, 10);
  else if (type === 2) length = varint(bytes, end);
  else check(length, "WRONG_WIRE_TYPE");
  check(length <= end - at, "TRUNCATED");
  start = at;
  at += length;
}

/**
 * Interprets the value read last as one of a type.
 * @param {Uint8Array} bytes
 * @param {string} type
 * @param {number} level
 * @returns {any}
 */
function interpreted(bytes, type, level) {
  if (type === "u") return number >>> 0;
  if (type === "o") return number > 0;
  // A number if that is exact, otherwise a BigInt.
  if (type === "n") return high < 2 ** 25 ? number : uint64((BigInt(high) << 28n) + BigInt(low));
  const content = bytes.subarray(start, at);
  if (type === "b") return content;
  if (type === "s") {
    let text;
    try {
      text = decoder.decode(content);
    } catch {
      throw new Fault("INVALID_UTF8");
    }
    check(!text.includes("\0"), "NUL_IN_TEXT");
    return text;
  }
  if (type === "x") return viewOf(content).getBigUint64(0, true);
  if (type === "d") return viewOf(content).getFloat64(0, true);
  const end = at;
  at = start;
  return message(bytes, end, type, level + 1);
}

/** `ignoreBOM` keeps a U+FEFF at the beginning, which is part of the text; if it were dropped, no sum would match. */
const decoder = new TextDecoder("utf8", { fatal: true, ignoreBOM: true });

/**
 * Reads a record's tag, and returns its field number. The wire type is left in `wire`.
 * @param {Uint8Array} bytes
 * @param {number} end
 */
function tag(bytes, end) {
  const key = varint(bytes, end);
  check(key > 7 && key < 2 ** 32, "MALFORMED");
  wire = key & 7;
  return key >>> 3;
}

/**
 * Reads a message from `at` to `end`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {string} type
 * @param {number} level
 * @returns {Message}
 */
function message(bytes, end, type, level) {
  check(level <= MAX_LEVELS, "TOO_DEEP");
  const fields = schemas[type];
  /** @type {Message} */
  const result = {};
  let unknown = 0;
  while (at < end) {
    check(--records >= 0, "TOO_MANY_RECORDS");
    const field = fields[tag(bytes, end)], found = wire;
    raw(bytes, end, found);
    if (!field) {
      check(++unknown <= UNKNOWN_PER_MESSAGE, "TOO_MANY_UNKNOWN_FIELDS");
      continue;
    }
    const [name, one, isRepeated, , declared] = field;
    const isPacked = isRepeated && found === 2 && declared < 2;
    check(found === declared || isPacked, "WRONG_WIRE_TYPE");
    if (!isRepeated) {
      check(one.length < 2 || !(name in result), "REPEATED_SUBMESSAGE");
      result[name] = interpreted(bytes, one, level);
      continue;
    }
    const list = (result[name] ??= []);
    const read = () => {
      check(--elements >= 0, "TOO_MANY_ELEMENTS");
      list.push(interpreted(bytes, one, level));
    };
    if (!isPacked) {
      read();
      continue;
    }
    const limit = at;
    for (at = start; at < limit; read()) raw(bytes, limit, declared);
  }
  fields.forEach(([name, , , isNeeded, , least]) => {
    // An absent value passes, because `undefined < least` is false. `least` is a string of digits, compared as a
    // number.
    check(!isNeeded || (result[name] ?? "") !== "", "MISSING_FIELD");
    check(!least || !(result[name] < least), "OUT_OF_RANGE");
  });
  check(!fields.refuses?.(result), "OUT_OF_RANGE");
  return result;
}

schemas.GoAway.refuses = ({ reconnectMinMs = 0, reconnectMaxMs }) => reconnectMaxMs < reconnectMinMs;
schemas.Join.refuses = ({ screen }) => utf8(screen).length > NAME_BYTES;
schemas.Part.refuses = ({ count }) => count > FRAME_ELEMENTS;

/**
 * Checks and decodes a message.
 * @param {string} type its name
 * @param {Uint8Array} bytes the result's bytes share its memory
 * @param {number} [most] the maximum number of repeated elements
 * @returns {any}
 * @throws {Fault}
 */
export function decode(type, bytes, most = FRAME_ELEMENTS) {
  at = 0;
  elements = most;
  records = 8 * most + 1024;
  return message(bytes, bytes.length, type, 1);
}

/**
 * Decodes a body for display. Returns undefined if it can't be decoded, which isn't an error.
 * @param {string} type
 * @param {Uint8Array} body
 * @returns {any}
 */
export function decodeBody(type, body) {
  let result;
  faultOf(() => (result = decode(type, body, BODY_ELEMENTS)));
  return result;
}

/**
 * The records of a body: the field number and the bytes of each.
 * @param {Uint8Array} body
 */
export function recordsOf(body) {
  /** @type {[number, Uint8Array][]} */
  const found = [];
  for (at = 0; at < body.length; ) {
    const begin = at;
    const number = tag(body, body.length);
    raw(body, body.length, wire);
    found.push([number, body.subarray(begin, at)]);
  }
  return found;
}

/**
 * The numbers of a patch's script: 32-bit varints in their shortest form.
 * @param {Uint8Array} script
 */
export function numbersOf(script) {
  const numbers = [];
  for (at = 0; at < script.length; ) {
    const begin = at;
    const number = varint(script, script.length);
    check(number < 2 ** 32 && (at <= begin + 1 || script[at - 1]), "malformedScript");
    numbers.push(number);
  }
  return numbers;
}

// ---------------------------------------------------------------- writing

/** @param {number | bigint | boolean} value */
export function varintOf(value) {
  const bytes = [];
  let number = BigInt(value);
  for (; number > 127n; number >>= 7n) bytes.push(Number(number & 127n) | 128);
  bytes.push(Number(number));
  return new Uint8Array(bytes);
}

/**
 * Encodes a message, leaving out undefined fields. Doubles aren't supported: this client only reads them.
 * @param {string} type its name
 * @param {Message} content
 * @returns {Uint8Array}
 */
export function encode(type, content) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  schemas[type].forEach(([name, one, isRepeated, , kind], number) => {
    const field = content[name];
    if (field === undefined) return;
    for (const value of isRepeated ? field : [field]) {
      const bytes = one === "b" ? value : one === "s" ? utf8(value) : one === "x" ? fixed64(value)
        : one.length > 1 ? encode(one, value) : varintOf(value);
      pieces.push(varintOf(number * 8 + kind), kind > 1 ? varintOf(bytes.length) : NONE, bytes);
    }
  });
  return concat(pieces);
}

"""###,
"js/src/schema.js": ###"""
/**
 * The messages of marquee.proto that this client sends or reads, as tables. Fields that it neither sends nor reads are
 * left out, and so skipped like unknown ones. A nested message is usually named after the field that holds it.
 *
 * A line that isn't indented begins a message. First come its names, separated by `/`; the message of a frame has its
 * kind's number after `=`. The fields follow in the order of their numbers, from 1; a bare number is that of the next
 * field. A field is a name, `:` and a type, followed by `*` if it is repeated, `!` if it is required, and `>` with its
 * minimum value. Types are u (uint32), n (uint64), x (fixed64), d (double), o (bool), s (string), b (bytes), or the
 * name of a message. If the type is left out, it is the message with the field's name, if one is already declared, or
 * else a string.
 */

/**
 * A field: its name in camel case, its type, its wire type, and its minimum value, if any.
 * @typedef {[name: string, type: string, isRepeated: boolean, isNeeded: boolean, wire: number, least: any]} Field
 */

/**
 * The fields of a message by number, and a check that returns true for invalid messages.
 * @typedef {Field[] & {refuses?: (message: Record<string, any>) => boolean}} Schema
 */

/** @type {Record<string, Schema>} */
export const schemas = {};
/**
 * The names of frame kinds, by number.
 * @type {string[]}
 */
export const names = [];

/**
 * Adds messages to `schemas`.
 * @param {string} lines
 */
export function declare(lines) {
  for (const line of lines.trim().split(/\n\b/)) {
    const [named, ...words] = line.split(/\s+/);
    /** @type {Schema} */
    const fields = [];
    let number = 1;
    for (const word of words) {
      const [name, given, least] = word.split(/[:*!>]/);
      const type = given || (schemas[name] ? name : "s");
      const wire = "uno".includes(type) ? 0 : "xd".includes(type) ? 1 : 2;
      if (+word) number = +word;
      else fields[number++] = [name, type, word.includes("*"), word.includes("!"), wire, least];
    }
    for (const word of named.split("/")) {
      const [name, kind] = word.split("=");
      schemas[name] = fields;
      if (kind) names[+kind] = name;
    }
  }
}

declare(`
cut catalogueEpoch:x catalogueRevision:n userEpoch:x userRevision:n
limits frameBytes:u>4096 partBytes:u>4096 elementsPerFrame:u>64 6 calls:u answerBytes:u
  10 creditBytes:n>1 12 cutBytes:n>1
status code:u reason remedy:u message retryAfterMs:u
Hello=1 protocolMin:u! protocolMax:u! 5 limits user token clientId:b! agent cluster seen:cut answeredThrough:n
Welcome=2 protocol:u! 3 cluster! user node limits! cut! pingIntervalMs:u pingMinimumMs:u
  progressIntervalMs:u imageBaseUrl locales* lastMutation:n agent identityMs:n
Ping=3/Pong=4 nonce:n
Progress=5 cut!
Ack=6 bytes:n! cut
GoAway=7 status! reconnectMinMs:u reconnectMaxMs:u
Close=8 status!
sections section! sort window:u anchor cursor:b value end:o before:u after:u
HeldSection section! sum:x!
resume cut! viewSum:x! sections:HeldSection*
Subscribe=16 subscription:u! generation:u screen! locale sections* resume
Unsubscribe=17 subscription:u!
SubscriptionError=18 subscription:u! generation:u status! section
Binding section! handle:n! sum:x
Join=19 subscription:u! generation:u viewHandle:n! viewSum:x! sections:Binding* cut! screen! locale!
items id! kind:u! subject body:b
updates records:b cleared:u* replace:o
Part/Data=32/Stage=33 handle:n! baseSum:x targetSum:x! script:b adds:items* updates* head:updates
  count:u! more:o cut
held handle:n! sum:x refused:o
Nack=20 number:u! good:cut held* status! staged:held*
Repair=21 number:u!
RebaseSection section handle:n!
Rebase=22 2 subscription:u! sections:RebaseSection*
Manifest=23 handle:n! sum:x! headHash:x! pairs:b more:o
Request=48 call:u! method:u! deadlineMs:u 5 body:b
Answer=49 call:u! status body:b more:o
Cancel=50 call:u!
SearchRequest query 3 page:u locale
SearchAnswer 2 items* total:u 5 pages:u 7 totalCapped:o
CollectionRequest number:n! answeredThrough:n subject! member:o! collection value
RenewRequest token!
RenewAnswer identityMs:n
MutationAnswer number:n! cut changed:o
sorts id! title
actions id title target
supplement title actions*
supplements kind supplement
SectionHead kind:u header:supplement footer:supplement layout:b sorts* sort windows:u* window:u
  total:u hasMore:o error:status collection totalCapped:o 16 supplements*
  anywhere:u first:u cursor:b
ViewHead title needsUser*
image name role aspect:d color
badges text role
rating value:d scale:d count:n
price amount currency
rank place:u previous:u isNew:o
progress value:d total:d unit
facts label value
record message bytes:b
CardBody overline title subtitle caption image badges* rating price rank
  progress facts* actions* text record
OtherBody type value
MemberBody revision:n value
`);

"""###,
"js/src/screen.js": ###"""
/** A screen as an app sees it: immutable, verified, and with pending changes applied. */

import { hex } from "./bytes.js";
import { Content, EMPTY, Item, screenSum } from "./content.js";
import { OWN } from "./view.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./messages.js").SectionHead} SectionHead */

export class Section {
  #content;

  /**
   * @param {string} id
   * @param {Content} content
   * @param {readonly Item[]} items with pending changes
   * @param {import("./errors.js").MarqueeError} [error]
   */
  constructor(id, content, items, error) {
    this.#content = content;
    this.id = id;
    this.items = items;
    /** Why the server can't update it, if it can't. */
    this.error = error;
  }

  /**
   * The decoded head: titles, sorts and windows. Its layout is left encoded.
   * @returns {SectionHead}
   */
  get head() {
    return this.#content.decoded("SectionHead");
  }

  get title() {
    return this.head.header?.title ?? "";
  }

  /** The sum of the confirmed content, as 16 hexadecimal digits. */
  get sum() {
    return hex(this.#content.sum);
  }

  /**
   * Whether another state has the same head and error.
   * @param {Section} other
   */
  hasHeadOf(other) {
    return this.#content.head.join() === other.#content.head.join() && this.error === other.error;
  }
}

export class Screen {
  #contents;
  #own;

  /**
   * @param {import("./engine.js").ScreenState} state
   * @param {readonly Row[]} rows pending changes of collections
   */
  constructor({ screen, served, contents, live, asOf, cut, errors, error }, rows) {
    this.#contents = contents;
    this.#own = contents.get(OWN) ?? EMPTY;
    this.name = screen;
    this.locale = served;
    /** Whether this is the server's current state. */
    this.live = live;
    /** When it was last known to be current. */
    this.asOf = new Date(asOf);
    /** The catalogue's revision. */
    this.revision = cut.catalogueRevision ?? 0;
    /** Why it isn't live. */
    this.error = error;
    this.sections = this.#own.items.flatMap(({ id }) => {
      const content = contents.get(id);
      return content ? new Section(id, content, this.#overlaid(content, rows), errors.get(id)) : [];
    });
  }

  get title() {
    return this.#own.decoded("ViewHead").title ?? "";
  }

  /**
   * The ids of sections left out because no user is signed in.
   * @returns {string[]}
   */
  get needsUser() {
    return this.#own.decoded("ViewHead").needsUser ?? [];
  }

  /** The screen sum of the confirmed content: equal sums mean equal screens. */
  get sum() {
    return hex(screenSum(this.#own, (section) => this.#contents.get(section)?.sum));
  }

  /** @param {string} id */
  section(id) {
    return this.sections.find((section) => section.id === id);
  }

  /**
   * The items of a section, with pending changes applied if it shows a collection.
   * @param {Content} content
   * @param {readonly Row[]} rows
   */
  #overlaid(content, rows) {
    let { items } = content;
    for (const { subject, collection, messages } of rows) {
      if (!subject || !collection || collection !== content.decoded("SectionHead").collection) continue;
      const isSubject = (/** @type {Item} */ item) => item.subject === subject;
      const others = items.filter((item) => !isSubject(item));
      const found = items.find(isSubject) ?? [...this.#contents.values()].flatMap((one) => one.items).find(isSubject);
      // Members that were just set come first, which isn't in a window further down.
      items = messages[0].member && found && !content.decoded("SectionHead").first ? [found, ...others] : others;
    }
    return items;
  }
}

"""###,
"js/src/session.js": ###"""
/**
 * The protocol of one connection, as a state machine: it receives frames, and sends frames as actions of the core. It
 * holds the state that exists only while connected. It has no socket, timer or promise, and uses the core's time. It
 * reports to the core, which decides what events mean for the mirror, the outbox and the watches.
 */

import { NONE, concat } from "./bytes.js";
import {
  CALLS, CRITICAL, FIRST, FRAME_INTERVALS, INCOMPLETE, LAST, LEAVING_WAIT, MANIFEST_BYTES, NACKS, PAIR_BYTES,
  PART_BYTES, WELCOME_WAIT,
} from "./constants.js";
import { EMPTY, pairsOf } from "./content.js";
import { Fault, MarqueeError, check, errorOf, faultOf, statusOf } from "./errors.js";
import { FrameReader, encodeFrame } from "./frames.js";
import { applyFrames } from "./patch.js";
import { advanced, isForeign, whole } from "./positions.js";
import { decode } from "./protobuf.js";
import { OWN } from "./view.js";
import { xxh64 } from "./xxh64.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./messages.js").Part} Part */
/** @typedef {import("./messages.js").Join} Join */
/** @typedef {import("./messages.js").Cut} Cut */

/**
 * @typedef {object} Subscription
 * @property {number} id
 * @property {View} view
 * @property {number} sent the newest generation that was sent
 * @property {number} join the generation of the last join; −1 before the first
 * @property {number} [handle] of the view's own list
 */

/**
 * A frame with its decoded message.
 * @typedef {import("./frames.js").Frame & {message: any}} Decoded
 */

/**
 * A staged version; it has no content until it is complete.
 * @typedef {{frames: Decoded[], size: number, content?: Content}} Staged
 */

/**
 * The effect of a cut on one subscription.
 * @typedef {{contents: Map<string, Content>, join?: Join}} Step
 */

/**
 * A section of a subscription that a join binds to a handle.
 * @typedef {import("./messages.js").Binding & {subscription: Subscription}} Place
 */
/**
 * A join of a subscription that is still open.
 * @typedef {{subscription: Subscription, message: Join}} Joining
 */
/**
 * Receives an answer.
 * @typedef {(error: MarqueeError | undefined, body: Uint8Array) => void} Done
 */

export class Session {
  #core;
  #frames;
  #limits;
  #heard;
  #interval = Infinity;
  #pingedAt = 0;
  /** The time by which a frame that has begun must be complete. */
  #frameEndsAt = Infinity;
  /** The time at which to close: if there is no Welcome by then, or after GoAway. */
  #endsAt;
  /**
   * Live subscriptions by id.
   * @type {Map<number, Subscription>}
   */
  #subscriptions = new Map();
  #lastSubscription = 0;
  /**
   * The bound sections by handle.
   * @type {Map<number, Place>}
   */
  #bound = new Map();
  /**
   * Staged versions by handle, in the order of their completion.
   * @type {Map<number, Staged>}
   */
  #staged = new Map();
  /**
   * The versions described to the server in manifests, by handle.
   * @type {Map<number, {subscription: Subscription, content: Content}>}
   */
  #described = new Map();
  /**
   * The frames of a cut that has begun.
   * @type {Decoded[]}
   */
  #cut = [];
  #cutBytes = 0;
  /** The handle that is being bound or patched. */
  #applying = 0;
  #nacks = 0;
  /** The number of cuts refused since the last good one; if there are any, only a repair is applied. */
  #failures = 0;
  #received = 0;
  #acknowledged = 0;
  #credit = 0;
  /** @type {Map<number, {bodies: Uint8Array[], size: number, done: Done}>} */
  #calls = new Map();
  #lastCall = 0;

  /** @type {import("./messages.js").Welcome | undefined} */
  welcome;
  position = whole();
  /** Whether a cut, progress or an answer has arrived. */
  good = false;

  /**
   * @param {import("./core.js").Core} core
   */
  constructor(core) {
    this.#core = core;
    this.#limits = core.limits;
    this.#frames = new FrameReader(this.#limits.frameBytes);
    this.#heard = core.now;
    this.#endsAt = core.now + WELCOME_WAIT;
  }

  /** @param {string} name @param {import("./protobuf.js").Message} message */
  send(name, message) {
    this.#core.act("send", encodeFrame(name, message));
  }

  // ---------------------------------------------------------------- receiving

  /**
   * @param {Uint8Array} bytes
   * @throws {Fault}
   */
  receive(bytes) {
    this.#heard = this.#core.now;
    this.#pingedAt = 0;
    this.#frames.push(bytes);
    for (let frame; this.#core.session === this && (frame = this.#frames.next()); this.#take(frame))
      this.#frameEndsAt = Infinity;
    if (this.#frames.size)
      this.#frameEndsAt = Math.min(this.#frameEndsAt, this.#core.now + FRAME_INTERVALS * this.#interval);
  }

  /** @param {import("./frames.js").Frame} frame */
  #take(frame) {
    const { body, flags, size } = frame, name = /** @type {string} */ (frame.name);
    if (!name) return check(!(flags & CRITICAL), "UNKNOWN_CRITICAL_KIND");
    const message = decode(name, body);
    /** @type {any} */
    const handlers = this;
    // Kinds without a method here are only sent by clients.
    check(handlers[name] && (this.welcome ? name !== "Welcome" : /Welcome|GoAway|Close/.test(name)), "WRONG_DIRECTION");
    if (/Data|Stage/.test(name)) {
      this.#received += size;
      if (this.#received - this.#acknowledged > this.#credit / 2) this.#acknowledge();
    }
    handlers[name](message, { ...frame, message });
  }

  // The method that handles a frame has the name of the frame's kind.

  /** @param {import("./messages.js").Welcome} welcome */
  Welcome(welcome) {
    const { limits, cut, pingIntervalMs = 20_000, pingMinimumMs = 5000, protocol } = welcome;
    check(protocol === 1, "PROTOCOL_UNSUPPORTED");
    this.position = whole(cut);
    this.#credit = Math.min(this.#limits.creditBytes, limits.creditBytes ?? Infinity);
    this.#interval = Math.max(1000, pingIntervalMs, pingMinimumMs);
    this.#endsAt = Infinity;
    this.welcome = welcome;
    this.#core.welcomed(welcome);
  }

  /** @param {any} close */
  Close({ status }) {
    this.#core.closed(errorOf(status));
  }

  /** @param {any} goAway */
  GoAway(goAway) {
    this.#core.leaving = goAway;
    this.#endsAt = this.#core.now + (this.#calls.size && LEAVING_WAIT);
  }

  /** @param {any} ping */
  Ping(ping) {
    this.send("Pong", ping);
  }

  Pong() {}

  /** @param {{cut: Cut}} progress */
  Progress({ cut }) {
    check(!this.#cut.length && !isForeign(cut, this.position), "CUT_ORDER");
    if (!this.#failures) {
      this.position = advanced(this.position, cut);
      this.good = true;
      this.#core.settle();
    }
    this.#acknowledge();
  }

  #acknowledge() {
    this.#acknowledged = this.#received;
    const cut = this.#core.stored;
    this.send("Ack", { bytes: this.#received, cut: cut && !isForeign(cut, this.position) ? cut : undefined });
  }

  // ---------------------------------------------------------------- subscriptions

  /**
   * Subscribes to a view, unless there is a subscription already.
   * @param {View} view
   */
  subscribe(view) {
    if (this.#find(view)) return;
    const id = ++this.#lastSubscription;
    this.#subscriptions.set(id, { id, view, sent: 0, join: -1 });
    this.send("Subscribe", { subscription: id, ...view.request, resume: view.offer });
  }

  /** @param {View} view */
  #find(view) {
    return [...this.#subscriptions.values()].find((subscription) => subscription.view === view);
  }

  /**
   * Requests the view's current options.
   * @param {View} view
   */
  change(view) {
    const subscription = this.#find(view);
    if (subscription)
      this.send("Subscribe", { subscription: subscription.id, generation: ++subscription.sent, ...view.request });
  }

  /** @param {View} view */
  unsubscribe(view) {
    const subscription = this.#find(view);
    if (!subscription) return;
    this.send("Unsubscribe", { subscription: subscription.id });
    this.#drop(subscription);
  }

  /** @param {Subscription} subscription */
  #drop(subscription) {
    this.#subscriptions.delete(subscription.id);
    forget(this.#bound, subscription);
    forget(this.#described, subscription);
    subscription.view.live = false;
  }

  /** @param {{subscription: number, generation?: number, status: any, section?: string}} message */
  SubscriptionError({ subscription: id, generation = 0, status, section }) {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return;
    const { join, view } = subscription;
    const isWhole = !section && (join < 0 || generation <= join);
    if (isWhole) this.#drop(subscription);
    // The server may already have joined an older generation, in a cut that was refused, and would keep sending it.
    if (isWhole && join < 0 && generation > 0) this.send("Unsubscribe", { subscription: id });
    this.#core.refused(view, errorOf(status), section, isWhole);
  }

  /**
   * Answers a rebase with manifests.
   * @param {{subscription: number, sections?: {section?: string, handle: number}[]}} rebase
   */
  Rebase({ subscription: id, sections = [] }) {
    const { partBytes = PART_BYTES, frameBytes = PART_BYTES } = this.welcome?.limits ?? {};
    const most = (Math.min(partBytes, frameBytes) - MANIFEST_BYTES) & -PAIR_BYTES;
    const subscription = this.#subscriptions.get(id);
    for (const { section = OWN, handle } of sections) {
      const content = subscription?.view.contents.get(section) ?? EMPTY;
      if (subscription) this.#described.set(handle, { subscription, content });
      const { head, items, sum } = content;
      const pairs = pairsOf(items);
      let start = 0;
      do {
        const part = pairs.subarray(start, (start += most));
        this.send("Manifest", { handle, sum, headHash: xxh64(head), pairs: part, more: start < pairs.length });
      } while (start < pairs.length);
    }
  }

  // ---------------------------------------------------------------- staged parts

  /** @param {Part} part @param {Decoded} frame */
  Stage({ handle, more }, frame) {
    if (frame.flags & FIRST) {
      this.#staged.delete(INCOMPLETE);
      this.#staged.set(INCOMPLETE, { frames: [], size: 0 });
    }
    const staging = this.#staged.get(INCOMPLETE);
    if (!staging) return; // The rest of a patch that was dropped.
    const { frames } = staging;
    frames.push(frame);
    staging.size += frame.size;
    let total = 0;
    for (const [, one] of this.#staged) total += one.size;
    for (const [one, { size: bytes }] of this.#staged)
      if (total > this.#limits.cutBytes) {
        // The incomplete version is last in the map, so all others are already gone.
        check(one !== INCOMPLETE, "CUT_TOO_LARGE");
        total -= bytes;
        this.#staged.delete(one);
      }
    if (more) return;
    this.#staged.delete(INCOMPLETE);
    this.#staged.delete(handle);
    const base = frames[0].message.baseSum === undefined ? EMPTY : this.#described.get(handle)?.content;
    // If this fails, the join will lack the version, and a nack answers it.
    faultOf(() => base && this.#staged.set(handle, { ...staging, content: applyFrames(base, frames) }));
  }

  // ---------------------------------------------------------------- cuts

  /** @param {{cut: Cut}} message @param {Decoded} frame */
  Join({ cut }, frame) {
    const { flags, size } = frame;
    check(!(flags & FIRST) === this.#cut.length > 0 && !isForeign(cut, this.position), "CUT_ORDER");
    this.#cutBytes = this.#cut.length ? this.#cutBytes + size : size;
    this.#cut.push(frame);
    check(this.#cutBytes <= this.#limits.cutBytes, "CUT_TOO_LARGE");
    if (flags & LAST) this.#apply(this.#cut.splice(0));
  }
  Data = this.Join;
  Repair = this.Join;

  /** @param {Decoded[]} frames */
  #apply(frames) {
    const of = (/** @type {string} */ name) => frames.filter((frame) => frame.name === name);
    if (this.#failures && !of("Repair").some(({ message }) => message.number === this.#nacks)) return;
    /** @type {Map<Subscription, Step>} */
    const steps = new Map();
    /**
     * The positions of frames whose content was verified.
     * @type {Cut[]}
     */
    const proven = [];
    const joins = of("Join").flatMap(({ message }) => {
      const subscription = this.#subscriptions.get(message.subscription);
      return subscription ? { subscription, message } : []; // It may have been unsubscribed meanwhile.
    });
    const bound = new Map(this.#bound);
    for (const { subscription } of joins) forget(bound, subscription);
    const fault = faultOf(() => {
      for (const join of joins) {
        steps.set(join.subscription, this.#bind(join, bound));
        proven.push(join.message.cut);
      }
      this.#patch(of("Data"), bound, steps, proven);
      for (const [{ handle }, { join, contents }] of steps) {
        const items = contents.get(OWN)?.items ?? [];
        this.#applying = /** @type {number} */ (join?.viewHandle ?? handle);
        check(items.length === contents.size - 1 && items.every(({ id }) => contents.has(id)), "otherSections");
      }
    });
    if (fault) return this.#refuse(fault.message, this.#applying, joins);
    for (const { message } of frames) this.position = advanced(this.position, message.cut ?? {});
    this.#failures = 0;
    this.good = true;
    for (const join of joins) {
      const { subscription, message } = join;
      forget(this.#described, subscription);
      subscription.join = message.generation ?? 0;
      subscription.handle = message.viewHandle;
      for (const { handle } of bindingsOf(join)) this.#staged.delete(handle);
    }
    this.#bound = bound;
    this.#core.applied(steps, proven);
  }

  /**
   * Binds the sections of a joining view, and finds the versions that the join names.
   * @param {Joining} join
   * @param {Map<number, Place>} bound the bindings after the cut
   * @returns {Step}
   */
  #bind(join, bound) {
    const { subscription, message } = join;
    this.#applying = message.viewHandle;
    check((message.generation ?? 0) <= subscription.sent, "generation");
    const contents = new Map();
    for (const place of bindingsOf(join)) {
      const { section, handle, sum } = place;
      this.#applying = handle;
      check(!bound.has(handle) && !contents.has(section), "boundTwice");
      bound.set(handle, place);
      const held = subscription.view.contents.get(section) ?? EMPTY;
      const content = [held, this.#staged.get(handle)?.content, EMPTY].find((one) => one?.sum === (sum ?? held.sum));
      check(content, "missingVersion");
      contents.set(section, content);
    }
    return { contents, join: message };
  }

  /**
   * Applies the patches of a cut.
   * @param {Decoded[]} data
   * @param {Map<number, Place>} bound
   * @param {Map<Subscription, Step>} steps
   * @param {Cut[]} proven
   */
  #patch(data, bound, steps, proven) {
    /**
     * The frames of each handle. Frames of different patches for one handle would be refused.
     * @type {Map<number, Decoded[]>}
     */
    const patches = new Map();
    for (const frame of data) {
      const { handle } = frame.message;
      patches.set(handle, patches.get(handle) ?? []);
      patches.get(handle)?.push(frame);
    }
    for (const [handle, frames] of patches) {
      const place = bound.get(handle);
      if (!place) continue; // Its view was unsubscribed meanwhile.
      this.#applying = handle;
      const { subscription, section } = place;
      const held = subscription.view.contents;
      const step = steps.get(subscription) ?? { contents: new Map(held) };
      steps.set(subscription, step);
      const base = step.contents.get(section) ?? EMPTY;
      step.contents.set(section, applyFrames(base, frames, held.get(section) ?? EMPTY));
      proven.push(frames[0].message.cut ?? {});
    }
  }

  /**
   * Refuses a cut.
   * @param {string} code
   * @param {number} handle of the variant that failed
   * @param {Joining[]} joins
   */
  #refuse(code, handle, joins) {
    /** The sections that are bound or were about to be, by handle. */
    const places = new Map([
      ...joins.flatMap(bindingsOf).map((place) => /** @type {[number, Place]} */ ([place.handle, place])),
      ...this.#bound,
    ]);
    const { subscription, section } = /** @type {Place} */ (places.get(handle));
    const message = `${code}: '${section}' of ${subscription.view.screen}`;
    this.#core.tell("cutRefused", { message });
    if (++this.#failures > NACKS) {
      this.#core.offerLess(subscription.view, section);
      throw new Fault("CUT_REFUSED");
    }
    this.#staged.delete(INCOMPLETE);
    this.#staged.delete(handle);
    this.send("Nack", {
      number: ++this.#nacks,
      good: this.position,
      held: [...places.values()].map(({ handle: one, subscription: { view }, section: of }) => (
        { handle: one, sum: view.contents.get(of)?.sum, refused: one === handle })),
      staged: [...this.#staged].map(([one, { content }]) => ({ handle: one, sum: content?.sum })),
      status: statusOf("CUT_REFUSED", message),
    });
  }

  // ---------------------------------------------------------------- calls

  /** How many more requests may be sent now. */
  get callsLeft() {
    const { calls = CALLS } = this.welcome?.limits ?? {};
    return Math.min(CALLS, calls) - this.#calls.size;
  }

  /**
   * @param {number} method
   * @param {Uint8Array} body
   * @param {Done} done
   * @param {number} [deadlineMs]
   * @returns {number} the call's id
   */
  request(method, body, done, deadlineMs) {
    const call = ++this.#lastCall;
    this.#calls.set(call, { bodies: [], size: 0, done });
    this.send("Request", { call, method, body, deadlineMs });
    return call;
  }

  /** @param {number} call */
  cancel(call) {
    if (this.#calls.delete(call)) this.send("Cancel", { call });
  }

  /** @param {{call: number, status?: any, body?: Uint8Array, more?: boolean}} answer */
  Answer({ call: id, status, body = NONE, more }) {
    const call = this.#calls.get(id);
    if (!call) return;
    call.bodies.push(body);
    call.size += body.length;
    let error = status && status.code !== 0 ? errorOf(status) : undefined;
    if (call.size > this.#limits.answerBytes) {
      this.cancel(id);
      error = new MarqueeError("ANSWER_TOO_LARGE");
    } else if (more) return;
    this.#calls.delete(id);
    this.good = true;
    if (this.#core.leaving && !this.#calls.size) this.#endsAt = this.#core.now;
    call.done(error, concat(call.bodies));
  }

  // ---------------------------------------------------------------- liveness

  /** When `tick` next has something to do. */
  get due() {
    return Math.min(this.#endsAt, this.#frameEndsAt, (this.#pingedAt || this.#heard) + this.#interval);
  }

  /**
   * @returns {boolean} whether the connection is over
   * @throws {Fault}
   */
  tick() {
    const { now } = this.#core;
    const late = now - this.due;
    if (late < 0) return false;
    if (now >= this.#endsAt) return true;
    check(now < this.#frameEndsAt, "FRAME_UNFINISHED");
    // If much more time has passed, the device was asleep: ping again before giving up the connection.
    if (this.#pingedAt && late < this.#interval) return true;
    this.#pingedAt = now;
    this.send("Ping", { nonce: 1 });
    return false;
  }
}

/**
 * Removes the entries of a subscription.
 * @param {Map<number, {subscription: Subscription}>} map by handle
 * @param {Subscription} subscription
 */
function forget(map, subscription) {
  for (const [handle, one] of map) if (one.subscription === subscription) map.delete(handle);
}

/**
 * Everything that a join binds, the view's own list first.
 * @param {Joining} join
 * @returns {Place[]}
 */
const bindingsOf = ({ subscription, message: { viewHandle, viewSum, sections = [] } }) =>
  [{ section: OWN, handle: viewHandle, sum: viewSum }, ...sections].map((binding) => ({ ...binding, subscription }));

"""###,
"js/src/view.js": ###"""
/** A screen that is watched or held by the mirror; it outlives connections. */

/** The key of the view's own list of sections. Ids of sections are never empty. */
export const OWN = "";

/** A window anywhere in a list whose head has `anywhere`, around an anchor: an item's id, a cursor from a head (with an
 * item, its position once the item is gone), a value of the sort's first field, or the end. By default, the start.
 * @typedef {{anchor?: string, cursor?: Uint8Array, value?: string, end?: boolean, before?: number, after: number}} Place
 * The sorts and windows of sections, by section id. A window is a number of items, or a place.
 * @typedef {{sorts?: Record<string, string>, windows?: Record<string, number | Place>}} SectionOptions */

/** The screen with a user's collections, which is always subscribed to. */
export const COLLECTIONS = "user-collections";

/**
 * The key of a view in maps and in the mirror.
 * @param {string} screen
 * @param {string} locale
 */
export const keyOf = (screen, locale) => screen + "\n" + locale;

export class View {
  /**
   * The requested options; `shown` are those of the last join.
   * @type {SectionOptions}
   */
  options = {};
  /** @type {SectionOptions} */
  shown = {};
  /**
   * Content by section, replaced as a whole by each cut.
   * @type {ReadonlyMap<string, import("./content.js").Content>}
   */
  contents = new Map();
  /** The locale that the server chose. */
  served = "";
  /** Whether it has joined on this connection. */
  live = false;
  /**
   * The position at which it was last live.
   * @type {import("./messages.js").Cut}
   */
  cut = {};
  /** When it was last known to be current, in milliseconds since 1970; 0 if never. */
  asOf = 0;
  /**
   * Why it isn't current.
   * @type {import("./errors.js").MarqueeError | undefined}
   */
  error;
  /**
   * Why sections aren't current.
   * @type {ReadonlyMap<string, import("./errors.js").MarqueeError>}
   */
  errors = new Map();
  /**
   * Sections that aren't offered, because offering them has failed since the last join. `OWN` stands for all of them.
   * @type {Set<string>}
   */
  withheld = new Set();
  /** The number of refusals since the last join, and when to subscribe again; 0 for at once. */
  tries = 0;
  retryAt = 0;

  /**
   * @param {string} screen
   * @param {string} locale as requested; empty to let the server choose
   */
  constructor(screen, locale) {
    this.screen = screen;
    this.locale = locale;
    this.key = keyOf(screen, locale);
  }

  /** The fields of a Subscribe message for the current options. */
  get request() {
    const { screen, locale, options: { sorts = {}, windows = {} } } = this;
    return {
      screen, locale,
      sections: Object.keys({ ...sorts, ...windows }).map((section) => ({
        section, sort: sorts[section],
        .../** @type {any} */ (windows[section] > 0 ? { window: windows[section] } : windows[section]),
      })),
    };
  }

  /** The content to offer in a new subscription (chapter 13); undefined for none. */
  get offer() {
    const { cut, withheld, contents } = this;
    const own = contents.get(OWN);
    if (!own || withheld.has(OWN)) return;
    const sections = [...contents].filter(([section]) => section && !withheld.has(section));
    return { cut, viewSum: own.sum, sections: sections.map(([section, { sum }]) => ({ section, sum })) };
  }

  /** Whether there is anything to show. */
  get isHeld() {
    return this.contents.has(OWN);
  }
}

"""###,
"js/src/websocket.js": ###"""
/** The protocol over WebSocket. Each binary message is a piece of the stream of frames. */

/**
 * A connection of any transport.
 * @typedef {object} Connection
 * @property {(bytes: Uint8Array) => void} send
 * @property {() => void} close
 * @property {() => number} buffered bytes passed to `send` that aren't on the network yet
 */

/**
 * The events of a connection.
 * @typedef {{open: () => void, data: (bytes: Uint8Array) => void, close: (cause?: unknown) => void}} Listener
 */

/**
 * Opens a connection.
 * @typedef {(url: string, listener: Listener) => Connection} Transport
 */

/**
 * A URL without a path gets the server's default path.
 * @type {Transport}
 */
export function websocket(url, listener) {
  const target = new URL(url);
  if (target.pathname === "/") target.pathname = "/v1/connect";
  const socket = new WebSocket(target, "marquee.v1");
  socket.binaryType = "arraybuffer";
  socket.onopen = listener.open;
  socket.onmessage = (event) => listener.data(new Uint8Array(event.data));
  socket.onclose = (event) => listener.close(event.reason || undefined);
  return {
    send: (bytes) => socket.send(bytes),
    close() {
      socket.onmessage = socket.onclose = null;
      socket.close();
    },
    buffered: () => socket.bufferedAmount,
  };
}

"""###,
"js/src/xxh64.js": ###"""
/**
 * XXH64 with seed 0, computed in 32-bit halves, because BigInt is several times slower.
 * Algorithm: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */

import { viewOf } from "./bytes.js";

/**
 * A 64-bit number: its high and its low half.
 * @typedef {number[]} Pair
 */

/** The accumulator, as signed halves. */
let high = 0;
let low = 0;

/** @type {Pair[]} */
const [P1, P2, P3, P4, P5, NOTHING] = [
  [0x9e3779b1, 0x85ebca87], [0xc2b2ae3d, 0x27d4eb4f], [0x165667b1, 0x9e3779f9], [0x85ebca77, 0xc2b2ae63],
  [0x27d4eb2f, 0x165667c5], [0, 0],
];

/**
 * Sets the accumulator to a product.
 * @param {number} h
 * @param {number} l
 * @param {Pair} factor
 */
function multiply(h, l, factor) {
  // A double holds only the product's upper 53 bits. The low half is computed exactly; subtracting it leaves a value
  // that rounds to the high half.
  const product = (l >>> 0) * factor[1];
  low = Math.imul(l, factor[1]);
  high = (Math.round((product - (low >>> 0)) / 2 ** 32) + Math.imul(h, factor[1]) + Math.imul(l, factor[0])) | 0;
}

/** Adds to the accumulator.
 * @param {number} h @param {number} l */
function add(h, l) {
  const total = (low >>> 0) + (l >>> 0);
  high = (high + h + (total >= 2 ** 32 ? 1 : 0)) | 0;
  low = total | 0;
}

/** Rotates the accumulator to the left.
 * @param {number} bits 0 to 31 */
function rotate(bits) {
  const h = high;
  // In two steps, because a shift by 32 would be a shift by 0.
  high = (h << bits) | (low >>> 1 >>> (31 - bits));
  low = (low << bits) | (h >>> 1 >>> (31 - bits));
}

/**
 * Sets the accumulator to a lane combined with its next input.
 * @param {number} h
 * @param {number} l
 * @param {Pair} lane
 */
function round(h, l, lane) {
  multiply(h, l, P2);
  add(lane[0], lane[1]);
  rotate(31);
  multiply(high, low, P1);
}

/**
 * Mixes an input into the accumulator.
 * @param {number} h
 * @param {number} l
 * @param {Pair} factor to multiply the input by
 * @param {number} bits to rotate the accumulator by
 * @param {Pair} next factor to multiply the accumulator by
 * @param {Pair} addend to add to the accumulator
 */
function mix(h, l, factor, bits, next, addend) {
  const h0 = high, l0 = low;
  if (factor === P2) round(h, l, NOTHING);
  else multiply(h, l, factor);
  high ^= h0;
  low ^= l0;
  rotate(bits);
  multiply(high, low, next);
  add(addend[0], addend[1]);
}

/**
 * Hashes the first bytes of an array.
 * @param {Uint8Array} bytes
 * @param {number} [length]
 * @returns {bigint}
 */
export function xxh64(bytes, length = bytes.length) {
  const view = viewOf(bytes);
  let at = 0;
  [high, low] = P5;
  if (length > 31) {
    // P1 + P2, P2, 0, −P1. The sum of the low halves doesn't carry, and later operations wrap the high halves.
    const lanes = [[P1[0] + P2[0], P1[1] + P2[1]], [...P2], [0, 0], [~P1[0], -P1[1]]];
    for (; at + 32 <= length; )
      for (const lane of lanes) {
        round(view.getInt32(at + 4, true), view.getInt32(at, true), lane);
        lane[0] = high;
        lane[1] = low;
        at += 8;
      }
    let h = 0, l = 0;
    lanes.forEach((lane, i) => {
      [high, low] = lane;
      rotate([1, 7, 12, 18][i]);
      add(h, l);
      h = high;
      l = low;
    });
    for (const lane of lanes) mix(lane[0], lane[1], P2, 0, P1, P4);
  }
  add(0, length);
  for (; at + 8 <= length; at += 8) mix(view.getInt32(at + 4, true), view.getInt32(at, true), P2, 27, P1, P4);
  for (; at + 4 <= length; at += 4) mix(0, view.getInt32(at, true), P1, 23, P2, P3);
  while (at < length) mix(0, bytes[at++], P5, 11, P1, NOTHING);
  // Shifts by 33, 29 and 32 bits.
  multiply(high, low ^ (high >>> 1), P2);
  multiply(high ^ (high >>> 29), low ^ ((low >>> 29) | (high << 3)), P3);
  return (BigInt(high >>> 0) << 32n) | BigInt((low ^ high) >>> 0);
}

"""###,
"window/api.js": ###"""
// The server's answers over HTTP.

/** Milliseconds until the stream of commits is asked for again after its end. */
const PAUSE = 2000;
/** Characters of an event; a longer one isn't an event of this server. */
const EVENT_LENGTH = 1 << 20;

/** @typedef {{change: string, type?: string, id?: string}} NamedChange */
/** @typedef {{user?: string, by?: string, agent?: string, address?: string}} Publisher */
/** @typedef {{revision: number, time: number, publisher?: Publisher, key?: string, changes: NamedChange[],
 *   count: number}} Commit */
/** @typedef {{path?: string, reason: string, detail: string}} Mistake */

/** A refusal by the server. */
export class Refusal extends Error {
  /** @param {number} status @param {{reason?: string, detail?: string, mistakes?: Mistake[]}} problem */
  constructor(status, { reason = "", detail = "", mistakes = [] }) {
    super(detail || `the server answers ${status}`);
    this.status = status;
    this.reason = reason;
    this.mistakes = mistakes;
  }
}

export class Api {
  /** @param {() => {token: string, user: string}} credentials */
  constructor(credentials) {
    this.credentials = credentials;
  }

  /** @param {Record<string, string>} more */
  #fields(more) {
    const { token, user } = this.credentials();
    if (token) return { Authorization: `Bearer ${token}`, ...more };
    return user ? { "Marquee-User": encodeURIComponent(user), ...more } : more;
  }

  /**
   * Asks, and returns the answer's text.
   * @param {string} path
   * @param {{method?: string, body?: string, signal?: AbortSignal}} options
   * @throws {Refusal}
   */
  async text(path, { method = "GET", body, signal } = {}) {
    const headers = this.#fields(body === undefined ? {} : { "Content-Type": "application/json" });
    const response = await fetch(path, { method, body, signal, headers, cache: "no-store" });
    const text = await response.text();
    if (!response.ok) throw new Refusal(response.status, problemOf(text));
    return text;
  }

  /** @param {string} path @param {{method?: string, body?: string, signal?: AbortSignal}} [options] */
  async json(path, options) {
    return JSON.parse(await this.text(path, options));
  }

  /**
   * Calls a function with each commit that the server remembers, and with each that comes, until it is aborted.
   * @param {(commit: Commit) => void} receive
   * @param {(isLive: boolean) => void} say
   * @param {AbortSignal} signal
   * @throws {Refusal} when the server refuses
   */
  async commits(receive, say, signal) {
    let last = "";
    while (!signal.aborted) {
      try {
        const headers = this.#fields({ Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) });
        const response = await fetch("/v1/commits", { headers, signal, cache: "no-store" });
        if (!response.ok) throw new Refusal(response.status, problemOf(await response.text()));
        say(true);
        for await (const { id, name, data } of eventsOf(response)) {
          if (id) last = id;
          if (name === "commit") receive(JSON.parse(data));
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal && error.status < 500) throw error;
      }
      say(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** @param {string} text */
function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Server-sent events.
 * @param {Response} response */
async function* eventsOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done || text.length > EVENT_LENGTH) return void reader?.cancel();
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const event = { id: "", name: "", data: "" };
      for (const line of text.slice(0, end).split("\n")) {
        if (line.startsWith("id: ")) event.id = line.slice(4);
        else if (line.startsWith("event: ")) event.name = line.slice(7);
        else if (line.startsWith("data: ")) event.data += line.slice(6);
      }
      yield event;
    }
  }
}

"""###,
"window/changes.js": ###"""
// The changes of a screen in words.

import { counted } from "./dom.js";

/** A screen, as far as its changes are told.
 * @typedef {{sections: readonly {id: string, title?: string, items: readonly {id: string, card?: any}[]}[]}} NamedScreen */
/** @typedef {import("../js/src/changes.js").Change} Change */

/** Sentences for one change of a screen; the rest is counted. */
const SENTENCES = 12;
/** Fields of a card that are named, and characters of a value. */
const FIELDS = 3;
const VALUE_LENGTH = 48;

/** A value of a card, as a person sees it.
 * @param {any} value @returns {string} */
function textOf(value) {
  if (typeof value !== "object" || value === null) return `${value}`;
  if (Array.isArray(value)) return value.map(textOf).join(", ") || "nothing";
  if (value.text || value.title || value.name) return `${value.text ?? value.title ?? value.name}`;
  return Object.entries(value).map(([name, part]) => (name === "value" ? textOf(part) : `${name} ${textOf(part)}`)).join(" ");
}

/** @param {unknown} value */
function short(value) {
  const text = textOf(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** The fields in which two cards differ, in words.
 * @param {any} before @param {any} after */
function differences(before, after) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  const words = changed.slice(0, FIELDS).map((name) => {
    const [from, to] = [before?.[name], after?.[name]];
    if (from === undefined) return `${name} is now ${short(to)}`;
    return to === undefined ? `${name} is gone` : `${name} ${short(from)} → ${short(to)}`;
  });
  return changed.length > FIELDS ? [...words, counted(changed.length - FIELDS, "more field")] : words;
}

/** @param {NamedScreen | undefined} screen @param {string} section */
const sectionOf = (screen, section) => screen?.sections.find(({ id }) => id === section);

/** @param {NamedScreen | undefined} screen @param {string} section @param {string | undefined} id */
const itemOf = (screen, section, id) => sectionOf(screen, section)?.items.find((item) => item.id === id);

/** @param {NamedScreen} screen @param {string} section */
const titleOf = (screen, section) => sectionOf(screen, section)?.title || section;

/** @param {NamedScreen} before @param {NamedScreen} after @param {Change} change */
function sentence(before, after, { op, section, id, from = 0, to = 0 }) {
  const place = titleOf(op === "section-delete" ? before : after, section);
  switch (op) {
    case "section-insert": return `The section ${place} is new`;
    case "section-delete": return `The section ${place} is gone`;
    case "section-move": return `The section ${place} moved from place ${from + 1} to ${to + 1}`;
    case "section-update": {
      const known = titleOf(before, section);
      return known === place ? `The head of ${place} changed` : `The section ${known} is called ${place}`;
    }
  }
  const [old, now] = [itemOf(before, section, id), itemOf(after, section, id)];
  const name = (now ?? old)?.card?.title || id;
  switch (op) {
    case "insert": return `${name} appeared in ${place}, at ${to + 1}`;
    case "delete": return `${name} left ${place}`;
    case "move": return `${name} moved in ${place}, from ${from + 1} to ${to + 1}`;
    default: {
      const fields = differences(old?.card, now?.card);
      return `${name} in ${place}${fields.length ? `: ${fields.join(", ")}` : " changed"}`;
    }
  }
}

/**
 * What changed, a sentence for each row.
 * @param {NamedScreen} before @param {NamedScreen} after @param {readonly Change[]} changes
 */
export function sentences(before, after, changes) {
  const words = changes.slice(0, SENTENCES).map((change) => sentence(before, after, change));
  return changes.length > SENTENCES ? [...words, `and ${counted(changes.length - SENTENCES, "more change")}`] : words;
}

"""###,
"window/check.js": ###"""
// A change before it is published: what the screen that is shown would become, and what that costs.

import { Refusal } from "./api.js";
import { sentences } from "./changes.js";
import { bytesText } from "./dom.js";
import { languageOf } from "./stage.js";

/** The screen that is shown, with what a person has chosen on it.
 * @typedef {{screen: string, locale: string, sorts: Record<string, string>, windows: Record<string, number>}} Shown */

/** A section and an item as the server writes them in JSON (Docs/cli-output.md).
 * @typedef {{id: string, title?: string, items?: JSONItem[]}} JSONSection */
/** @typedef {{id: string, content?: any}} JSONItem */
/** @typedef {import("../js/src/changes.js").Change} Change */
/** @typedef {Change & {item?: JSONItem, content?: JSONSection, head?: JSONSection}} Operation */
/** @typedef {import("./changes.js").NamedScreen} NamedScreen */

/**
 * Looks for mistakes, and for the update that each client with a screen would be sent.
 * @param {import("./api.js").Api} api
 * @param {string} change As JSON.
 * @param {Shown} shown
 * @returns {Promise<{words: string, rows: string[]}>}
 * @throws {Refusal} for mistakes
 */
export async function checkOf(api, change, shown) {
  const { screen, locale } = shown;
  const parameters = parametersOf(shown);
  try {
    const before = named(await api.json(`/v1/screens/${encodeURIComponent(screen)}?${parameters}`));
    const path = `/v1/publish?dry-run&preview=${encodeURIComponent(screen)}&${parameters}`;
    const { preview: { bytes, operations } } = await api.json(path, { method: "POST", body: change });
    const who = `each client that shows ${screen} in ${languageOf(locale)}`;
    if (!bytes) return { words: `No mistakes. Nothing changes for ${who}.`, rows: [] };
    return {
      words: `No mistakes. Publishing it sends ${bytesText(bytes)} to ${who}${operations.length ? ":" : "."}`,
      rows: sentences(before, overlaid(before, operations), operations),
    };
  } catch (error) {
    // A change without mistakes may end the screen that is shown.
    if (!(error instanceof Refusal) || error.mistakes.length || [401, 403].includes(error.status)) throw error;
    if (error.status === 501)
      return { words: "This server can't check; mistakes are found when it is published.", rows: [] };
    // A section with choices of a person may be gone.
    if (error.reason === "UNKNOWN_SECTION" && Object.keys({ ...shown.sorts, ...shown.windows }).length)
      return checkOf(api, change, { screen, locale, sorts: {}, windows: {} });
    await api.text("/v1/publish?dry-run", { method: "POST", body: change });
    return { words: `No mistakes. But ${screen} couldn't be shown: ${error.message}.`, rows: [] };
  }
}

/** @param {Shown} shown */
function parametersOf({ locale, sorts, windows }) {
  const parameters = new URLSearchParams({ locale });
  for (const [section, sort] of Object.entries(sorts)) parameters.set(`sort.${section}`, sort);
  for (const [section, window] of Object.entries(windows)) parameters.set(`window.${section}`, `${window}`);
  return `${parameters}`;
}

/** @param {{sections: JSONSection[]}} screen @returns {NamedScreen} */
const named = ({ sections }) => ({ sections: sections.map(namedSection) });

/** @param {JSONSection} section */
const namedSection = ({ id, title, items = [] }) => ({ id, title, items: items.map(namedItem) });

/** @param {JSONItem} item */
function namedItem({ id, content }) {
  // The record behind a card is bytes.
  const { record, ...card } = content ?? {};
  return { id, card };
}

/**
 * The screen with the things that operations name, as they will be. Places are the old ones; operations have their own.
 * @param {NamedScreen} before @param {Operation[]} operations @returns {NamedScreen}
 */
function overlaid({ sections }, operations) {
  const byItem = (/** @type {NamedScreen["sections"][number]} */ section) =>
    ({ ...section, items: new Map(section.items.map((one) => [one.id, one])) });
  const after = new Map(sections.map((section) => [section.id, byItem(section)]));
  for (const { op, section, item, content, head } of operations) {
    const known = after.get(section);
    if (op === "section-insert" && content) after.set(section, byItem(namedSection(content)));
    else if (op === "section-update" && known && head) known.title = head.title;
    else if (item && known) known.items.set(item.id, namedItem(item));
  }
  return { sections: [...after.values()].map(({ items, ...rest }) => ({ ...rest, items: [...items.values()] })) };
}

"""###,
"window/choices.js": ###"""
// The choice of what is shown: a screen, widths, languages, schemes, directions, a size.

import { byId, make } from "./dom.js";
import { heights, languageOf } from "./stage.js";

/** @typedef {import("./stage.js").View} View */

/** A page narrower than this begins with one scheme, the system's. */
const NARROW = 600;
/** Languages that are shown at first. */
const LANGUAGES = 2;
/** Where the choice is kept. */
const STORED = "marquee-window";

export class Choices {
  /** @type {View} */
  view = { screen: "home", widths: [390], locales: [], themes: [], directions: ["auto"], fits: true };
  #select = /** @type {HTMLSelectElement} */ (byId("screen"));

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** The screen that is shown.
   * @param {string} name */
  set screen(name) {
    this.view.screen = name;
    if (![...this.#select.options].some(({ value }) => value === name)) this.#select.append(make("option", { value: name }, name));
    this.#select.value = name;
  }

  /** Offers what a server has.
   * @param {{screens: {pattern: string, example?: string, title: string}[], locales: string[]}} offer */
  offer({ screens, locales }) {
    this.#select.replaceChildren(...screens.flatMap(({ pattern, example, title }) => {
      const name = example ?? (/[<$]/.test(pattern) ? null : pattern);
      return name ? [make("option", { value: name }, title && title !== name ? `${title} (${name})` : name)] : [];
    }));
    const stored = storedView();
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const { view } = this;
    view.widths = chosen(stored.widths, [...heights.keys()], [390]);
    view.locales = chosen(stored.locales, locales, locales.slice(0, LANGUAGES));
    view.themes = chosen(stored.themes, ["light", "dark"], innerWidth < NARROW ? [system] : ["light", "dark"]);
    view.directions = chosen(stored.directions, ["auto", "rtl"], ["auto"]);
    view.fits = stored.fits !== false;
    this.#boxes("widths", [...heights.keys()].map((width) => [width, `${width}`]), view.widths, (now) => (view.widths = now));
    this.#boxes("locales", locales.map((name) => [name, languageOf(name)]), view.locales, (now) => (view.locales = now));
    this.#boxes("themes", [["light", "Light"], ["dark", "Dark"]], view.themes, (now) => (view.themes = now));
    this.#boxes("directions", [["auto", "Auto"], ["rtl", "Right to left"]], view.directions,
      (now) => (view.directions = now));
    this.#size();
  }

  #size() {
    clear("size");
    for (const [fits, words] of /** @type {const} */ ([[true, "Fit"], [false, "100 %"]])) {
      const checked = this.view.fits === fits;
      const onchange = () => this.#choose(() => (this.view.fits = fits));
      byId("size").append(make("label", { class: "chip" }, make("input", { type: "radio", name: "size", checked, onchange }),
        make("span", {}, words)));
    }
  }

  /** Check boxes of which at least one stays checked.
   * @template {string | number} T
   * @param {string} id @param {[T, string][]} options @param {T[]} checked @param {(now: T[]) => void} change */
  #boxes(id, options, checked, change) {
    clear(id);
    /** @type {[T, HTMLInputElement][]} */
    const inputs = options.map(([value, words]) => {
      const input = make("input", {
        type: "checkbox", checked: checked.includes(value),
        onchange: () => {
          const now = inputs.filter(([, box]) => box.checked).map(([one]) => one);
          if (!now.length) input.checked = true;
          else this.#choose(() => change(now));
        },
      });
      byId(id).append(make("label", { class: "chip" }, input, make("span", {}, words)));
      return [value, input];
    });
  }

  /** @param {() => void} change */
  #choose(change) {
    change();
    try {
      const { screen, ...rest } = this.view;
      localStorage.setItem(STORED, JSON.stringify(rest));
    } catch {
      // It is chosen again the next time.
    }
    this.changed();
  }
}

/** @param {string} id */
function clear(id) {
  for (const label of [...byId(id).querySelectorAll("label")]) label.remove();
}

/** @template T @param {unknown} stored @param {T[]} all @param {T[]} standard @returns {T[]} */
function chosen(stored, all, standard) {
  const some = Array.isArray(stored) ? all.filter((one) => stored.includes(one)) : [];
  return some.length ? some : standard;
}

/** @returns {Partial<View>} */
function storedView() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

"""###,
"window/clients.js": ###"""
// The clients of the server, and their state.

import { bytesText, counted, make } from "./dom.js";

/** Milliseconds between two looks. */
const PAUSE = 3000;

/** Shows the clients until it is aborted.
 * @param {HTMLElement} root @param {import("./api.js").Api} api @param {AbortSignal} signal */
export async function showClients(root, api, signal) {
  while (!signal.aborted) {
    try {
      const { clients, total } = await api.json("/v1/clients", { signal });
      if (!signal.aborted) root.replaceChildren(summary(total, clients.length), tableOf(clients));
    } catch (error) {
      if (!signal.aborted)
        root.replaceChildren(make("p", { class: "note" }, `Clients aren't shown: ${/** @type {Error} */ (error).message}`));
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** @param {number} total @param {number} shown */
const summary = (total, shown) =>
  make("p", { class: "note" }, counted(total, "client") + (shown < total ? `, of which ${shown} are shown` : ""),
    ". The slowest are first.");

/** @param {any[]} clients */
function tableOf(clients) {
  const head = ["Client", "Screens", "At", "Behind", "Sent", "Unread"];
  return make("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Clients" },
    make("table", {}, make("thead", {}, make("tr", {}, ...head.map((words) => make("th", { scope: "col" }, words)))),
      make("tbody", {}, ...clients.map((client) => make("tr", {},
        make("th", { scope: "row" }, client.user ?? "anonymous", make("small", {}, client.address)),
        make("td", {}, client.screens.join(", ") || "–"),
        make("td", {}, client.revision === undefined ? client.state : `${client.revision}`),
        make("td", {}, client.sectionsBehind ? `${counted(client.sectionsBehind, "section")}, ${seconds(client)}` : "–"),
        make("td", {}, bytesText(client.sentBytes)),
        make("td", {}, bytesText(client.bufferedBytes + client.unacknowledgedBytes)))))));
}

/** @param {{lagMilliseconds: number}} client */
const seconds = ({ lagMilliseconds }) => `${(lagMilliseconds / 1000).toFixed(1)} s`;

"""###,
"window/dom.js": ###"""
// Elements of the page. Texts only ever become text nodes.

/**
 * An element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes] Functions
 *   are listeners, by `on` and the event's name; `true` is an attribute without a value, `null` and `false` are none.
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : `${value}`);
  }
  element.append(...children.flatMap((child) => (child || child === "" ? [child] : [])));
  return element;
}

/** An element of the page that has to be there.
 * @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return element;
}

/** Bytes in words.
 * @param {number} bytes */
export function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

/** A time of day.
 * @param {number} time In milliseconds since 1970. */
export const clock = (time) => new Date(time).toLocaleTimeString([], { hour12: false });

/** A number and its noun: `1 row`, `2 rows`.
 * @param {number} count @param {string} noun @param {string} [nouns] */
export const counted = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;

"""###,
"window/editor.js": ###"""
// An editor of one thing: checks it first, with the patch that it would cause; publishes it; and publishes it again as
// it was.

import { Refusal } from "./api.js";
import { bytesText, make } from "./dom.js";
import { offsetOfLine } from "./kinds.js";
import { checkOf } from "./check.js";

/** @typedef {import("./kinds.js").Kind} Kind */
/** @typedef {import("./kinds.js").Stored} Stored */

/** Versions of one thing that can be brought back. */
const VERSIONS = 20;
/** Lines above a mistake that stay visible. */
const ABOVE = 4;
/** Milliseconds after a publication within which the screens' updates arrive, over another connection. */
const UPDATE = 500;

/** The thing shown: its kind, and as the server stores it, as far as the page knows; `null` before it is read, and if
 * that fails.
 * @typedef {{kind: Kind, stored: Stored | null, reading: Promise<void> | null}} Open */

export class Editor {
  /** @type {Open | null} */ #open = null;
  /** The versions before the page's own publications, the newest last, by the kind's key.
   * @type {Map<string, Stored[]>} */
  #versions = new Map();
  /** Revisions that the page itself has made. */
  #own = new Set();
  #isBusy = false;

  /**
   * @param {HTMLElement} root @param {import("./api.js").Api} api
   * @param {{received: () => number, shown: () => import("./check.js").Shown}} page Bytes that the page has received;
   *   the screen that it shows.
   */
  constructor(root, api, page) {
    this.root = root;
    this.api = api;
    this.page = page;
    const id = (/** @type {string} */ part) => `${root.id}-${part}`;
    const button = (/** @type {string} */ words, /** @type {string} */ name, /** @type {() => void} */ run) =>
      make("button", { type: "button", class: name, onclick: run }, words);
    this.title = make("h3", { id: id("title") });
    this.note = make("p", { class: "note", role: "status" });
    this.text = make("textarea", {
      "aria-labelledby": id("title"), "aria-describedby": id("mistakes"), spellcheck: "false", rows: "12",
      autocomplete: "off", wrap: "off", oninput: () => this.#edited(), onscroll: () => this.#scrolled(),
    });
    this.lines = make("div", { class: "lines", "aria-hidden": "true" });
    this.mistakes = make("ol", { class: "mistakes", id: id("mistakes") });
    this.rows = make("ul", { class: "rows", "aria-label": "Changes of the screen" });
    this.check = button("Check", "", () => this.#run((open) => this.#check(open)));
    this.publish = button("Publish", "primary", () => this.#run((open) => this.#publish(open)));
    this.undo = button("Undo", "", () => this.#run((open) => this.#undo(open)));
    this.reload = button("Reload", "", () => this.#open && void this.show(this.#open.kind));
    root.append(this.title, make("div", { class: "text" }, this.lines, this.text), this.mistakes,
      make("div", { class: "buttons" }, this.check, this.publish, this.undo, this.reload), this.note, this.rows);
    this.hide();
  }

  /** Shows something as the server stores it.
   * @param {Kind} kind */
  show(kind) {
    /** @type {Open} */
    const open = { kind, stored: null, reading: null };
    this.#open = open;
    this.root.hidden = false;
    this.title.textContent = kind.title;
    this.text.value = "";
    this.#clear();
    this.#say("Reading…");
    this.#edited();
    open.reading = this.#read(open);
    return open.reading;
  }

  /** @param {Open} open */
  async #read(open) {
    try {
      const stored = await open.kind.read(this.api);
      if (open !== this.#open) return;
      this.#store(open, stored);
      this.#say("");
    } catch (error) {
      if (open === this.#open) this.#show(open, error);
    }
    open.reading = null;
  }

  /** Shows something, unless it is shown already, and selects a line.
   * @param {Kind} kind @param {number} [line] Counted from 1. */
  async reveal(kind, line) {
    const open = this.#open?.kind.key === kind.key ? this.#open : null;
    if (!open?.stored) await (open?.reading ?? this.show(kind));
    const offset = line === undefined ? null : offsetOfLine(this.text.value, line);
    if (offset !== null) this.#select(offset);
  }

  hide() {
    this.#open = null;
    this.root.hidden = true;
  }

  /** Takes note of a commit.
   * @param {import("./api.js").Commit} commit */
  heard({ revision, changes }) {
    const open = this.#open;
    if (!open || this.#isBusy || this.#own.has(revision) || !changes.some(open.kind.isChangedBy)) return;
    if (!this.#isEdited && document.activeElement !== this.text) void this.#refresh(open);
    else this.#say(`Somebody else changed it at revision ${revision}. Publishing replaces that; Reload shows it.`);
  }

  /** Nothing was edited: shows what is stored now.
   * @param {Open} open */
  async #refresh(open) {
    try {
      const stored = await open.kind.read(this.api);
      if (open === this.#open && !this.#isEdited) this.#store(open, stored);
    } catch {
      // It is shown when it is asked for.
    }
  }

  get #isEdited() { return this.text.value !== (this.#open?.stored?.text ?? ""); }

  /** @param {Open} open @param {Stored} stored */
  #store(open, stored) {
    open.stored = stored;
    this.text.value = stored.text;
    this.#edited();
  }

  #edited() {
    const isReady = !this.#isBusy && this.#open?.stored !== null;
    this.text.readOnly = !this.#open?.stored;
    this.check.disabled = this.publish.disabled = !isReady || !this.#isEdited;
    this.undo.disabled = !isReady || !this.#versionsOf(this.#open).length;
    this.reload.disabled = this.#isBusy;
    this.rows.replaceChildren();
    const count = this.text.value.split("\n").length;
    if (this.lines.childElementCount !== count)
      this.lines.replaceChildren(...Array.from({ length: count }, (_, index) => make("span", {}, `${index + 1}`)));
    this.#scrolled();
  }

  #scrolled() {
    this.lines.scrollTop = this.text.scrollTop;
  }

  /** @param {Open | null} open */
  #versionsOf(open) { return (open && this.#versions.get(open.kind.key)) ?? []; }

  /** @param {string} words */
  #say(words) {
    this.note.textContent = words;
  }

  #clear() {
    this.mistakes.replaceChildren();
    this.rows.replaceChildren();
  }

  /** Does one thing at a time with what is shown.
   * @param {(open: Open) => Promise<void>} work */
  async #run(work) {
    const open = this.#open;
    if (!open || this.#isBusy) return;
    const focused = document.activeElement;
    this.#isBusy = true;
    this.#edited();
    this.#clear();
    try {
      await work(open);
    } catch (error) {
      if (open === this.#open) this.#show(open, error);
    }
    this.#isBusy = false;
    const rows = [...this.rows.children];
    this.#edited();
    this.rows.replaceChildren(...rows);
    // A button that has done its work may have nothing more to do, and a disabled one has no focus.
    if (focused instanceof HTMLButtonElement && this.root.contains(focused) && !this.text.contains(document.activeElement))
      (focused.disabled ? this.text : focused).focus();
  }

  /** @param {Open} open @param {unknown} error */
  #show({ kind }, error) {
    const found = error instanceof Refusal ? error.mistakes.flatMap((one) => kind.place(this.text.value, one)) : [];
    this.#say(found.length ? "Nothing was changed." : error instanceof Refusal ? error.message : `${error}`);
    this.mistakes.replaceChildren(...found.map(({ words, offset }) => make("li", {}, offset === null ? words
      : make("button", { type: "button", class: "link", onclick: () => this.#select(offset) }, words))));
    const first = found.find(({ offset }) => offset !== null)?.offset;
    if (first !== undefined && first !== null) this.#select(first);
  }

  /** Selects a line.
   * @param {number} offset */
  #select(offset) {
    const { value } = this.text;
    const end = value.indexOf("\n", offset);
    this.text.focus();
    this.text.setSelectionRange(offset, end < 0 ? value.length : end);
    const line = value.slice(0, offset).split("\n").length;
    this.text.scrollTop = (line - ABOVE) * parseFloat(getComputedStyle(this.text).lineHeight);
    this.text.scrollLeft = 0;
  }

  /** The text being edited, in place of the stored one.
   * @param {Open} open @returns {Stored} */
  #now({ stored }) { return { ...stored, text: this.text.value }; }

  /** @param {Open} open */
  async #check(open) {
    const { words, rows } = await checkOf(this.api, open.kind.change(this.#now(open)), this.page.shown());
    if (open !== this.#open) return;
    this.#say(words);
    this.rows.replaceChildren(...rows.map((row) => make("li", {}, row)));
  }

  /** @param {Open} open */
  async #publish(open) {
    const [before, now, bytes] = [open.stored, this.#now(open), this.page.received()];
    const { revision, changed } = await this.#put(open, now);
    if (changed && before?.text) this.#versions.set(open.kind.key, [...this.#versionsOf(open), before].slice(-VERSIONS));
    open.stored = now;
    this.#told(open, changed ? `Published as revision ${revision}` : "Nothing differs from what is stored", bytes);
  }

  /** @param {Open} open */
  async #undo(open) {
    const versions = this.#versionsOf(open);
    const before = versions[versions.length - 1];
    if (!before) return;
    const bytes = this.page.received();
    const { revision } = await this.#put(open, before);
    this.#versions.set(open.kind.key, versions.slice(0, -1));
    if (open === this.#open) this.#store(open, before);
    this.#told(open, `The version before is published again, as revision ${revision}`, bytes);
  }

  /** @param {Open} open @param {Stored} stored @returns {Promise<{revision: number, changed: boolean}>} */
  async #put({ kind }, stored) {
    const answer = await this.api.json("/v1/publish", { method: "POST", body: kind.change(stored) });
    this.#own.add(answer.revision);
    return answer;
  }

  /** @param {Open} open @param {string} words @param {number} before Bytes received until then. */
  #told(open, words, before) {
    if (open !== this.#open) return;
    this.#say(`${words}.`);
    setTimeout(() => {
      if (open === this.#open && this.note.textContent === `${words}.`)
        this.#say(`${words}; this page received ${bytesText(this.page.received() - before)} since.`);
    }, UPDATE);
  }
}

"""###,
"window/icon.svg": ###"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5624d0"/><path d="M8 10h16v3H8zm0 5h11v3H8zm0 5h14v3H8z" fill="#fff"/></svg>

"""###,
"window/index.html": ###"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Marquee</title>
<link rel="icon" type="image/svg+xml" href="/window/icon.svg">
<link rel="stylesheet" href="/window/window.css">
<link rel="modulepreload" href="/window/main.js">
<link rel="modulepreload" href="/js/src/index.js">
<link rel="modulepreload" href="/js/src/client.js">
<link rel="modulepreload" href="/js/src/changes.js">
<link rel="modulepreload" href="/js/src/constants.js">
<link rel="modulepreload" href="/js/src/content.js">
<link rel="modulepreload" href="/js/src/bytes.js">
<link rel="modulepreload" href="/js/src/protobuf.js">
<link rel="modulepreload" href="/js/src/errors.js">
<link rel="modulepreload" href="/js/src/schema.js">
<link rel="modulepreload" href="/js/src/xxh64.js">
<link rel="modulepreload" href="/js/src/engine.js">
<link rel="modulepreload" href="/js/src/core.js">
<link rel="modulepreload" href="/js/src/frames.js">
<link rel="modulepreload" href="/js/src/crc32c.js">
<link rel="modulepreload" href="/js/src/session.js">
<link rel="modulepreload" href="/js/src/patch.js">
<link rel="modulepreload" href="/js/src/positions.js">
<link rel="modulepreload" href="/js/src/view.js">
<link rel="modulepreload" href="/js/src/outbox.js">
<link rel="modulepreload" href="/js/src/screen.js">
<link rel="modulepreload" href="/js/src/websocket.js">
<link rel="modulepreload" href="/window/api.js">
<link rel="modulepreload" href="/window/changes.js">
<link rel="modulepreload" href="/window/dom.js">
<link rel="modulepreload" href="/window/clients.js">
<link rel="modulepreload" href="/window/choices.js">
<link rel="modulepreload" href="/window/stage.js">
<link rel="modulepreload" href="/js/screen.js">
<link rel="modulepreload" href="/js/screen-cards.js">
<link rel="modulepreload" href="/js/screen-words.js">
<link rel="modulepreload" href="/js/screen-changes.js">
<link rel="modulepreload" href="/js/screen-clients.js">
<link rel="modulepreload" href="/js/screen-dom.js">
<link rel="modulepreload" href="/js/screen-input.js">
<link rel="modulepreload" href="/js/layout-bytes.js">
<link rel="modulepreload" href="/js/layout.js">
<link rel="modulepreload" href="/js/screen-keys.js">
<link rel="modulepreload" href="/js/screen-section.js">
<link rel="modulepreload" href="/js/screen-views.js">
<link rel="modulepreload" href="/js/screen-artwork.js">
<link rel="modulepreload" href="/js/screen-styles.js">
<link rel="modulepreload" href="/window/editor.js">
<link rel="modulepreload" href="/window/kinds.js">
<link rel="modulepreload" href="/window/json-places.js">
<link rel="modulepreload" href="/window/check.js">
<link rel="modulepreload" href="/window/presets.js">
<link rel="modulepreload" href="/window/preview.js">
<link rel="modulepreload" href="/window/preview-call.js">
<link rel="modulepreload" href="/window/preview-form.js">
<link rel="modulepreload" href="/window/preview-request.js">
<link rel="modulepreload" href="/window/preview-questions.js">
<link rel="modulepreload" href="/window/preview-source.js">
<link rel="modulepreload" href="/window/recordings.js">
<link rel="modulepreload" href="/window/tabs.js">
<link rel="modulepreload" href="/window/timeline.js">
<link rel="modulepreload" href="/window/why.js">
<link rel="modulepreload" href="/window/wire.js">
<script type="module" src="/window/main.js"></script>
</head>
<body>
<a class="skip" id="skip" href="#">To the screens</a>
<header class="bar">
  <h1><img src="/window/icon.svg" alt="" width="24" height="24">Marquee</h1>
  <p class="state" id="state" role="status"><span class="dot"></span><span id="state-words">Connecting</span></p>
  <p class="figures" id="figures"></p>
  <details class="pop" id="phone">
    <summary>Phone</summary>
    <div class="card" id="phone-card"></div>
  </details>
  <details class="pop" id="credentials">
    <summary>Who I am</summary>
    <form id="credentials-form" class="card">
      <label>User <input id="user" autocomplete="off" spellcheck="false" maxlength="200"></label>
      <label>Token <input id="token" type="password" autocomplete="off" spellcheck="false"></label>
      <p class="note">Kept by this page until it is closed. A server with <code>--open</code> needs none.</p>
      <button class="primary">Connect</button>
    </form>
  </details>
</header>
<noscript><p class="alert">This page needs JavaScript, which this server sends with it.</p></noscript>
<p class="alert" id="alert" role="alert" hidden></p>
<div class="page">
  <main class="main">
    <section class="controls" aria-label="What is shown">
      <label class="field">Screen <select id="screen"></select></label>
      <button type="button" id="preview-open" aria-expanded="false" aria-controls="preview">Preview</button>
      <fieldset id="widths"><legend>Width</legend></fieldset>
      <fieldset id="locales"><legend>Language</legend></fieldset>
      <fieldset id="themes"><legend>Scheme</legend></fieldset>
      <fieldset id="directions"><legend>Direction</legend></fieldset>
      <fieldset id="size"><legend>Size</legend></fieldset>
    </section>
    <form class="preview" id="preview" aria-label="Preview" hidden>
      <label class="field">Reader <input id="preview-reader" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="2000" placeholder="plan=free, audience=korea" dir="ltr"></label>
      <fieldset id="preview-when"><legend id="preview-zone">Moment</legend>
        <label class="chip"><input type="radio" name="preview-when" id="preview-now" checked><span>Now</span></label>
        <label class="chip"><input type="radio" name="preview-when" id="preview-then"><span>Another</span></label>
        <input type="datetime-local" id="preview-moment" aria-labelledby="preview-zone" hidden>
      </fieldset>
      <label class="field" id="preview-drafts" hidden>Draft <select id="preview-draft"></select></label>
      <button class="primary" id="preview-show">Show</button>
      <p class="note" id="preview-note"></p>
    </form>
    <section class="previewed" id="previewed" aria-label="Preview shown" hidden>
      <div>
        <p id="previewed-words" role="status"></p>
        <p class="note" id="previewed-audiences"></p>
        <p class="trouble" id="previewed-trouble" role="alert"></p>
      </div>
      <button type="button" id="preview-end">Back to live</button>
    </section>
    <div class="stage" id="stage" role="region" aria-label="Screens" tabindex="0"></div>
    <p class="note stage-note" id="stage-note" role="status"></p>
    <p class="note stage-note" id="recording"></p>
  </main>
  <aside class="side" id="details" aria-label="Details">
    <div class="tabs" role="tablist" aria-label="Details">
      <button type="button" role="tab" id="tab-timeline" aria-controls="panel-timeline" aria-selected="true">Timeline</button>
      <button type="button" role="tab" id="tab-item" aria-controls="panel-item" aria-selected="false" tabindex="-1">Item</button>
      <button type="button" role="tab" id="tab-edit" aria-controls="panel-edit" aria-selected="false" tabindex="-1">Programme</button>
      <button type="button" role="tab" id="tab-wire" aria-controls="panel-wire" aria-selected="false" tabindex="-1">Connection</button>
      <button type="button" role="tab" id="tab-clients" aria-controls="panel-clients" aria-selected="false" tabindex="-1">Clients</button>
    </div>
    <section class="panel" id="panel-timeline" role="tabpanel" aria-labelledby="tab-timeline" tabindex="0">
      <div class="panel-head"><h2>What changed</h2><button type="button" id="pause" aria-pressed="false">Pause</button></div>
      <p class="note" id="timeline-note"></p>
      <p class="note" id="timeline-empty">No commits since the server started. Publications show up here.</p>
      <ol class="timeline" id="timeline"></ol>
    </section>
    <section class="panel" id="panel-item" role="tabpanel" aria-labelledby="tab-item" tabindex="0" hidden>
      <h2>Why is this here</h2>
      <p class="note" id="item-note">Pick an item on a screen: click it, or reach it with the keyboard and press Enter.</p>
      <div id="why"></div>
      <section class="editor" id="record" aria-label="Record"></section>
    </section>
    <section class="panel" id="panel-edit" role="tabpanel" aria-labelledby="tab-edit" tabindex="0" hidden>
      <div class="panel-head">
        <h2>How the screens are made</h2>
        <div class="buttons" role="group" aria-label="What is edited">
          <button type="button" id="edit-programme" aria-pressed="true">Programme</button>
          <button type="button" id="edit-types" aria-pressed="false">Types</button>
        </div>
      </div>
      <section class="editor" id="programme" aria-label="Programme"></section>
      <section class="editor" id="types" aria-label="Types"></section>
    </section>
    <section class="panel" id="panel-wire" role="tabpanel" aria-labelledby="tab-wire" tabindex="0" hidden>
      <h2>This page’s connection</h2>
      <p class="note">Only this page’s own connection is broken. Watch what the client makes of it.</p>
      <div class="buttons" role="group" aria-label="Connection">
        <button type="button" id="wire-online" aria-pressed="true">Online</button>
        <button type="button" id="wire-slow" aria-pressed="false">Slow</button>
        <button type="button" id="wire-offline" aria-pressed="false">Offline</button>
        <button type="button" id="wire-damage">Damage a byte</button>
      </div>
      <dl class="facts" id="wire-facts"></dl>
      <ol class="log" id="wire-log" role="log" aria-label="What happened to the connection"></ol>
    </section>
    <section class="panel" id="panel-clients" role="tabpanel" aria-labelledby="tab-clients" tabindex="0" hidden>
      <h2>Clients</h2>
      <div id="clients"></div>
    </section>
  </aside>
</div>
<p class="quiet" id="said" role="status" aria-live="polite"></p>
</body>
</html>

"""###,
"window/json-places.js": ###"""
// Where things are in a JSON text, so that a mistake can be shown at its place.

/**
 * The offsets at which the values of a text begin, by their paths: `goals[0].minute`. For a member it is that of its
 * name.
 * @param {string} text That of a JSON document.
 * @returns {Map<string, number>}
 */
export function placesOf(text) {
  const places = new Map();
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  /** Open objects and arrays: their paths, the next index of an array, and the last name of an object.
   * @type {{path: string, index: number, name: string | null}[]} */
  const open = [];
  let isValue = true;
  for (let match; (match = tokens.exec(text)); ) {
    const [token] = match;
    const here = open[open.length - 1];
    const path = !here ? "" : here.index >= 0 ? `${here.path}[${here.index}]` : joined(here.path, here.name ?? "");
    if (token === "{" || token === "[") {
      if (!places.has(path)) places.set(path, match.index);
      open.push({ path, index: token === "[" ? 0 : -1, name: null });
      isValue = token === "[";
    } else if (token === "}" || token === "]") open.pop();
    else if (token === ",") {
      if (here && here.index >= 0) here.index += 1;
      isValue = (here?.index ?? -1) >= 0;
    } else if (token === ":") isValue = true;
    else if (!isValue && here) {
      here.name = nameOf(token);
      places.set(joined(here.path, here.name), match.index);
    } else if (!places.has(path)) places.set(path, match.index);
  }
  return places;
}

/** @param {string} path @param {string} name */
const joined = (path, name) => (path ? `${path}.${name}` : name);

/** @param {string} token */
function nameOf(token) {
  try {
    return `${JSON.parse(token)}`;
  } catch {
    return token;
  }
}

/**
 * The place of a mistake that the server names.
 * @param {string} text
 * @param {string} path As the server names it, which may begin with the record's type.
 * @returns {{offset: number, line: number} | null}
 */
export function placeOf(text, path) {
  const places = placesOf(text);
  const parts = path.split(/[./]/);
  for (let first = 0; first < parts.length; first += 1) {
    const offset = places.get(parts.slice(first).join("."));
    if (offset !== undefined) return { offset, line: text.slice(0, offset).split("\n").length };
  }
  return null;
}

"""###,
"window/kinds.js": ###"""
// What can be edited: a record, the programme, the types. Each is text, and a change that puts it there.

import { Refusal } from "./api.js";
import { placeOf } from "./json-places.js";

/** @typedef {import("./api.js").NamedChange} NamedChange */
/** @typedef {import("./api.js").Mistake} Mistake */
/** @typedef {import("./api.js").Api} Api */

/** Something as the server stores it.
 * @typedef {{text: string, descriptors?: string}} Stored `descriptors` belong to types, and aren't edited. */

/** A mistake in words, and where it is in the text, if that is known.
 * @typedef {{words: string, offset: number | null}} PlacedMistake */

/**
 * @typedef {object} Kind
 * @property {string} key A unique key, by which versions are kept.
 * @property {string} title
 * @property {(named: NamedChange) => boolean} isChangedBy
 * @property {(api: Api) => Promise<Stored>} read
 * @property {(stored: Stored) => string} change The change that puts it there, as JSON. Throws a `Refusal` for text that
 *   can't be one.
 * @property {(text: string, mistake: Mistake) => PlacedMistake[]} place
 */

/** @param {string} type @param {string} id @returns {Kind} */
export function recordKind(type, id) {
  return {
    key: `record ${type}/${id}`,
    title: `${type}/${id}`,
    isChangedBy: (named) => named.type === type && named.id === id,
    read: async (api) => {
      const text = await api.text(`/v1/records/${encodeURIComponent(type)}/${encodeURIComponent(id)}`);
      return { text: JSON.stringify(JSON.parse(text), null, 2) };
    },
    change: ({ text }) => {
      try {
        JSON.parse(text);
      } catch (error) {
        throw new Refusal(422, { mistakes: [{ reason: "NOT_JSON", detail: `this isn't JSON: ${error}` }] });
      }
      // The text itself, whose numbers may have more digits than a page's.
      return `{"put":{"type":${JSON.stringify(type)},"id":${JSON.stringify(id)},"record":${text}}}`;
    },
    place: (text, { path = "", reason, detail }) => {
      if (reason === "NOT_JSON") return [placeOfError(text, detail)];
      const place = placeOf(text, path);
      const words = place ? `Line ${place.line}: ${detail}` : path ? `${path}: ${detail}` : detail;
      return [{ words, offset: place?.offset ?? null }];
    },
  };
}

/**
 * Browsers say where text stops being JSON: at a line and a column, or at a position.
 * @param {string} text @param {string} words @returns {PlacedMistake}
 */
function placeOfError(text, words) {
  const line = Number(/line (\d+)/.exec(words)?.[1]);
  const position = Number(/position (\d+)/.exec(words)?.[1]);
  const found = line || (position >= 0 ? text.slice(0, position).split("\n").length : 0);
  if (!found) return { words, offset: null };
  const offset = text.split("\n").slice(0, found - 1).reduce((sum, before) => sum + before.length + 1, 0);
  return { words: `Line ${found}: ${words}`, offset };
}

/** @type {Kind} */
export const programmeKind = {
  key: "programme",
  title: "The programme",
  isChangedBy: ({ change }) => change === "programme",
  read: async (api) => {
    try {
      return { text: (await api.json("/v1/programme")).programme };
    } catch (error) {
      if (error instanceof Refusal && error.reason === "NO_PROGRAMME") return { text: "" };
      throw error;
    }
  },
  change: ({ text }) => JSON.stringify({ programme: text }),
  place: placesByLine,
};

/** @type {Kind} */
export const typesKind = {
  key: "types",
  title: "The types",
  isChangedBy: ({ change }) => change === "types",
  read: async (api) => {
    const { types: { declarations, descriptors } } = await api.json("/v1/types");
    return { text: declarations, descriptors };
  },
  change: ({ text, descriptors }) => JSON.stringify({ types: { declarations: text, descriptors } }),
  place: placesByLine,
};

/** Mistakes of a text, each on a line of `detail`, such as `programme:12: a section needs 'id'`.
 * @param {string} text @param {Mistake} mistake @returns {PlacedMistake[]} */
function placesByLine(text, { detail }) {
  return detail.split("\n").map((one) => {
    const [, line, column, words] = /^[\w.-]+:(\d+)(?::(\d+))?: (.*)$/.exec(one) ?? [];
    const offset = line ? offsetOfLine(text, Number(line)) : null;
    if (offset === null) return { words: one, offset };
    return { words: `Line ${line}${column ? `, column ${column}` : ""}: ${words}`, offset };
  });
}

/** Where a line begins; `null` if there is none.
 * @param {string} text @param {number} line Counted from 1. */
export function offsetOfLine(text, line) {
  const lines = text.split("\n");
  return line < 1 || line > lines.length ? null : lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
}

"""###,
"window/main.js": ###"""
// The window: the screens of a server, what changes them, and the effect of a change.

import { MarqueeClient } from "../js/src/index.js";
import { Api, Refusal } from "./api.js";
import { sentences } from "./changes.js";
import { showClients } from "./clients.js";
import { Choices } from "./choices.js";
import { byId, bytesText, clock, counted, make } from "./dom.js";
import { Editor } from "./editor.js";
import { programmeKind, recordKind, typesKind } from "./kinds.js";
import { asCards } from "./presets.js";
import { Preview } from "./preview.js";
import { Recordings } from "./recordings.js";
import { MAX_DEVICES, Stage, devicesOf } from "./stage.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { explain } from "./why.js";
import { Wire } from "./wire.js";

/** Milliseconds between two sentences for a screen reader. */
const QUIET = 5000;
/** Points of an explanation that have to be visible, or else it is scrolled to. */
const VISIBLE = 160;
/** Lines of the connection's log. */
const LOG = 40;

const credentials = { token: "", user: "window" };
const api = new Api(() => credentials);
const wire = new Wire(() => drawFigures(), (words) => log(words));
const tabs = new Tabs(["timeline", "item", "edit", "wire", "clients"], (name) => follow(name));
/** @type {Stage} */
const stage = new Stage(byId("stage"), (element, section, item) => void inspect(element, section, item),
  (shown) => void recordings.toggle(shown));
/** @type {Recordings} */
const recordings = new Recordings(byId("recording"), (words) => (byId("said").textContent = words), () => preview.words);
const choices = new Choices(() => show());
/** @type {Preview} */
const preview = new Preview(api, {
  changed: () => {
    // A recording is of one thing.
    void recordings.end();
    show();
  },
  mark: (mark) => (stage.mark = mark),
  moved: (words, changes) => {
    stage.glow(changes);
    say(words);
  },
});
const edited = {
  received: () => wire.received,
  shown: () => ({ screen: choices.view.screen, locale: choices.view.locales[0], ...stage.chosen }),
};
const records = new Editor(byId("record"), api, edited);
const programmes = new Editor(byId("programme"), api, edited);
const types = new Editor(byId("types"), api, edited);
const timeline = new Timeline(byId("timeline"), byId("timeline-note"), ({ change, type, id = "" }) => {
  if (!type) {
    edit(change === "types" ? "types" : "programme");
    return tabs.focus("edit");
  }
  tabs.select("item");
  tabs.focus("item");
  byId("why").replaceChildren();
  byId("item-note").hidden = true;
  void records.show(recordKind(type, id));
});

/** @type {MarqueeClient | null} */
let client = null;
/** The same, with everything as cards.
 * @type {ReturnType<typeof asCards> | null} */
let cards = null;
/** The families of the server's screens: `detail` of `detail/27205`.
 * @type {Set<string>} */
let families = new Set();
/** @type {AbortController | null} */
let session = null;
/** @type {AbortController | null} */
let watching = null;
/** @type {string | null} */
let programme = null;
let revision = 0;
let state = "connecting";

// ---------------------------------------------------------------- the connection

function connect() {
  session?.abort();
  for (const editor of [records, programmes, types]) editor.hide();
  void client?.close();
  session = new AbortController();
  const { signal } = session;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const { token, user } = credentials;
  client = new MarqueeClient(`${scheme}//${location.host}/v1/connect`, {
    transport: wire.transport, ...(token ? { token } : { user: user || undefined }),
  });
  cards = asCards(client);
  preview.connect(client, signal);
  void listen(client);
  void begin(signal);
  void timeline.follow(api, signal, (commit) => {
    byId("timeline-empty").hidden = true;
    for (const editor of [records, programmes, types]) editor.heard(commit);
    preview.heard(commit.revision);
    if (commit.changes.some(({ change }) => change === "programme")) void readProgramme();
  });
}

/** @param {MarqueeClient} from */
async function listen(from) {
  for await (const event of from.events) {
    if (from !== client) return;
    const why = event.error ? `: ${reasonOf(event.error)}` : "";
    if (event.type === "state") {
      state = event.state;
      const pause = event.pause ? `, again in ${(event.pause / 1000).toFixed(1)}\u00a0s` : "";
      if (state === "waiting") broken ??= { since: Date.now(), bytes: wire.received };
      // While it is offline, it is enough to say that it tries again.
      if (state !== "connecting" || wire.mode !== "offline") log(`${stateWords(state)}${why}${pause}`, state);
      drawState();
      preview.isConnected = state === "connected";
      if (state === "failed") complain(event.error);
    } else log(`${event.type}${event.message ? `: ${event.message}` : why}`);
  }
}

/** The time since which the screen isn't current, and the bytes received until then.
 * @type {{since: number, bytes: number} | null} */
let broken = null;

/** @param {any} error */
function reasonOf({ code, message, cause }) {
  const more = typeof cause === "string" ? cause : message === code ? "" : message;
  return more ? `${more} (${code})` : code;
}

/** @param {string} name */
const stateWords = (name) =>
  ({ idle: "Idle", connecting: "Connecting", connected: "Connected", waiting: "Waiting", failed: "Refused" })[name] ?? name;

/** Reads the list of screens.
 * @param {AbortSignal} signal */
async function begin(signal) {
  try {
    const offer = await api.json("/v1/screens", { signal });
    byId("alert").hidden = true;
    families = new Set(offer.screens.map((/** @type {{pattern: string}} */ { pattern }) => pattern.split("/")[0]));
    choices.offer(offer);
    show();
    if (!byId("panel-edit").hidden) drawSource();
    await readProgramme();
  } catch (error) {
    if (!signal.aborted) complain(error);
  }
}

async function readProgramme() {
  try {
    programme = (await api.json("/v1/programme")).programme;
    preview.allow(true);
  } catch (error) {
    programme = null;
    // The same scope is for both.
    preview.allow(!(error instanceof Refusal && [401, 403].includes(error.status)));
  }
}

/** @param {unknown} error */
function complain(error) {
  const alert = byId("alert");
  alert.textContent = error instanceof Error ? error.message : `${error}`;
  alert.hidden = false;
  const details = /** @type {HTMLDetailsElement} */ (byId("credentials"));
  const status = error instanceof Refusal ? error.status : 401;
  if (status === 401 || status === 403) details.open = true;
}

// ---------------------------------------------------------------- the screens

/** Shows what is chosen. */
function show() {
  if (!cards || !choices.view.locales.length) return;
  choices.screen = named(location.hash.slice(1)) || "home";
  const { view } = choices;
  document.title = `${view.screen} · Marquee`;
  stage.show(preview.source ?? cards, view);
  const count = devicesOf(view).length;
  byId("stage-note").textContent = count > MAX_DEVICES ? `${MAX_DEVICES} of ${count} devices are shown.` : "";
  watch(cards, view.screen, view.locales[0]);
  void preview.watch(view.screen, view.locales[0]);
}

/** The screen that an address names.
 * @param {string} text */
function named(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Follows a screen for its changes; the devices share what it receives.
 * @param {ReturnType<typeof asCards>} from @param {string} name @param {string} locale */
async function watch(from, name, locale) {
  if (watching && watched === `${name}\n${locale}` && from === watchedClient) return;
  watching?.abort();
  const controller = (watching = new AbortController());
  [watched, watchedClient] = [`${name}\n${locale}`, from];
  /** @type {import("./presets.js").CardScreen | undefined} */
  let before;
  try {
    for await (const { screen, changes } of from.screen(name, { locale, signal: controller.signal })) {
      revision = screen.revision;
      drawFigures();
      if (broken && screen.live) {
        const seconds = ((Date.now() - broken.since) / 1000).toFixed(1);
        log(`The screens are current again, and verified: ${seconds} s, ${bytesText(wire.received - broken.bytes)}`);
        broken = null;
      }
      preview.heard(screen.revision);
      if (before && changes.length) {
        const words = sentences(before, screen, changes);
        timeline.moved(screen.revision, words);
        byId("timeline-empty").hidden = true;
        if (!preview.source) {
          stage.glow(changes);
          say(words);
        }
      }
      before = screen;
    }
  } catch (error) {
    if (!controller.signal.aborted) complain(error);
    if (watching === controller) watching = null;
  }
}
let watched = "";
/** @type {ReturnType<typeof asCards> | null} */
let watchedClient = null;

let lastSaid = -QUIET;
/** @param {string[]} words */
function say(words) {
  if (performance.now() - lastSaid < QUIET) return;
  lastSaid = performance.now();
  byId("said").textContent = words.length > 1 ? `${words[0]}, and ${counted(words.length - 1, "more change")}` : words[0];
}

/** @param {string} target */
function open(target) {
  location.hash = encodeURIComponent(target);
}

/** Explains an item.
 * @param {import("../js/screen.js").MarqueeScreen} element @param {string} section @param {string} item */
async function inspect(element, section, item) {
  const found = explain(element, section, item, programme, families, open, (line) => edit("programme", line));
  if (!found) return;
  tabs.select("item");
  byId("item-note").hidden = true;
  byId("why").replaceChildren(found);
  byId("panel-item").scrollTop = 0;
  if (byId("panel-item").getBoundingClientRect().top > innerHeight - VISIBLE) byId("details").scrollIntoView();
  byId("said").textContent = `${found.querySelector("h3")?.textContent} is explained under Item`;
  const subject = element.content?.sections.find(({ id }) => id === section)?.items.find(({ id }) => id === item)?.subject;
  const slash = subject?.indexOf("/") ?? -1;
  if (subject && slash > 0) await records.show(recordKind(subject.slice(0, slash), subject.slice(slash + 1)));
  else records.hide();
}

// ---------------------------------------------------------------- the rest of the page

/** Shows how a phone opens the screen. */
async function drawPhone() {
  if (!(/** @type {HTMLDetailsElement} */ (byId("phone")).open)) return;
  const { phoneHelp } = await import("./phone.js");
  byId("phone-card").replaceChildren(...phoneHelp(location.href));
}

/** The source that is edited under Programme. */
let source = "programme";

/** Edits the programme or the types.
 * @param {string} name @param {number} [line] To be selected. */
function edit(name, line) {
  source = name;
  tabs.select("edit");
  if (line !== undefined) void programmes.reveal(programmeKind, line);
}

function drawSource() {
  const sources = /** @type {const} */ ([["programme", programmes, programmeKind], ["types", types, typesKind]]);
  for (const [name, editor, kind] of sources) {
    const isShown = name === source;
    byId(`edit-${name}`).setAttribute("aria-pressed", `${isShown}`);
    if (isShown) void editor.reveal(kind);
    editor.root.hidden = !isShown;
  }
}

/** @type {AbortController | null} */
let clientsShown = null;
/** @param {string} name The tab that is shown. */
function follow(name) {
  clientsShown?.abort();
  if (name === "edit") drawSource();
  if (name !== "clients") return;
  clientsShown = new AbortController();
  void showClients(byId("clients"), api, clientsShown.signal);
}

function drawState() {
  byId("state").dataset.state = wire.mode === "slow" && state === "connected" ? "slow" : state;
  byId("state-words").textContent = wire.mode === "slow" && state === "connected" ? "Connected, slowly" : stateWords(state);
}

let figuresFrame = 0;
function drawFigures() {
  figuresFrame ||= requestAnimationFrame(() => {
    figuresFrame = 0;
    byId("figures").textContent = `revision ${revision} · ${bytesText(wire.received)} received`;
    for (const mode of ["online", "slow", "offline"])
      byId(`wire-${mode}`).setAttribute("aria-pressed", `${wire.mode === mode}`);
    const facts = [["Received", bytesText(wire.received)], ["Sent", bytesText(wire.sent)],
      ["Connections so far", `${wire.opened}`], ["Revision shown", `${revision}`]];
    byId("wire-facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    drawState();
  });
}

/** @param {string} words @param {string} [kind] A line replaces one of the same kind before it. */
function log(words, kind = "") {
  const list = byId("wire-log");
  if (kind && list.firstElementChild?.getAttribute("data-kind") === kind) list.firstElementChild.remove();
  list.prepend(make("li", { "data-kind": kind }, make("time", {}, clock(Date.now())), make("span", {}, words),
    make("small", {}, `${bytesText(wire.received)} received`)));
  while (list.children.length > LOG) list.lastChild?.remove();
}

for (const mode of /** @type {const} */ (["online", "slow", "offline"]))
  byId(`wire-${mode}`).addEventListener("click", () => {
    if (wire.mode === mode) return;
    log({ online: "Online again", slow: "Slow from now on: 1 KiB a second", offline: "Cut off" }[mode]);
    wire.mode = mode;
    if (mode !== "offline") client?.retry();
  });
byId("wire-damage").addEventListener("click", () => {
  wire.damage();
  // So that something arrives even when nothing changes.
  void client?.search("a").catch(() => {});
});
for (const name of ["programme", "types"]) byId(`edit-${name}`).addEventListener("click", () => edit(name));
byId("pause").addEventListener("click", ({ currentTarget }) => {
  timeline.isPaused = !timeline.isPaused;
  /** @type {HTMLElement} */ (currentTarget).setAttribute("aria-pressed", `${timeline.isPaused}`);
});
byId("screen").addEventListener("change", (event) => open(/** @type {HTMLSelectElement} */ (event.target).value));
byId("phone").addEventListener("toggle", () => void drawPhone());
byId("credentials-form").addEventListener("submit", (event) => {
  event.preventDefault();
  credentials.token = /** @type {HTMLInputElement} */ (byId("token")).value.trim();
  credentials.user = /** @type {HTMLInputElement} */ (byId("user")).value.trim();
  /** @type {HTMLDetailsElement} */ (byId("credentials")).open = false;
  connect();
});
/** @type {HTMLInputElement} */ (byId("user")).value = credentials.user;
// The address names the screen that is shown, so it can't name a place on the page.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("stage").focus();
});
addEventListener("hashchange", () => {
  show();
  void drawPhone();
});
connect();

"""###,
"window/phone.js": ###"""
// Helps a phone on the same network to open the screen.

import { make } from "./dom.js";
import { codeOf } from "./qr.js";

/** Modules around a code that are light. */
const QUIET_ZONE = 4;
const SVG = "http://www.w3.org/2000/svg";

/** Whether a host name always means the computer that uses it.
 * @param {string} host */
const isLoopback = (host) =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/.test(host);

/** A code as a picture.
 * @param {boolean[][]} code @param {string} words */
function pictureOf(code, words) {
  const size = code.length + 2 * QUIET_ZONE;
  const picture = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  const attributes = {
    viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": words, class: "code-picture",
    "shape-rendering": "crispEdges",
  };
  for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, value);
  path.setAttribute("d", code.flatMap((row, y) => row.flatMap((isDark, x) =>
    (isDark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : []))).join(""));
  picture.append(path);
  return picture;
}

/** @param {string} text */
const code = (text) => make("code", {}, text);
/** @param {...(string | Node)} words */
const note = (...words) => make("p", { class: "note" }, ...words);

/** What a phone needs: a code of the page's address, or how to give it one that a phone can reach.
 * @param {string} address @returns {Node[]} */
export function phoneHelp(address) {
  const { hostname, port, protocol } = new URL(address);
  if (isLoopback(hostname))
    return [
      note("A phone can’t reach ", code(hostname), ", which always means the device itself. Let the server listen on ",
        "the network:"),
      make("pre", { tabindex: "0", "aria-label": "Options of the server" },
        `--web 0.0.0.0:${port || (protocol === "https:" ? 443 : 80)}\n--tls-cert FILE --tls-key FILE\n--tokens FILE`),
      note("instead of ", code("--open"), ", which is for this computer alone. On a network that you trust, ",
        code("--allow-unencrypted"), " needs no certificate. Then open this window by the computer’s address on the ",
        "network, and there is a code here."),
    ];
  const picture = codeOf(address);
  return [
    ...picture ? [pictureOf(picture, `QR code of ${address}`)] : [note("This address is too long for a code.")],
    make("a", { href: address }, address),
    note("For a phone on the same network. The code has no token: where the server wants one, enter it there under ",
      make("b", {}, "Who I am"), "."),
  ];
}

"""###,
"window/player.js": ###"""
// Plays a recording, in the file that holds it: the device, with play, a slider over time, and a speed.

import "../js/screen.js";
import { byId, counted, make } from "./dom.js";
import { momentsOf, valueOf } from "./recording.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */
/** @typedef {import("./recording.js").Moment} Moment */
/** @typedef {import("./recording.js").Recording} Recording */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** Marks of changes beside the slider; of more changes, only some are marked. */
const MARKS = 300;
/** Milliseconds of the slider's steps. */
const STEP = 100;
/** The smallest scale of the device, and the points around it. */
const SMALLEST = 0.4;
const AROUND = 24;

const STYLE = `
:root { color-scheme: light dark; --ground: #f5f6f9; --surface: #fff; --line: #dfe2ea; --text: #15171c; --soft: #5a6170;
  --accent: #5624d0; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0c0d11; --surface: #14161b; --line: #2a2e38; --text: #f1f2f5; --soft: #a1a7b4; --accent: #b59cff;
    --on-accent: #160a38; }
}
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; height: 100dvh; display: flex; flex-direction: column; background: var(--ground);
  color: var(--text); font: 14px/20px Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1, p { margin: 0; font: inherit; overflow-wrap: anywhere; }
header { padding: 12px 20px; text-align: center; }
h1 { font-weight: 650; font-size: 15px; }
p { color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
main { flex: 1; min-height: 200px; display: grid; justify-content: safe center; align-content: start; overflow: auto; padding: 4px 12px 16px; }
.glass { overflow: hidden; border-radius: 20px; box-shadow: 0 0 0 1px var(--line), 0 10px 30px #0003; }
.glass.light { background: #fff; } .glass.dark { background: #0e0f13; }
.glass marquee-screen { transform-origin: 0 0; }
footer p { text-align: center; margin-top: 6px; }
footer { padding: 10px 20px 14px; background: var(--surface); border-top: 1px solid var(--line); }
.time { position: relative; max-width: 760px; margin: auto; }
input { width: 100%; margin: 0; height: 24px; accent-color: var(--accent); }
.marks { position: relative; height: 6px; margin: 0 8px 8px; }
.marks span { position: absolute; width: 2px; height: 6px; margin-left: -1px; border-radius: 1px; background: var(--accent); opacity: .6; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; justify-content: center; max-width: 760px; margin: auto; }
button, select { font: inherit; font-weight: 550; color: inherit; min-height: 36px; padding: 6px 14px; border: 1px solid var(--line);
  border-radius: 8px; background: var(--surface); cursor: pointer; }
#play { min-width: 84px; background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
label { display: flex; gap: 6px; align-items: center; color: var(--soft); font-size: 13px; }
output { min-width: 96px; text-align: center; font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** @type {Recording} */
const recording = valueOf(byId("recording").textContent ?? "");
const moments = momentsOf(recording);
const { device } = recording;
/** In whole steps, as the slider has nothing between them. */
const duration = Math.ceil(recording.duration / STEP) * STEP;

/** Yields what is shown at the player's time.
 * @type {import("../js/screen-types.js").ScreenSource} */
const source = {
  async *screen(name, { signal }) {
    /** @type {Moment | null} */
    let yielded = null;
    signal.addEventListener("abort", wake);
    while (!signal.aborted) {
      if (shown !== yielded && shown.screen === name) {
        yielded = shown;
        yield { screen: shown.state };
      } else await new Promise((resolve) => wakers.add(resolve));
    }
  },
};
/** @type {Set<(value?: unknown) => void>} */
const wakers = new Set();
function wake() {
  for (const waker of wakers) waker();
  wakers.clear();
}

let shown = moments[0];
/** The position in milliseconds, and the speed at which it moves. */
let time = 0;
let speed = 1;
/** When `time` was set last; `null` while it is paused.
 * @type {number | null} */
let playing = null;

const element = /** @type {ScreenElement} */ (document.createElement("marquee-screen"));
const glass = make("div", { class: `glass ${device.theme === "dark" ? "dark" : "light"}` }, element);
const stage = make("main", { "aria-label": "Screen" }, glass);
/** @type {HTMLInputElement} */
const slider = make("input", {
  type: "range", id: "time", min: 0, max: duration, step: STEP, "aria-label": "Time",
  oninput: () => seek(Number(slider.value)),
});
const marks = make("div", { class: "marks", "aria-hidden": "true" });
const output = make("output", { for: "time" });
const change = make("p", { id: "change" });
const play = make("button", { type: "button", id: "play", onclick: toggle }, "Play");
const rate = make("select", { id: "speed", onchange: () => { speed = Number(rate.value); } },
  ...SPEEDS.map((value) => make("option", { value, selected: value === 1 }, `${value} ×`)));

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** The last state at a time.
 * @param {number} at */
function indexAt(at) {
  let index = 0;
  while (index + 1 < moments.length && moments[index + 1].at <= at) index += 1;
  return index;
}

/** @param {number} to In milliseconds. */
function seek(to) {
  time = Math.max(0, Math.min(duration, to));
  const index = indexAt(time);
  if (moments[index] !== shown) {
    shown = moments[index];
    element.screen = shown.screen;
    wake();
  }
  slider.value = `${time}`;
  slider.setAttribute("aria-valuetext", `${clockText(time)} of ${clockText(duration)}`);
  output.textContent = `${clockText(time)} / ${clockText(duration)}`;
  change.textContent = index ? `Change ${index} of ${moments.length - 1}` : `The beginning; ${counted(moments.length - 1, "change")}`;
}

function toggle() {
  playing = playing === null ? performance.now() : null;
  play.textContent = playing === null ? "Play" : "Pause";
  if (playing === null) return;
  if (time >= duration) seek(0);
  requestAnimationFrame(advance);
}

/** @param {number} now */
function advance(now) {
  if (playing === null) return;
  seek(time + Math.max(0, now - playing) * speed);
  playing = now;
  if (time >= duration) toggle();
  else requestAnimationFrame(advance);
}

/** @param {number} step */
function leap(step) {
  const index = indexAt(time);
  seek(moments[Math.max(0, Math.min(moments.length - 1, index + step))].at);
}

function fit() {
  const scale = Math.max(SMALLEST, Math.min(1, (stage.clientWidth - AROUND) / device.width,
    (stage.clientHeight - AROUND) / device.height));
  element.style.setProperty("transform", `scale(${scale})`);
  glass.style.setProperty("width", `${device.width * scale}px`);
  glass.style.setProperty("height", `${device.height * scale}px`);
}

function begin() {
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  document.adoptedStyleSheets = [style];
  const title = `${shown.screen}, ${new Date(recording.began).toLocaleString()}`;
  document.title = `${title} · Marquee`;
  element.locale = device.locale;
  element.theme = device.theme;
  if (device.direction === "rtl") element.setAttribute("dir", "rtl");
  element.style.setProperty("display", "block");
  element.style.setProperty("inline-size", `${device.width}px`);
  element.style.setProperty("--marquee-height", `${device.height}px`);
  for (let index = 1, each = Math.ceil(moments.length / MARKS); index < moments.length; index += each) {
    const mark = make("span");
    mark.style.setProperty("left", `${(moments[index].at / Math.max(1, duration)) * 100}%`);
    marks.append(mark);
  }
  document.body.append(
    make("header", {}, make("h1", {}, title), make("p", {}, device.words)),
    stage,
    make("footer", {},
      make("div", { class: "time" }, slider, marks),
      make("div", { class: "buttons", role: "group", "aria-label": "Recording" },
        make("button", { type: "button", id: "previous", onclick: () => leap(-1) }, "Previous change"), play,
        make("button", { type: "button", id: "next", onclick: () => leap(1) }, "Next change"),
        output, make("label", {}, "Speed ", rate)),
      change));
  seek(0);
  element.client = source;
  element.screen = shown.screen;
  fit();
  addEventListener("resize", fit);
}

begin();

"""###,
"window/presets.js": ###"""
// Items of Marquee's preset kinds as cards, which any viewer can draw: movies, charts, credits, banners, courses.

import { sectionKinds } from "../js/layout.js";
import { decodeBody } from "../js/src/protobuf.js";
import { declare } from "../js/src/schema.js";

/** @typedef {import("../js/src/content.js").Item} Item */
/** @typedef {import("../js/src/screen.js").Screen} Screen */
/** @typedef {import("../js/screen-types.js").Card} Card */
/** @typedef {import("../js/screen-types.js").ScreenItem} ScreenItem */

// The messages of presets.proto, in the form of schema.js.
declare(`
Certification country code label colorClass
MovieBody id:n title originalTitle releaseDate runtime:u genres* voteAverage:d voteCount:u popularity:d poster:image
  backdrop:image certification:Certification overview revenue:n
GenreBody id:n name image movies:u
CreditBody person:n name character job portrait:image
BannerBody title caption description image link actions*
TextBody text highlighted action:actions
CourseBody title author rating:d reviews:u price:s tag image currency
CategoriesBody titles*
DetailBody id:n title originalTitle releaseDate countries* genres* runtime:u tagline overview infoLine
  certification:Certification directors* voteAverage:d voteCount:u poster:image backdrop:image revenue:n
ChartEntryBody title movie:n releaseDate gross:n grossToDate:n theaters:u daysInRelease:u distributor poster:image
  voteAverage:d currency audience:n audienceToDate:n share:d hours:n views:n weeks:u rank:u previousRank:u isNew:o
PlaceBody title distance image`);

/** Roles of badges by the colours of signs at a cinema.
 * @type {Record<string, string>} */
const signs = { everyone: "good", teen: "warning", adult: "bad" };

/** @param {any} certification */
const badgesOf = (certification) =>
  certification?.code ? [{ text: certification.code, role: signs[certification.colorClass] ?? "neutral" }] : [];

/** @param {number | undefined} value @param {number | undefined} count @param {number} scale */
const ratingOf = (value, count, scale) => (value ? { value, count, scale } : undefined);

/** @param {(string | undefined | false)[]} facts */
const joined = (...facts) => facts.filter(Boolean).join(" · ");

/** @param {string | undefined} date */
const yearOf = (date) => date?.slice(0, 4);

/** @param {any} amount @param {string | undefined} currency */
function moneyOf(amount, currency = "USD") {
  try {
    return new Intl.NumberFormat([], { style: "currency", currency, notation: "compact" }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}

/** @type {Record<number, [string, (body: any, kind: string) => Card]>} */
const makers = {
  1: ["MovieBody", (movie, kind) => {
    const isHero = kind === "main" || kind === "hero", isRow = kind === "list";
    return {
      title: movie.title, rating: ratingOf(movie.voteAverage, movie.voteCount, 10),
      badges: isHero ? [] : badgesOf(movie.certification),
      subtitle: isHero ? joined(...(movie.genres ?? []).slice(0, 3))
        : joined(yearOf(movie.releaseDate), isRow && (movie.genres ?? []).slice(0, 2).join(", ")),
      image: (isRow ? movie.backdrop : movie.poster) ?? movie.poster ?? movie.backdrop,
      ...(isHero && movie.overview ? { text: movie.overview } : {}),
    };
  }],
  2: ["GenreBody", ({ name, movies, image }) => ({ title: name, image, subtitle: movies ? `${movies}` : undefined })],
  3: ["CreditBody", ({ name, character, job, portrait }) => ({ title: name, subtitle: character ?? job, image: portrait })],
  4: ["BannerBody", ({ title, caption, description, image, link, actions }) =>
    ({ title: title ?? caption ?? link, subtitle: title ? caption : undefined, caption: description, image, actions })],
  5: ["TextBody", ({ text, action }) => ({ title: text, actions: action ? [action] : [] })],
  6: ["CourseBody", ({ title, author, rating, reviews, price, tag, image, currency }) => ({
    title, subtitle: author, rating: ratingOf(rating, reviews, 5), badges: tag ? [{ text: tag, role: "highlight" }] : [],
    price: price ? { amount: price, currency } : undefined, image,
  })],
  7: ["CategoriesBody", ({ titles = [] }) => ({ title: titles.join(" · ") })],
  8: ["DetailBody", (detail) => ({
    title: detail.title, subtitle: detail.originalTitle === detail.title ? undefined : detail.originalTitle,
    caption: detail.infoLine, badges: badgesOf(detail.certification), overline: detail.tagline, text: detail.overview,
    rating: ratingOf(detail.voteAverage, detail.voteCount, 10), image: detail.poster ?? detail.backdrop,
    facts: detail.directors?.length ? [{ label: "Director", value: detail.directors.join(", ") }] : [],
  })],
  10: ["ChartEntryBody", (entry) => ({
    title: entry.title, image: entry.poster, rating: ratingOf(entry.voteAverage, undefined, 10),
    subtitle: joined(entry.audience && `${entry.audience}`, entry.gross && moneyOf(entry.gross, entry.currency),
      entry.share && `${entry.share} %`, entry.views && `${entry.views} views`),
    caption: entry.grossToDate ? `${moneyOf(entry.grossToDate, entry.currency)} in all` : undefined,
    rank: { place: entry.rank, previous: entry.previousRank, isNew: entry.isNew },
  })],
  11: ["PlaceBody", ({ title, distance, image }) => ({ title, subtitle: distance, image })],
};

/** Items that were made, as long as those that they were made of are kept.
 * @type {WeakMap<Item, Map<string, ScreenItem>>} */
const made = new WeakMap();

/** @param {Item} item @param {string} kind Of its section. @returns {ScreenItem} */
function cardItem(item, kind) {
  const maker = makers[item.kind];
  if (!maker) return item;
  const known = made.get(item)?.get(kind);
  if (known) return known;
  const body = decodeBody(maker[0], item.body);
  const one = { id: item.id, subject: item.subject, card: body ? maker[1](body, kind) : undefined };
  made.set(item, (made.get(item) ?? new Map()).set(kind, one));
  return one;
}

/** Lists that were made, which stay the same as long as those that they were made of do.
 * @type {WeakMap<readonly Item[], Map<string, readonly ScreenItem[]>>} */
const lists = new WeakMap();

/** A screen whose items are cards.
 * @param {Screen} screen */
export function cardScreen(screen) {
  const sections = screen.sections.map(({ id, head, title, items, error }) => {
    const kind = sectionKinds[head.kind ?? 0] ?? "";
    const known = lists.get(items)?.get(kind);
    const shown = known ?? items.map((item) => cardItem(item, kind));
    if (!known) lists.set(items, (lists.get(items) ?? new Map()).set(kind, shown));
    return { id, head, title, items: shown, error };
  });
  const { name, locale, title, live, revision } = screen;
  return { name, locale, title, live, revision, sections };
}

/** A client whose screens have cards only.
 * @param {import("../js/src/client.js").MarqueeClient} client */
export function asCards(client) {
  return {
    /** @param {string} name @param {Parameters<typeof client.screen>[1]} options */
    async *screen(name, options) {
      for await (const { screen, changes } of client.screen(name, options)) yield { screen: cardScreen(screen), changes };
    },
    collection: (/** @type {string} */ name) => client.collection(name),
    setOptions: (/** @type {string} */ name, /** @type {any} */ options) => client.setOptions(name, options),
  };
}

/** @typedef {ReturnType<typeof cardScreen>} CardScreen */

/** The screen that an item leads to.
 * @param {ScreenItem} item @param {ReadonlySet<string>} families Of the screens that there are. */
export function targetOf({ subject, card }, families) {
  const own = card?.actions?.find(({ id, target }) => target && (id === "open" || !id))?.target;
  const [type, id] = subject?.split("/") ?? [];
  return own ?? (type === "movie" && families.has("detail") ? `detail/${id}` : undefined);
}

"""###,
"window/preview-call.js": ###"""
// A screen as another reader would see it, at another moment or with a draft: the protocol's call 3 and its answer.

import { NONE } from "../js/src/bytes.js";
import { Content, Item } from "../js/src/content.js";
import { MarqueeError } from "../js/src/errors.js";
import { declare } from "../js/src/schema.js";
import { Screen } from "../js/src/screen.js";
import { OWN } from "../js/src/view.js";

/** @typedef {import("../js/src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("../js/src/messages.js").Cut} Cut */
/** @typedef {import("./preview-request.js").Wanted} Wanted */

/** Methods of calls. */
const HEALTH = 1, GET_SCREEN = 3;

// GetScreenRequest, Content, GetScreenAnswer and HealthAnswer of marquee.proto, in the form of schema.js.
declare(`
PreviewRequest screen locale sections* 40 reader* at:n draft
PreviewContent id head:b items* sum:x! 40 audiences*
PreviewAnswer screen! locale! cut! view:PreviewContent! sections:PreviewContent* 40 preview:o draft
PositionRequest
PositionAnswer 2 cut`);

/**
 * @typedef {object} Options What is shown of a screen.
 * @property {string} screen
 * @property {string} locale
 * @property {Record<string, string>} sorts
 * @property {Record<string, number>} windows
 */

/**
 * @typedef {object} Previewed
 * @property {Screen} screen
 * @property {ReadonlyMap<string, Content>} contents
 * @property {Cut} cut
 * @property {number} revision A revision of the catalogue that it surely includes. With a draft it may include the
 *   next one.
 * @property {{title: string, audiences: string[]}[]} sections Those with values by audience.
 */

/** A content of the answer; the known one if it is the same, so that its items stay the same values.
 * @param {any} message @param {Content | undefined} known */
function contentOf({ head = NONE, items = [], sum }, known) {
  if (known && known.sum === sum) return known;
  const content = new Content(head, items.map((/** @type {any} */ item) => new Item(item)));
  if (content.sum !== sum) throw new MarqueeError("SUM_MISMATCH");
  return content;
}

/**
 * Turns an answer into a screen, and verifies it.
 * @param {any} answer @param {Wanted} wanted @param {Previewed | null} known The answer before, to the same request.
 * @returns {Previewed}
 * @throws {MarqueeError} `UPDATE_NEEDED` if the server doesn't know previews, and shows something else
 */
export function previewedOf({ screen, locale, cut, view, sections = [], preview = false, draft }, wanted, known) {
  if (!preview || (draft ?? null) !== wanted.draft)
    throw new MarqueeError("UPDATE_NEEDED", undefined, { message: "this server is too old for previews" });
  /** @type {[string, any][]} */
  const all = [[OWN, view], ...sections.map((/** @type {any} */ section) => [section.id ?? "", section])];
  const contents = new Map(all.map(([id, message]) => [id, contentOf(message, known?.contents.get(id))]));
  const shown = new Screen({
    screen, served: locale, contents, cut, live: true, asOf: Date.now(), errors: new Map(),
    error: undefined,
  }, []);
  const named = sections.filter((/** @type {any} */ { audiences }) => audiences?.length);
  return {
    screen: shown, contents, cut, revision: Number(cut.catalogueRevision ?? 0) - (wanted.draft ? 1 : 0),
    sections: named.map((/** @type {any} */ { id, audiences }) => ({ title: shown.section(id)?.title || id, audiences })),
  };
}

/** Whether an answer is of an earlier state than one that is known, such as another node's.
 * @param {Previewed} answer @param {Previewed | null} known */
export function isOlder({ cut }, known) {
  return known !== null && cut.catalogueEpoch === known.cut.catalogueEpoch
    && Number(cut.catalogueRevision ?? 0) < known.revision;
}

/**
 * Asks for a preview.
 * @param {MarqueeClient} client @param {Wanted} wanted @param {Options} options @param {Previewed | null} known
 * @param {AbortSignal} signal
 * @throws {MarqueeError}
 */
export async function askPreview(client, { reader, at, draft }, { screen, locale, sorts, windows }, known, signal) {
  const sections = Object.keys({ ...sorts, ...windows })
    .map((section) => ({ section, sort: sorts[section], window: windows[section] }));
  const request = {
    screen, locale, sections, reader, draft: draft ?? undefined,
    // Moments before 1970 are negative.
    at: at === null ? undefined : BigInt.asUintN(64, BigInt(at)),
  };
  const answer = await client.call(GET_SCREEN, "PreviewRequest", request, "PreviewAnswer", { signal });
  return previewedOf(answer, { reader, at, draft }, known);
}

/** The revision of the catalogue at the server.
 * @param {MarqueeClient} client @param {AbortSignal} signal @returns {Promise<number>} */
export async function askRevision(client, signal) {
  const { cut = {} } = await client.call(HEALTH, "PositionRequest", {}, "PositionAnswer", { signal });
  return Number(cut.catalogueRevision ?? 0);
}

"""###,
"window/preview-form.js": ###"""
// The form of a preview: a reader, a moment, and a draft if the token may see any.

import { byId, counted, make } from "./dom.js";
import { fieldText, momentOf, readerOf } from "./preview-request.js";

/** @typedef {import("./preview-request.js").Wanted} Wanted */
/** @typedef {{draft: string, changes: number, at?: string}} Draft A draft, as the list of drafts has it. */

const DAY = 86_400_000, MINUTE = 60_000;

export class PreviewForm {
  #root = byId("preview");
  #button = byId("preview-open");
  #note = byId("preview-note");
  #reader = /** @type {HTMLInputElement} */ (byId("preview-reader"));
  #when = /** @type {HTMLFieldSetElement} */ (byId("preview-when"));
  #now = /** @type {HTMLInputElement} */ (byId("preview-now"));
  #moment = /** @type {HTMLInputElement} */ (byId("preview-moment"));
  #draft = /** @type {HTMLSelectElement} */ (byId("preview-draft"));
  #show = /** @type {HTMLButtonElement} */ (byId("preview-show"));
  #mayImagine = true;

  /** @param {() => void} opened @param {(wanted: Wanted) => void} wanted Called with what a person wants to see. */
  constructor(opened, wanted) {
    byId("preview-zone").textContent = `Moment (${new Intl.DateTimeFormat().resolvedOptions().timeZone})`;
    this.#button.addEventListener("click", () => {
      this.#open(!this.isOpen);
      if (this.isOpen) opened();
    });
    for (const id of ["preview-now", "preview-then"]) byId(id).addEventListener("change", () => this.#drawMoment());
    this.#root.addEventListener("submit", (event) => {
      event.preventDefault();
      const read = this.#read();
      this.#note.textContent = typeof read === "string" ? read : this.#scopes;
      if (typeof read !== "string") wanted(read);
    });
    this.#root.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape") return;
      this.#open(false);
      this.focus();
    });
  }

  get isOpen() { return !this.#root.hidden; }

  /** Focuses the button that opens it. */
  focus() {
    this.#button.focus();
  }

  /** Shows at the button whether there is a preview.
   * @param {boolean} isShown */
  set isShown(isShown) {
    this.#button.classList.toggle("on", isShown);
  }

  /** Whether the token may see other readers and moments.
   * @param {boolean} may */
  allow(may) {
    this.#mayImagine = may;
    this.#draw();
  }

  /** Offers drafts. A chosen one stays, even if it is gone.
   * @param {readonly Draft[]} drafts */
  offer(drafts) {
    const names = drafts.map(({ draft, changes, at }) =>
      [draft, `${draft} · ${counted(changes, "change")}${at ? `, at ${new Date(at).toLocaleString()}` : ""}`]);
    const chosen = this.#draft.value;
    if (chosen && !names.some(([name]) => name === chosen)) names.push([chosen, `${chosen} · gone`]);
    this.#draft.replaceChildren(...[["", "None"], ...names].map(([value, words]) => make("option", { value }, words)));
    this.#draft.value = chosen;
    byId("preview-drafts").hidden = !names.length;
    this.#draw();
  }

  /** Chooses no draft. */
  forgetDraft() {
    this.#draft.value = "";
  }

  /** The scopes that are missing, in words. */
  get #scopes() {
    return this.#mayImagine ? ""
      : "Other readers and moments need a token with the scope 'publish :programme'; a draft needs 'draft NAME'.";
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.#root.hidden = !isOpen;
    this.#button.setAttribute("aria-expanded", `${isOpen}`);
    if (isOpen) this.#reader.focus();
  }

  #draw() {
    this.#reader.disabled = this.#when.disabled = !this.#mayImagine;
    this.#show.disabled = !this.#mayImagine && byId("preview-drafts").hidden;
    this.#note.textContent = this.#scopes;
  }

  #drawMoment() {
    this.#moment.hidden = this.#now.checked;
    if (this.#moment.hidden || this.#moment.value) return;
    this.#moment.value = fieldText(Math.floor((Date.now() + DAY) / MINUTE) * MINUTE);
  }

  /** @returns {Wanted | string} A string says why nothing can be shown. */
  #read() {
    const [reader, draft] = [this.#mayImagine ? readerOf(this.#reader.value) : [], this.#draft.value || null];
    const isNow = this.#now.checked || !this.#mayImagine;
    const at = isNow ? null : momentOf(this.#moment.value);
    if (!isNow && at === null) return "The moment needs a date and a time.";
    return reader.length || !isNow || draft ? { reader, at, draft } : "Name a reader, another moment or a draft.";
  }
}

"""###,
"window/preview-questions.js": ###"""
// Decides which question about a preview is asked next, and when: one at a time, and each at most once a second.

/** Milliseconds between two times that the same question is asked, on the page. */
export const PAUSE = 1000;

export class Questions {
  /** When each question was asked last, and whether it is to be asked again.
   * @type {Map<string, {asked: number, isDue: boolean}>} */
  #known = new Map();
  #isOpen = false;

  /** @param {number} pause Milliseconds between two times that the same question is asked. */
  constructor(pause = PAUSE) {
    this.pause = pause;
  }

  /** @param {string} key */
  want(key) {
    const known = this.#known.get(key);
    if (known) known.isDue = true;
    else this.#known.set(key, { asked: -Infinity, isDue: true });
  }

  /** @param {string} key */
  forget(key) {
    this.#known.delete(key);
  }

  /** The question that has waited longest, and the milliseconds until it may be asked; `null` for none.
   * @param {number} now @returns {{key: string, pause: number} | null} */
  next(now) {
    if (this.#isOpen) return null;
    const due = [...this.#known].filter(([, { isDue }]) => isDue).sort(([, a], [, b]) => (a.asked < b.asked ? -1 : 1));
    if (!due.length) return null;
    const [[key, { asked }]] = due;
    return { key, pause: Math.max(0, asked + this.pause - now) };
  }

  /** @param {string} key @param {number} now */
  begin(key, now) {
    this.#isOpen = true;
    this.#known.set(key, { asked: now, isDue: false });
  }

  end() {
    this.#isOpen = false;
  }
}

/** What a preview depends on: a revision of the catalogue, and a draft as the list of drafts has it.
 * @typedef {{revision: number, draft: string}} Mark */

/** The revision that a preview has to include now; `null` if nothing is new, infinite if it is to be asked for again in
 * any case.
 * @param {Mark | null} before `null` if it isn't known. @param {Mark} now */
export function newsBetween(before, now) {
  if (!before || before.draft !== now.draft || now.revision < before.revision) return Infinity;
  return now.revision > before.revision ? now.revision : null;
}

"""###,
"window/preview-request.js": ###"""
// The request for a preview, as people write it and as they read it: a reader, a moment, a draft.

import { counted } from "./dom.js";

/**
 * @typedef {object} Wanted
 * @property {string[]} reader Claims and audiences, such as `plan=free`; none for the page's own reader.
 * @property {number | null} at In milliseconds since 1970; `null` for now.
 * @property {string | null} draft
 */

/** Sections of an audience that are named; the rest is counted. */
const SECTIONS = 4;

/** The claims and audiences of a text such as `plan=free, audience=korea`. The server says what is wrong with one.
 * @param {string} text */
export const readerOf = (text) => (text.trim() ? text.split(",").map((one) => one.trim()) : []);

/** The moment of a field for date and time, which are in the browser's zone; `null` if there is none.
 * @param {string} text Such as `2026-12-24T20:00`. */
export function momentOf(text) {
  const time = new Date(text).getTime();
  return Number.isFinite(time) ? time : null;
}

/** A moment as the text of such a field, to the minute.
 * @param {number} moment */
export function fieldText(moment) {
  const date = new Date(moment);
  const two = (/** @type {number} */ number) => `${number}`.padStart(2, "0");
  const day = [`${date.getFullYear()}`.padStart(4, "0"), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** @param {number} moment */
const momentText = (moment) => new Date(moment).toLocaleString([], {
  weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit",
  timeZoneName: "short",
});

/** A request in words.
 * @param {Wanted} wanted */
export function wordsOf({ reader, at, draft }) {
  const parts = [
    ...(reader.length ? [`as ${reader.join(", ")}`] : []), at === null ? "now" : `on ${momentText(at)}`,
    ...(draft ? [`with the draft ${draft}`] : []),
  ];
  return parts.join(" · ");
}

/** Whose values sections show, in words; empty if no section has values by audience.
 * @param {readonly {title: string, audiences: readonly string[]}[]} sections An empty audience is everybody else. */
export function audiencesText(sections) {
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const { title, audiences } of sections)
    for (const one of new Set(audiences)) titles.set(one, [...(titles.get(one) ?? []), title]);
  const parts = [...titles].map(([audience, all]) => {
    const rest = all.length - SECTIONS;
    const named = all.slice(0, SECTIONS).join(", ") + (rest > 0 ? ` and ${counted(rest, "more section")}` : "");
    return `${named} for ${audience || "everybody else"}`;
  });
  return parts.length ? `By audience: ${parts.join("; ")}.` : "";
}

"""###,
"window/preview-source.js": ###"""
// A client whose screens are previews: it asks again whenever something may have changed.

import { changesBetween } from "../js/src/changes.js";
import { RETRY } from "../js/src/errors.js";
import { isOlder } from "./preview-call.js";
import { Questions } from "./preview-questions.js";
import { cardScreen } from "./presets.js";

/** @typedef {import("./preview-call.js").Options} Options */
/** @typedef {import("./preview-call.js").Previewed} Previewed */
/** @typedef {import("../js/screen-types.js").ScreenOptions} ScreenOptions */

/** A question, its last answer, and why there is no newer one. `wakers` are the loops that wait for an answer.
 * @typedef {{options: Options, answer: Previewed | null, error: any, loops: number, wakers: Set<() => void>}} Feed */
/** The state of all questions together: the first answer, and whether there is one to each.
 * @typedef {{answer: Previewed | null, isAnswered: boolean, error: any}} Standing */

/** Waits until a feed has something new, or its loop ends.
 * @param {Feed} feed @returns {Promise<void>} */
async function woken({ wakers }) {
  /** @type {() => void} */
  let waker = () => {};
  await new Promise((resolve) => wakers.add((waker = () => resolve(null))));
  wakers.delete(waker);
}

export class PreviewSource {
  /** @type {Map<string, Feed>} */ #feeds = new Map();
  #questions;
  #closing = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {(options: Options, known: Previewed | null, signal: AbortSignal) => Promise<Previewed>} ask
   * @param {() => void} told Called after each answer and each refusal.
   * @param {Questions} questions
   */
  constructor(ask, told, questions = new Questions()) {
    this.ask = ask;
    this.told = told;
    this.#questions = questions;
  }

  /** @returns {Standing} */
  get standing() {
    const feeds = [...this.#feeds.values()];
    return {
      answer: feeds.find(({ answer }) => answer)?.answer ?? null, isAnswered: feeds.length > 0 && feeds.every(({ answer }) => answer),
      error: feeds.find(({ error }) => error)?.error ?? null,
    };
  }

  /** Yields the answers to a question. It never throws: the last answer stays.
   * @param {string} name @param {ScreenOptions} options
   * @returns {AsyncGenerator<import("../js/screen-types.js").ScreenUpdate, void, void>} */
  async *screen(name, { locale = "", sorts = {}, windows = {}, signal }) {
    const options = { screen: name, locale, sorts: { ...sorts }, windows: { ...windows } };
    const key = JSON.stringify(options);
    const feed = this.#join(key, options);
    /** @type {Previewed | null} */
    let shown = null;
    const wake = () => [...feed.wakers].forEach((one) => one());
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted && !this.#closing.signal.aborted) {
        const { answer } = feed;
        if (!answer || answer === shown) {
          await woken(feed);
          continue;
        }
        const changes = shown && changesBetween(shown.screen, answer.screen);
        shown = answer;
        if (!changes || changes.length) yield { screen: cardScreen(answer.screen), changes };
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#leave(key, feed);
    }
  }

  /** Asks again, unless the answers include a revision of the catalogue.
   * @param {number} [revision] */
  changed(revision = Infinity) {
    for (const [key, { answer, error }] of this.#feeds)
      if (!answer || error || answer.revision < revision) this.#questions.want(key);
    this.#advance();
  }

  close() {
    this.#closing.abort();
    clearTimeout(this.#timer);
    for (const { wakers } of this.#feeds.values()) for (const waker of wakers) waker();
  }

  /** @param {string} key @param {Options} options @returns {Feed} */
  #join(key, options) {
    const feed = this.#feeds.get(key) ?? { options, answer: null, error: null, loops: 0, wakers: new Set() };
    feed.loops += 1;
    if (feed.loops > 1) return feed;
    this.#feeds.set(key, feed);
    this.#questions.want(key);
    this.#advance();
    return feed;
  }

  /** @param {string} key @param {Feed} feed */
  #leave(key, feed) {
    feed.loops -= 1;
    if (feed.loops) return;
    this.#feeds.delete(key);
    this.#questions.forget(key);
    if (!this.#closing.signal.aborted) this.told();
  }

  #advance() {
    clearTimeout(this.#timer);
    const next = this.#questions.next(performance.now());
    if (!next || this.#closing.signal.aborted) return;
    if (next.pause) this.#timer = setTimeout(() => this.#advance(), next.pause);
    else void this.#put(next.key);
  }

  /** @param {string} key */
  async #put(key) {
    const feed = this.#feeds.get(key);
    if (!feed) return;
    const { signal } = this.#closing;
    this.#questions.begin(key, performance.now());
    try {
      const answer = await this.ask(feed.options, feed.answer, signal);
      if (!isOlder(answer, feed.answer)) feed.answer = answer;
      feed.error = null;
    } catch (error) {
      feed.error = error;
      if (/** @type {any} */ (error)?.remedy === RETRY && this.#feeds.has(key)) this.#questions.want(key);
    }
    this.#questions.end();
    if (signal.aborted) return;
    for (const waker of feed.wakers) waker();
    this.told();
    this.#advance();
  }
}

"""###,
"window/preview.js": ###"""
// A screen as another reader would see it, at another moment or with a draft, on all devices instead of the live one.

import { Refusal } from "./api.js";
import { sentences } from "./changes.js";
import { byId } from "./dom.js";
import { askPreview, askRevision } from "./preview-call.js";
import { PreviewForm } from "./preview-form.js";
import { newsBetween } from "./preview-questions.js";
import { audiencesText, wordsOf } from "./preview-request.js";
import { PreviewSource } from "./preview-source.js";

/** @typedef {import("../js/src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./preview-request.js").Wanted} Wanted */
/** @typedef {import("./preview-form.js").Draft} Draft */
/**
 * @typedef {object} Page
 * @property {() => void} changed Called when the devices have to show something else.
 * @property {(mark: import("./stage.js").Mark | null) => void} mark
 * @property {(words: string[], changes: readonly any[]) => void} moved Called with what changed in the preview.
 */

/** Milliseconds between two looks at the draft and the catalogue. */
const PAUSE = 2000;

export class Preview {
  /** @type {{client: MarqueeClient, signal: AbortSignal} | null} */ #session = null;
  #isConnected = true;
  /** @type {readonly Draft[]} */ #drafts = [];
  /** @type {Wanted | null} */ #wanted = null;
  /** @type {PreviewSource | null} */ #source = null;
  /** @type {import("./preview-questions.js").Mark | null} */ #mark = null;
  /** @type {AbortController | null} */ #watching = null;
  #watched = "";
  #form = new PreviewForm(() => {
    if (this.#session) void this.#look(this.#session.signal);
  }, (wanted) => this.#show(wanted));

  /** @param {import("./api.js").Api} api @param {Page} page */
  constructor(api, page) {
    this.api = api;
    this.page = page;
    byId("preview-end").addEventListener("click", () => {
      this.#show(null);
      this.#form.focus();
    });
  }

  /** The client of the preview; `null` while the devices are live. */
  get source() { return this.#source; }

  /** The preview in words; empty while the devices are live. */
  get words() { return this.#wanted ? `preview ${wordsOf(this.#wanted)}` : ""; }

  /** Goes on with another client.
   * @param {MarqueeClient} client @param {AbortSignal} signal */
  connect(client, signal) {
    this.#session = { client, signal };
    this.#drafts = [];
    if (!this.#wanted?.draft) this.#form.forgetDraft();
    this.#form.offer([]);
    this.#form.allow(true);
    this.#begin();
    void this.#follow(signal);
  }

  /** Whether the token may see other readers and moments.
   * @param {boolean} may */
  allow(may) {
    this.#form.allow(may);
  }

  /** Whether the page has its connection. When it comes back, everything is asked for again.
   * @param {boolean} isConnected */
  set isConnected(isConnected) {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    if (isConnected) this.#source?.changed();
    this.#draw();
  }

  /** A commit was made.
   * @param {number} revision */
  heard(revision) {
    this.#source?.changed(revision);
  }

  /** Follows a screen of the preview for its changes.
   * @param {string} name @param {string} locale */
  async watch(name, locale) {
    const source = this.#source;
    const watched = `${name}\n${locale}`;
    if (watched === this.#watched && this.#watching && !this.#watching.signal.aborted) return;
    this.#watching?.abort();
    if (!source) return;
    const { signal } = (this.#watching = new AbortController());
    this.#watched = watched;
    /** @type {any} */
    let before = null;
    for await (const { screen, changes } of source.screen(name, { locale, signal })) {
      if (before && changes?.length)
        this.page.moved(sentences(before, /** @type {any} */ (screen), /** @type {any} */ (changes)), changes);
      before = screen;
    }
  }

  /** @param {Wanted | null} wanted `null` for the live screen. */
  #show(wanted) {
    this.#wanted = wanted;
    this.#begin();
    this.page.changed();
  }

  /** Begins what is wanted. What devices show stays until it is there. */
  #begin() {
    this.#watching?.abort();
    this.#source?.close();
    this.#source = null;
    const [wanted, session] = [this.#wanted, this.#session];
    if (wanted && session) {
      this.#mark = { revision: 0, draft: this.#textOf(wanted) };
      this.#source = new PreviewSource(
        (options, known, signal) => askPreview(session.client, wanted, options, known, signal), () => this.#draw());
    }
    this.#draw();
  }

  #draw() {
    const [wanted, source] = [this.#wanted, this.#source];
    byId("previewed").hidden = !wanted;
    this.#form.isShown = wanted !== null;
    if (!wanted || !source) return this.page.mark(null);
    const { answer, isAnswered, error } = source.standing;
    setText("previewed-words", `Preview ${wordsOf(wanted)}`);
    setText("previewed-audiences", answer ? audiencesText(answer.sections) : "");
    const trouble = error ? reasonOf(error) : this.#isConnected ? "" : "There is no connection.";
    const shown = isAnswered ? "The devices show the last answer." : "The devices show what they did before.";
    setText("previewed-trouble", trouble && `${trouble} ${shown}`);
    byId("previewed").classList.toggle("refused", trouble !== "");
    const words = trouble ? (isAnswered ? "Preview, not current" : "Not the preview") : isAnswered ? "Preview" : "Asking";
    this.page.mark({ words, isOld: trouble !== "" || !isAnswered });
  }

  // ---------------------------------------------------------------- what it depends on

  /** A wanted draft as the list of drafts has it.
   * @param {Wanted} wanted */
  #textOf({ draft }) {
    return draft ? JSON.stringify(this.#drafts.find((one) => one.draft === draft) ?? null) : "";
  }

  /** Reads which drafts there are; those that the token may not see aren't among them.
   * @param {AbortSignal} signal */
  async #readDrafts(signal) {
    /** @type {Draft[]} */
    let drafts = [];
    try {
      ({ drafts } = await this.api.json("/v1/drafts", { signal }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    if (signal.aborted || JSON.stringify(drafts) === JSON.stringify(this.#drafts)) return;
    this.#drafts = drafts;
    this.#form.offer(drafts);
  }

  /** Looks every few seconds whether the draft or the catalogue has moved, as long as that matters.
   * @param {AbortSignal} signal */
  async #follow(signal) {
    while (!signal.aborted) {
      if (!document.hidden && (this.#source || this.#form.isOpen)) await this.#look(signal);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    try {
      await this.#readDrafts(signal);
      const [source, wanted, session] = [this.#source, this.#wanted, this.#session];
      if (!source || !wanted || !session) return;
      const mark = { revision: await askRevision(session.client, signal), draft: this.#textOf(wanted) };
      if (source !== this.#source) return;
      const news = newsBetween(this.#mark, mark);
      this.#mark = mark;
      if (news !== null) source.changed(news);
    } catch {
      // Once the server answers again, everything is asked for.
      this.#mark = null;
    }
  }
}

/** Sets a text only if it is another, so that it isn't read out again.
 * @param {string} id @param {string} text */
function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** @param {any} error */
function reasonOf({ code, message = "" }) {
  const words = message && message !== code ? message : `The server gives no answer (${code})`;
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.?!]$/.test(words) ? "" : ".");
}

"""###,
"window/qr.js": ###"""
// QR codes by ISO/IEC 18004: bytes, versions 1 to 10, error correction M, which survives the loss of 15 %.

/** Of each version: error-correcting bytes of a block, and how many blocks there are of how many data bytes (table 9). */
const VERSIONS = [
  { correction: 10, blocks: [[1, 16]] }, { correction: 16, blocks: [[1, 28]] }, { correction: 26, blocks: [[1, 44]] },
  { correction: 18, blocks: [[2, 32]] }, { correction: 24, blocks: [[2, 43]] }, { correction: 16, blocks: [[4, 27]] },
  { correction: 18, blocks: [[4, 31]] }, { correction: 22, blocks: [[2, 38], [2, 39]] },
  { correction: 22, blocks: [[3, 36], [2, 37]] }, { correction: 26, blocks: [[4, 43], [1, 44]] },
];
/** Rows and columns of alignment patterns (annex E), between 6 and 4 before the end. */
const ALIGNMENT = [[], [], [], [], [], [], [22], [24], [26], [28]];
/** Which modules a mask inverts (table 10).
 * @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0, (r) => r % 2 === 0, (_, c) => c % 3 === 0, (r, c) => (r + c) % 3 === 0,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2 === 0, (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0, (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Powers of 2 in the field of 256 elements, by x^8 + x^4 + x^3 + x^2 + 1. */
const powers = [1];
for (let i = 1; i < 255; i += 1) powers.push((powers[i - 1] << 1) ^ (powers[i - 1] >= 128 ? 0x11d : 0));

/** @param {number} a @param {number} b */
const product = (a, b) => (a && b ? powers[(powers.indexOf(a) + powers.indexOf(b)) % 255] : 0);

/** The error-correcting bytes of a block: the remainder of a division by (x − 2^0) … (x − 2^(count − 1)).
 * @param {readonly number[]} data @param {number} count */
export function correctionOf(data, count) {
  let divisor = [1];
  for (let i = 0; i < count; i += 1)
    divisor = [...divisor, 0].map((value, at) => value ^ product(divisor[at - 1] ?? 0, powers[i]));
  const rest = [...data, ...new Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    for (const [i, value] of divisor.entries()) rest[at + i] ^= product(value, factor);
  }
  return rest.slice(data.length);
}

/** A number followed by the remainder of its division by a polynomial.
 * @param {number} value @param {number} bits Of the remainder. @param {number} polynomial */
function withRemainder(value, bits, polynomial) {
  let rest = value << bits;
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit = 31 - Math.clz32(rest)) rest ^= polynomial << (bit - bits);
  return (value << bits) | rest;
}

/** Bytes of data and of correction, in the order in which they are drawn.
 * @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const { correction, blocks } = VERSIONS[version - 1];
  const capacity = blocks.reduce((sum, [count, size]) => sum + count * size, 0);
  const wide = version > 9 ? 16 : 8;
  const number = (/** @type {number} */ value, /** @type {number} */ bits) => value.toString(2).padStart(bits, "0");
  let text = number(4, 4) + number(bytes.length, wide) + [...bytes].map((byte) => number(byte, 8)).join("");
  text += "0".repeat(Math.min(4, capacity * 8 - text.length));
  text = text.padEnd(Math.ceil(text.length / 8) * 8, "0");
  const data = (text.match(/.{8}/g) ?? []).map((one) => parseInt(one, 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  /** @type {number[][]} */
  const parts = [];
  for (const [count, size] of blocks) for (let i = 0; i < count; i += 1) parts.push(data.splice(0, size));
  const checks = parts.map((part) => correctionOf(part, correction));
  const interleaved = (/** @type {number[][]} */ lists) =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, i) =>
      lists.flatMap((list) => list[i] ?? [])).flat();
  return [...interleaved(parts), ...interleaved(checks)];
}

/** The square with its fixed patterns; `null` is room for data.
 * @param {number} version @returns {(boolean | null)[][]} */
function patterns(version) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const square = Array.from({ length: size }, () => new Array(size).fill(null));
  const put = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ isDark) => {
    if (square[row]?.[column] !== undefined) square[row][column] = isDark;
  };
  /** @param {number} row @param {number} column @param {number} reach @param {number[]} dark Distances from the middle. */
  const rings = (row, column, reach, dark) => {
    for (let y = -reach; y <= reach; y += 1)
      for (let x = -reach; x <= reach; x += 1)
        put(row + y, column + x, dark.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 8; i < size - 8; i += 1) {
    put(6, i, i % 2 === 0);
    put(i, 6, i % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(row, column, 4, [0, 1, 3]);
  const places = version > 1 ? [6, ...ALIGNMENT[version - 1], size - 7] : [];
  for (const row of places)
    for (const column of places) {
      const isCorner = [row, column].includes(6) && (row === column || row + column === size - 1);
      if (!isCorner) rings(row, column, 2, [0, 2]);
    }
  // Room for the format, and for the version from 7 on.
  drawFormat(square, 0);
  if (version < 7) return square;
  const bits = withRemainder(version, 12, 0x1f25);
  for (let i = 0; i < 18; i += 1) {
    const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)];
    put(near, far, Boolean((bits >> i) & 1));
    put(far, near, Boolean((bits >> i) & 1));
  }
  return square;
}

/** Draws which mask is used, at both places.
 * @param {(boolean | null)[][]} square @param {number} mask */
function drawFormat(square, mask) {
  const size = square.length;
  // Error correction M is 0.
  const bits = withRemainder(mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const isDark = Boolean((bits >> i) & 1);
    const near = i < 6 ? i : i < 8 ? i + 1 : i === 8 ? 7 : 14 - i;
    if (i < 8) square[near][8] = square[8][size - 1 - i] = isDark;
    else square[8][near] = square[size - 15 + i][8] = isDark;
  }
  square[size - 8][8] = true;
}

/** How hard a square is to read (7.8.3.1): runs, blocks, what looks like a corner, and unevenness.
 * @param {(boolean | null)[][]} square */
function penaltyOf(square) {
  const columns = square.map((_, at) => square.map((row) => row[at]));
  const lines = [...square, ...columns].map((line) => line.map((one) => (one ? "1" : "0")).join(""));
  let sum = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < square.length; y += 1)
    for (let x = 1; x < square.length; x += 1)
      if (new Set([square[y][x], square[y - 1][x], square[y][x - 1], square[y - 1][x - 1]]).size === 1) sum += 3;
  const dark = square.flat().filter(Boolean).length / square.length ** 2;
  return sum + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}

/**
 * The code of a text: rows from the top, from the left, `true` for dark, without the quiet zone of 4 around it.
 * @param {string} text
 * @returns {boolean[][] | null} `null` for one that is too long.
 */
export function codeOf(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + VERSIONS.findIndex(({ blocks }, at) =>
    blocks.reduce((sum, [count, size]) => sum + count * size, 0) >= bytes.length + (at > 8 ? 3 : 2));
  if (!version) return null;
  const bits = codewords(bytes, version).map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const fixed = patterns(version);
  const size = fixed.length;
  const candidates = MASKS.map((mask, number) => {
    const square = fixed.map((row) => [...row]);
    let at = 0;
    // Two columns at a time from the right, up and down in turn; column 6 has a pattern of its own.
    for (let right = size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp)
      for (let i = 0; i < size; i += 1)
        for (const column of [right, right - 1]) {
          const row = isUp ? size - 1 - i : i;
          if (fixed[row][column] === null) square[row][column] = (bits[at++] === "1") !== mask(row, column);
        }
    drawFormat(square, number);
    return { square, penalty: penaltyOf(square) };
  });
  const best = candidates.reduce((one, other) => (other.penalty < one.penalty ? other : one));
  return best.square.map((row) => row.map(Boolean));
}

"""###,
"window/recorder.js": ###"""
// Keeps what a device shows, and makes one HTML file of it that plays without a server.

import { stepBetween, textOf } from "./recording.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */
/** @typedef {import("./recording.js").Device} Device */

/** Milliseconds that a recording takes at most. */
export const MAX_MILLISECONDS = 10 * 60_000;
/** Characters of the states of a recording at most. */
export const MAX_CHARACTERS = 8 << 20;
/** The module that plays a recording. */
const PLAYER = new URL("./player.js", import.meta.url).pathname;
/** Modules that one imports, by their addresses relative to it. */
const IMPORT = /(\bfrom\s+|^import\s+)"(\.[^"]+)"/gm;

/** @typedef {{milliseconds: number, states: number, characters: number}} Extent */

export class Recorder {
  /** The states so far, each as JSON.
   * @type {string[]} */
  #steps = [];
  #characters = 0;
  /** Whether a state had no room. */
  #isOver = false;
  #began = Date.now();
  #start = performance.now();
  /** @type {import("../js/screen-types.js").Screen | null} */ #last = null;
  #lastScreen = "";
  #modules = modulesOf(PLAYER);

  /** @param {ScreenElement} element @param {Device} device @param {() => void} ended Called when there is no room. */
  constructor(element, device, ended) {
    this.element = element;
    this.device = device;
    this.ended = ended;
    element.addEventListener("marquee-update", this.#take);
    // If they can't be loaded, `end` reports it.
    this.#modules.catch(() => {});
    this.#take();
  }

  /** @returns {Extent} */
  get extent() {
    return { milliseconds: performance.now() - this.#start, states: this.#steps.length, characters: this.#characters };
  }

  /** Whether it must end. */
  get isFull() { return this.#isOver || this.extent.milliseconds >= MAX_MILLISECONDS; }

  #take = () => {
    const { content, screen } = this.element;
    if (!content || screen === null) return;
    const at = this.#steps.length ? Math.round(performance.now() - this.#start) : 0;
    const step = textOf(stepBetween(screen === this.#lastScreen ? this.#last : null, content, screen, at));
    this.#isOver ||= this.#characters + step.length > MAX_CHARACTERS;
    if (!this.#isOver) {
      this.#steps.push(step);
      this.#characters += step.length;
      [this.#last, this.#lastScreen] = [content, screen];
    }
    if (this.isFull) this.ended();
  };

  /** Ends it.
   * @returns {Promise<{name: string, file: Blob}>} */
  async end() {
    this.element.removeEventListener("marquee-update", this.#take);
    const duration = Math.round(Math.min(performance.now() - this.#start, MAX_MILLISECONDS));
    const { device } = this;
    const recording = textOf({ version: 1, device, began: this.#began, duration });
    const text = `${recording.slice(0, -1)},"steps":[${this.#steps.join(",")}]}`;
    const name = `marquee-${this.#lastScreen.replace(/[^\w]+/g, "-").slice(0, 60)}-${stamp(this.#began)}.html`;
    return { name, file: new Blob([pageOf(text, await this.#modules)], { type: "text/html" }) };
  }
}

/** @param {number} time In milliseconds since 1970. */
const stamp = (time) => new Date(time).toISOString().slice(0, 19).replace(/[T:]/g, "-");

/** A module and all that it imports, by their addresses. Each names the others by their addresses in an import map.
 * @param {string} first @returns {Promise<Map<string, string>>} */
async function modulesOf(first) {
  /** @type {Map<string, string>} */
  const modules = new Map();
  const waiting = [first];
  for (let path; (path = waiting.pop()); ) {
    if (modules.has(path)) continue;
    const response = await fetch(path);
    if (!response.ok) throw new Error(`the server answers ${response.status} for ${path}`);
    const base = new URL(path, location.href);
    modules.set(path, (await response.text()).replace(IMPORT, (_, keyword, relative) => {
      const { pathname } = new URL(relative, base);
      waiting.push(pathname);
      return `${keyword}"marquee:${pathname}"`;
    }));
  }
  return modules;
}

/** JSON that is safe inside a script element: nothing in it can end that.
 * @param {string} json */
const inScript = (json) => json.replaceAll("<", "\\u003c");

/** @param {string} text In UTF-8, as base64. */
function base64Of(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The file. It may only run its own scripts, and load nothing.
 * @param {string} recording As JSON. @param {Map<string, string>} modules */
function pageOf(recording, modules) {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'";
  const imports = Object.fromEntries([...modules].map(([path, source]) =>
    [`marquee:${path}`, `data:text/javascript;charset=utf-8;base64,${base64Of(source)}`]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Marquee</title>
<script type="importmap" nonce="${nonce}">${inScript(JSON.stringify({ imports }))}</script>
</head>
<body>
<noscript>This recording needs JavaScript, which is in this file.</noscript>
<script type="application/json" id="recording">${inScript(recording)}</script>
<script type="module" nonce="${nonce}">import "marquee:${PLAYER}";</script>
</body>
</html>
`;
}

"""###,
"window/recording.js": ###"""
// What a device showed, as text that can be kept: its first state, and the differences of each later one. And back.

/** @typedef {import("../js/screen-types.js").Screen} Screen */
/** @typedef {import("../js/screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("../js/screen-types.js").SectionHead} SectionHead */

/**
 * @typedef {object} Device The device that was recorded.
 * @property {number} width In points.
 * @property {number} height
 * @property {string} locale As asked for.
 * @property {string} theme
 * @property {string} direction `auto`, `rtl`.
 * @property {string} words The device in words.
 */

/** A section of a state. What is absent is as in the state before; all of the first one is there.
 * @typedef {{id: string, head?: SectionHead, title?: string, error?: string | null, order?: string[],
 *   items?: ScreenItem[]}} StepSection `items` are new or different. */

/** A state, `at` milliseconds after the beginning.
 * @typedef {{at: number, screen: string, locale?: string, title?: string, sections: StepSection[]}} Step */

/** @typedef {{version: 1, device: Device, began: number, duration: number, steps: Step[]}} Recording `began` in
 *   milliseconds since 1970. */

/** A state that is played.
 * @typedef {{at: number, screen: string, state: Screen}} Moment */

/** @param {unknown} a @param {unknown} b */
const areEqual = (a, b) => a === b || textOf(a) === textOf(b);

/** JSON, in which bytes are base64.
 * @param {unknown} value */
export const textOf = (value) => JSON.stringify(value, (_, part) => {
  if (part instanceof Uint8Array) return { $bytes: btoa(String.fromCharCode(...part)) };
  return typeof part === "bigint" ? `${part}` : part;
});

/** @param {string} text */
export const valueOf = (text) => JSON.parse(text, (_, part) =>
  typeof part?.$bytes === "string" ? Uint8Array.from(atob(part.$bytes), (character) => character.charCodeAt(0)) : part);

/** An item, as far as it is shown.
 * @param {ScreenItem} item @returns {ScreenItem} */
function plain({ id, subject, favorite, card }) {
  // The record behind a card isn't shown.
  const { record, ...shown } = /** @type {any} */ (card ?? {});
  return { id, subject, favorite, card: card ? shown : undefined };
}

/** @param {SectionHead["error"]} error */
const errorText = (error) => (typeof error === "object" ? error?.message ?? null : error ?? null);

/** The difference between a state and the one before.
 * @param {Screen | null} before Of the same screen; `null` for none. @param {Screen} now @param {string} screen
 * @param {number} at @returns {Step} */
export function stepBetween(before, now, screen, at) {
  const known = new Map(before?.sections.map((section) => [section.id, section]));
  const sections = now.sections.map((section) => {
    const old = known.get(section.id);
    /** @type {StepSection} */
    const step = { id: section.id };
    if (!old || !areEqual(old.head, section.head)) step.head = section.head;
    if (!old || old.title !== section.title) step.title = section.title ?? "";
    if (!old || errorText(old.error) !== errorText(section.error)) step.error = errorText(section.error);
    if (old?.items === section.items) return step;
    const items = new Map(old?.items.map((item) => [item.id, item]));
    const different = section.items.filter((item) => {
      const known = items.get(item.id);
      return known !== item && !(known && areEqual(plain(known), plain(item)));
    });
    if (different.length) step.items = different.map(plain);
    const order = section.items.map(({ id }) => id);
    if (order.join("\n") !== old?.items.map(({ id }) => id).join("\n")) step.order = order;
    return step;
  });
  return { at, screen, locale: now.locale, title: now.title, sections };
}

/** The states of a recording.
 * @param {Recording} recording @returns {Moment[]} */
export function momentsOf({ steps }) {
  /** @type {Moment[]} */
  const moments = [];
  for (const { at, screen, locale, title, sections } of steps) {
    const last = moments[moments.length - 1];
    const known = new Map(last?.screen === screen ? last.state.sections.map((section) => [section.id, section]) : []);
    const shown = sections.map(({ id, order, items, ...rest }) => {
      const old = known.get(id);
      if (!order && !items) return { items: [], ...old, ...rest, id };
      const all = new Map([...old?.items ?? [], ...items ?? []].map((item) => [item.id, item]));
      const ids = order ?? old?.items.map((item) => item.id) ?? [];
      return { ...old, ...rest, id, items: ids.flatMap((one) => all.get(one) ?? []) };
    });
    moments.push({ at, screen, state: { locale, title, sections: shown } });
  }
  return moments;
}

"""###,
"window/recordings.js": ###"""
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

"""###,
"window/stage.js": ###"""
// The screens side by side, as the devices that were chosen show them.

import "../js/screen.js";
import { make } from "./dom.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */

/**
 * @typedef {object} View The screen that is shown, and the choice of devices.
 * @property {string} screen
 * @property {number[]} widths
 * @property {string[]} locales
 * @property {string[]} themes
 * @property {string[]} directions `auto`, `rtl`.
 * @property {boolean} fits Whether devices are made smaller until one is visible as a whole.
 */

/** The heights of devices by their widths, in points. */
export const heights = new Map([[320, 568], [390, 844], [430, 932], [768, 1024]]);
/** Devices that are shown at once. */
export const MAX_DEVICES = 12;
/** The smallest scale of a device. */
const SMALLEST = 0.45;
/** Milliseconds for which a change glows, and for which the element may take to show it. */
const GLOW = 1600;

/** @typedef {{key: string, width: number, locale: string, theme: string, direction: string}} Device */
/** A device on the page. `mark` says that it doesn't show what readers have now.
 * @typedef {{root: HTMLElement, element: ScreenElement, mark: HTMLElement, recording: HTMLButtonElement,
 *   device: Device}} Shown */
/** Words at each device, for a preview, and whether it shows something else.
 * @typedef {{words: string, isOld: boolean}} Mark */

/** A language's own name for people.
 * @param {string} locale */
export function languageOf(locale) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** The devices of a view.
 * @param {View} view @returns {Device[]} */
export function devicesOf({ widths, locales, themes, directions }) {
  return widths.flatMap((width) => locales.flatMap((locale) => directions.flatMap((direction) =>
    themes.map((theme) => ({ key: [width, locale, direction, theme].join(" "), width, locale, theme, direction })))));
}

/** A device in words, but for its size.
 * @param {Device} device */
export const wordsOf = ({ locale, theme, direction }) =>
  [languageOf(locale), theme, ...(direction === "rtl" ? ["right to left"] : [])].join(" · ");

/** Labels the record button of a device.
 * @param {Shown} shown @param {boolean} isRecorded */
export function drawRecording({ recording, device }, isRecorded) {
  recording.textContent = isRecorded ? "Stop" : "Record";
  const height = heights.get(device.width) ?? 844;
  const what = `${device.width} × ${height}, ${wordsOf(device)}`;
  recording.setAttribute("aria-label", `${isRecorded ? "Stop recording" : "Record"} ${what}`);
  recording.classList.toggle("on", isRecorded);
}

export class Stage {
  /** @type {Map<string, Shown>} */ #devices = new Map();
  #root;
  #fits = true;
  /** @type {Mark | null} */ #mark = null;

  /** @param {HTMLElement} root @param {(element: ScreenElement, section: string, item: string) => void} inspect
   * @param {(shown: Shown) => void} record Begins to record a device, or ends. */
  constructor(root, inspect, record) {
    this.#root = root;
    this.inspect = inspect;
    this.record = record;
    new ResizeObserver(() => this.#scale()).observe(root);
    addEventListener("resize", () => this.#scale());
  }

  /** A person's choices on the screen, where they differ from what it begins with.
   * @returns {{sorts: Record<string, string>, windows: Record<string, number>}} */
  get chosen() {
    const sections = this.elements.find(({ content }) => content)?.content?.sections ?? [];
    const heads = sections.map((section) => ({ id: section.id, ...(section.head ?? section) }));
    const sorts = heads.flatMap(({ id, sort, sorts: [first] = [] }) => (first && sort && sort !== first.id ? [[id, sort]] : []));
    const windows = heads.flatMap(({ id, window, windows: [first] = [] }) => (first && window && window !== first ? [[id, window]] : []));
    return { sorts: Object.fromEntries(sorts), windows: Object.fromEntries(windows) };
  }

  /** What all devices show instead of the live screen; `null` if they are live.
   * @param {Mark | null} mark */
  set mark(mark) {
    this.#mark = mark;
    this.#root.classList.toggle("previews", mark !== null);
    this.#root.classList.toggle("old", mark?.isOld === true);
    for (const shown of this.#devices.values()) shown.mark.textContent = mark?.words ?? "";
  }

  /** The elements that are shown. */
  get elements() { return [...this.#devices.values()].map(({ element }) => element); }

  /** Shows a view of a client.
   * @param {any} client @param {View} view */
  show(client, view) {
    const devices = devicesOf(view).slice(0, MAX_DEVICES);
    const keys = new Set(devices.map(({ key }) => key));
    for (const [key, { root }] of this.#devices) {
      if (keys.has(key)) continue;
      root.remove();
      this.#devices.delete(key);
    }
    this.#fits = view.fits;
    for (const [index, device] of devices.entries()) {
      const shown = this.#devices.get(device.key) ?? this.#add(device);
      shown.element.client = client;
      shown.element.screen = view.screen;
      // A device that stays keeps its place in the document, and the focus.
      if (this.#root.children[index] !== shown.root) this.#root.insertBefore(shown.root, this.#root.children[index] ?? null);
    }
    this.#scale();
  }

  /** @param {Device} device */
  #add(device) {
    const { key, width, locale, theme, direction } = device;
    const height = heights.get(width) ?? 844;
    const element = /** @type {ScreenElement} */ (document.createElement("marquee-screen"));
    element.locale = locale;
    element.theme = theme;
    if (direction === "rtl") element.setAttribute("dir", "rtl");
    element.style.setProperty("inline-size", `${width}px`);
    element.style.setProperty("--marquee-height", `${height}px`);
    const words = wordsOf(device);
    const glass = make("div", { class: `glass ${theme}` }, element);
    const recording = make("button", { type: "button", class: "link recording" });
    const mark = make("span", { class: "mark" }, this.#mark?.words ?? "");
    const root = make("figure", { class: "device" },
      make("figcaption", {}, make("b", {}, `${width} × ${height}`), make("span", {}, words), mark, recording), glass);
    glass.addEventListener("click", (event) => this.#pick(event, element), true);
    glass.addEventListener("keydown", (event) => { if (event.key === "Enter") this.#pick(event, element); }, true);
    /** @type {Shown} */
    const shown = { root, element, mark, recording, device };
    recording.addEventListener("click", () => this.record(shown));
    drawRecording(shown, false);
    this.#devices.set(key, shown);
    return shown;
  }

  /** An item is picked instead of opened; buttons on it keep their meaning.
   * @param {Event} event @param {ScreenElement} element */
  #pick(event, element) {
    const path = event.composedPath();
    const card = path.find((one) => one instanceof HTMLElement && one.classList.contains("item"));
    if (path.some((one) => one instanceof HTMLButtonElement)) return;
    for (const { id, items } of element.content?.sections ?? [])
      for (const item of items) {
        if (!card || element.elementOf(id, item.id) !== card) continue;
        event.preventDefault();
        event.stopPropagation();
        return this.inspect(element, id, item.id);
      }
  }

  /** Lights up items on all devices.
   * @param {readonly {section: string, id?: string, op: string}[]} changes */
  glow(changes) {
    const places = changes.filter(({ id, op }) => id !== undefined && op !== "delete");
    // The elements take the same state from a loop of their own.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      for (const element of this.elements)
        for (const { section, id = "", op } of places.slice(0, 60)) {
          const color = op === "update" ? "#f2a900" : "#7c5cff";
          element.elementOf(section, id)?.animate(
            [{ boxShadow: `0 0 0 3px ${color}, 0 0 18px 4px ${color}`, borderRadius: "8px" },
              { boxShadow: `0 0 0 3px ${color}00, 0 0 18px 4px ${color}00`, borderRadius: "8px" }],
            { duration: GLOW, easing: still ? "steps(1, jump-end)" : "ease-in" });
        }
    }));
  }

  /** Scales devices so that one fits into the room. */
  #scale() {
    const style = getComputedStyle(this.#root);
    const width = this.#root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const height = Math.max(420, innerHeight - this.#root.getBoundingClientRect().top - scrollY - 76);
    for (const { root, device } of this.#devices.values()) {
      const tall = heights.get(device.width) ?? 844;
      const scale = this.#fits ? Math.max(SMALLEST, Math.min(1, width / device.width, height / tall)) : 1;
      root.style.setProperty("--scale", `${scale}`);
      root.style.setProperty("--width", `${device.width}px`);
      root.style.setProperty("--height", `${tall}px`);
    }
  }
}

"""###,
"window/tabs.js": ###"""
// Tabs, of which one panel is shown.

import { byId } from "./dom.js";

export class Tabs {
  /** @param {string[]} names @param {(name: string) => void} shown */
  constructor(names, shown) {
    this.names = names;
    this.shown = shown;
    for (const [index, name] of names.entries()) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener("click", () => this.select(name));
      tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = key === "Home" ? 0 : key === "End" ? names.length - 1 : step ? index + step : null;
        if (next === null) return;
        this.select(names[(next + names.length) % names.length]);
        this.focus(names[(next + names.length) % names.length]);
      });
    }
  }

  /** @param {string} name */
  focus(name) {
    byId(`tab-${name}`).focus();
  }

  /** @param {string} chosen */
  select(chosen) {
    for (const name of this.names) {
      const [tab, isChosen] = [byId(`tab-${name}`), name === chosen];
      tab.setAttribute("aria-selected", `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      byId(`panel-${name}`).hidden = !isChosen;
    }
    this.shown(chosen);
  }
}

"""###,
"window/timeline.js": ###"""
// The commits, with who published each, which records it changed and which rows moved.

import { Refusal } from "./api.js";
import { clock, counted, make } from "./dom.js";

/** @typedef {import("./api.js").Commit} Commit */
/** @typedef {import("./api.js").Publisher} Publisher */

/** Entries in the document; older ones go. */
const ENTRIES = 120;
/** Changes of a commit that are listed before the rest is counted. */
const NAMES = 6;

/** @typedef {{revision: number, commit?: Commit, rows: string[], time: number, root: HTMLElement}} Entry */

export class Timeline {
  /** The entries by revision.
   * @type {Map<number, Entry>} */
  #entries = new Map();
  /** Entries to be drawn in the next frame.
   * @type {Set<Entry>} */
  #stale = new Set();
  #isPaused = false;
  #list;
  #note;

  /**
   * @param {HTMLElement} list @param {HTMLElement} note
   * @param {(changed: import("./api.js").NamedChange) => void} open Shows a record, the programme or the types.
   */
  constructor(list, note, open) {
    this.#list = list;
    this.#note = note;
    this.open = open;
  }

  get isPaused() { return this.#isPaused; }
  set isPaused(isPaused) {
    this.#isPaused = isPaused;
    this.#schedule();
  }

  /** Follows the commits until it is aborted.
   * @param {import("./api.js").Api} api @param {AbortSignal} signal @param {(commit: Commit) => void} heard */
  async follow(api, signal, heard) {
    try {
      await api.commits((commit) => {
        this.#change(commit.revision, (entry) => {
          entry.commit = commit;
          entry.time = commit.time;
        });
        heard(commit);
      }, (isLive) => {
        this.#note.textContent = isLive ? "" : "The list of commits was interrupted; trying again.";
      }, signal);
    } catch (error) {
      this.#note.textContent = error instanceof Refusal
        ? `Who published what isn't shown: ${error.message}. Changes of the screen still are.` : `${error}`;
    }
  }

  /** Notes the changes that a screen shows since a revision.
   * @param {number} revision @param {string[]} rows */
  moved(revision, rows) {
    this.#change(revision, (entry) => entry.rows.push(...rows));
  }

  /** @param {number} revision @param {(entry: Entry) => void} change */
  #change(revision, change) {
    const entry = this.#entries.get(revision) ?? this.#add(revision);
    change(entry);
    this.#stale.add(entry);
    this.#schedule();
  }

  /** @param {number} revision @returns {Entry} */
  #add(revision) {
    const entry = { revision, rows: [], time: Date.now(), root: make("li", { class: "commit" }) };
    this.#entries.set(revision, entry);
    if (this.#entries.size > 2 * ENTRIES) {
      const oldest = [...this.#entries.values()].sort((a, b) => a.revision - b.revision).slice(0, ENTRIES);
      for (const { revision: gone, root } of oldest) {
        root.remove();
        this.#entries.delete(gone);
      }
    }
    return entry;
  }

  #frame = 0;
  #schedule() {
    if (this.#isPaused || this.#frame || !this.#stale.size) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      for (const entry of this.#stale) this.#draw(entry);
      this.#stale.clear();
      const newest = [...this.#entries.values()].sort((a, b) => b.revision - a.revision);
      for (const [index, { root }] of newest.entries()) {
        if (index >= ENTRIES) root.remove();
        else if (this.#list.children[index] !== root) this.#list.insertBefore(root, this.#list.children[index] ?? null);
      }
    });
  }

  /** @param {Entry} entry */
  #draw({ root, commit, revision, rows, time }) {
    const publisher = commit?.publisher;
    const from = [publisher?.agent, publisher?.address].filter(Boolean).join(" · ");
    const parts = [
      make("div", { class: "commit-head" },
        make("b", {}, `${revision}`), make("span", { class: "who" }, commit ? whoText(publisher) : "seen on the screen"),
        make("time", { datetime: new Date(time).toISOString() }, clock(time))),
      from ? make("div", { class: "from" }, from) : null,
      commit ? this.#records(commit) : null,
      rows.length ? make("ul", { class: "rows" }, ...rows.map((row) => make("li", {}, row))) : null,
    ];
    root.replaceChildren(...parts.flatMap((part) => part ?? []));
  }

  /** @param {Commit} commit */
  #records({ changes, count }) {
    const named = changes.slice(0, NAMES).map((changed) => {
      const { change, type, id = "" } = changed;
      const isSource = change === "programme" || change === "types";
      if (!type && !isSource) return make("li", {}, make("span", { class: "verb" }, change), ` ${id}`);
      const open = make("button", { type: "button", class: "link", onclick: () => this.open(changed) },
        isSource ? change : `${type}/${id}`);
      return make("li", {}, make("span", { class: "verb" }, isSource ? "put" : change), " ", open);
    });
    const rest = count - named.length;
    return make("ul", { class: "records" }, ...named,
      rest > 0 ? make("li", { class: "rest" }, `and ${counted(rest, "more change")}`) : null);
  }
}

/** @param {Publisher | undefined} publisher */
function whoText(publisher) {
  if (!publisher) return "the server itself, or another program";
  return publisher.by ? [publisher.by, publisher.user].filter(Boolean).join(", ") : publisher.user ?? "anonymous";
}

"""###,
"window/why.js": ###"""
// Why an item is where it is: what the page knows of its section, its place and its frame, and the programme's lines.

import { make } from "./dom.js";
import { targetOf } from "./presets.js";
import { Scrolling } from "../js/layout.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */
/** @typedef {import("../js/layout.js").Layout} Layout */
/** @typedef {import("../js/layout.js").LayoutNode} LayoutNode */
/** @typedef {import("../js/layout.js").Dimension} Dimension */

/** Lines of the programme that are shown of one section. */
const LINES = 40;

/** @param {number} value */
const points = (value) => `${Math.round(value * 100) / 100}`;

/** @param {{x: number, y: number, width: number, height: number}} frame */
const frameText = ({ x, y, width, height }) => `${points(x)}, ${points(y)} · ${points(width)} × ${points(height)}`;

/** A length as a programme writes it.
 * @param {Dimension | undefined} dimension */
function lengthText({ unit = 0, value = 0 } = {}) {
  return `${["", "fw", "fh", "abs", "est"][unit] ?? ""} ${points(value)}`.trim();
}

/** @param {import("../js/layout.js").Insets | undefined} insets */
const insetsText = ({ top = 0, leading = 0, bottom = 0, trailing = 0 } = {}) => [top, leading, bottom, trailing].map(points).join(" / ");

/** A node of a layout in words.
 * @param {LayoutNode} node */
function nodeText({ type = 0, width, height, insets, count, spacing, children = [] }) {
  const kind = type === 2 ? "row" : type === 3 ? "column" : "item";
  const parts = [`${kind}, ${lengthText(width)} × ${lengthText(height)}`];
  if (count) parts.push(`count ${count}`);
  else if (children.length > 1) parts.push(`${children.length} parts, repeated`);
  if (spacing) parts.push(`spacing ${points(spacing)}`);
  if (insets) parts.push(`insets ${insetsText(insets)}`);
  return parts.join(", ");
}

/** The numbers of an item's place, from the screen to its frame.
 * @param {ScreenElement} element @param {string} section @param {string} item @param {number} index
 * @returns {[string, string][]} */
function arithmetic(element, section, item, index) {
  const place = element.layoutOf(section);
  if (!place) return [];
  const { layout, frames, top } = place;
  const own = frames.frameOfItem(index);
  const name = Object.entries(Scrolling).find(([, value]) => value === frames.scrolling)?.[0] ?? "none";
  /** @type {[string, string][]} */
  const lines = [["Screen", `${points(frames.container.width)} × ${points(frames.container.height)}`]];
  if (layout.insets) lines.push(["Section's insets", `${insetsText(layout.insets)}`]);
  for (const [depth, node] of (layout.nodes ?? []).slice(0, 6).entries())
    lines.push([depth === 0 ? "Group" : "In it", nodeText(node)]);
  if (layout.spacing) lines.push(["Spacing of groups", points(layout.spacing)]);
  if (name !== "none") lines.push(["Scrolls sideways", name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)]);
  for (const view of frames.supplementaryFrames) lines.push([view.kind === "header" ? "Header" : view.kind, frameText(view.frame)]);
  lines.push(["Section begins at", `y ${points(top)}, and is ${points(frames.contentSize.height)} high`]);
  if (own) lines.push(["Item in its section", frameText(own)]);
  const shown = element.frameOf(section, item);
  if (shown) lines.push(["Item on the screen", `${frameText(shown)}`]);
  if (frames.isRightToLeft) lines.push(["Mirrored", "yes, as it is read from right to left"]);
  return lines;
}

/**
 * The lines of a programme that define a section; empty if it has none, as for sections of the catalogue's pages.
 * @param {string} programme @param {string} screen As in `team/foundry`. @param {string} section
 * @returns {{number: number, text: string}[]}
 */
export function linesOf(programme, screen, section) {
  const lines = programme.split("\n");
  const family = screen.split("/")[0];
  const indent = (/** @type {string} */ line) => line.length - line.trimStart().length;
  const start = lines.findIndex((line) => /^screens:/.test(line));
  if (start < 0) return [];
  const isScreen = (/** @type {string} */ line) => {
    const name = /^\s+["']?([^"':]+?)["']?:\s*(#.*)?$/.exec(line)?.[1];
    return name !== undefined && name.split("/")[0] === family && (name.includes("/") === screen.includes("/"));
  };
  const first = lines.findIndex((line, at) => at > start && isScreen(line));
  if (first < 0) return [];
  for (let at = first + 1; at < lines.length; at += 1) {
    if (lines[at].trim() && indent(lines[at]) <= indent(lines[first])) break;
    const match = /^\s*-\s+(?:\{\s*)?id:\s*["']?([^"',}\s]+)/.exec(lines[at]);
    if (match?.[1] !== section) continue;
    let end = at + 1;
    while (end < lines.length && end - at < LINES && (!lines[end].trim() || indent(lines[end]) > indent(lines[at]))) end += 1;
    const own = lines.slice(at, end);
    while (own.length && !own[own.length - 1].trim()) own.pop();
    return own.map((text, line) => ({ number: at + line + 1, text: text.slice(indent(lines[at])) }));
  }
  return [];
}

/** @param {[string, string | Node][]} pairs */
const table = (pairs) => make("dl", { class: "facts" },
  ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

/**
 * Explains an item.
 * @param {ScreenElement} element @param {string} section @param {string} item
 * @param {string | null} programme Its text, if it may be known and there is one.
 * @param {ReadonlySet<string>} families Of the screens that there are: `detail` of `detail/27205`.
 * @param {(target: string) => void} follow @param {(line: number) => void} edit Edits the programme, at a line.
 * @returns {HTMLElement | null}
 */
export function explain(element, section, item, programme, families, follow, edit) {
  const shown = element.content?.sections.find(({ id }) => id === section);
  const index = shown?.items.findIndex(({ id }) => id === item) ?? -1;
  if (!shown || index < 0) return null;
  const found = shown.items[index];
  const head = shown.head ?? shown;
  const screen = element.screen ?? "";
  const target = targetOf(found, families);
  /** @type {[string, string | Node][]} */
  const where = [
    ["Screen", screen], ["Section", `${section} (${element.layoutOf(section)?.kind ?? ""})`],
    ["Place", `${index + 1} of ${shown.items.length}`],
  ];
  if (head.sort) where.push(["Sort", head.sort]);
  if (head.window) where.push(["Window", `${head.window} of ${(head.windows ?? []).join(", ")}`]);
  where.push(["Item", item]);
  if (found.subject) where.push(["Record", found.subject]);
  const lines = programme === null ? [] : linesOf(programme, screen, section);
  return make("div", { class: "why" },
    make("h3", {}, found.card?.title || item),
    target ? make("button", { type: "button", onclick: () => follow(target) }, `Open ${target}`) : null,
    table(where),
    make("h4", {}, "The programme's lines"),
    ...lines.length ? [
      make("ol", { class: "code", start: `${lines[0].number}` },
        ...lines.map(({ text, number }) => make("li", { value: `${number}` }, make("code", {}, text || " ")))),
      make("button", { type: "button", class: "link", onclick: () => edit(lines[0].number) }, "Edit these lines"),
    ] : [make("p", { class: "note" }, programme === null
      ? "The programme isn't shown: none was published, or this client may not publish one."
      : "The programme doesn't name this section; it may come from a page of the catalogue.")],
    make("h4", {}, "The frame"), table(arithmetic(element, section, item, index)),
    make("p", { class: "note" }, "In points; insets are top / leading / bottom / trailing, frames x, y · width × height."));
}

"""###,
"window/window.css": ###"""
:root {
  --ground: #f5f6f9; --surface: #ffffff; --raised: #ffffff; --line: #dfe2ea; --text: #15171c; --soft: #5a6170;
  --accent: #5624d0; --on-accent: #ffffff; --tint: #efeafc; --good: #1f7a43; --warn: #9a6200; --bad: #b3261e;
  --code: #f0f1f5; --shadow: 0 1px 2px #1018280d, 0 8px 24px #1018281a;
  --sans: Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0c0d11; --surface: #14161b; --raised: #1b1e25; --line: #2a2e38; --text: #f1f2f5; --soft: #a1a7b4;
    --accent: #b59cff; --on-accent: #160a38; --tint: #241c3d; --good: #5bd08a; --warn: #ffc15a; --bad: #ff8f85;
    --code: #1b1e25; --shadow: 0 1px 2px #0006, 0 10px 30px #0009;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { height: 100%; }
body {
  margin: 0; min-height: 100%; background: var(--ground); color: var(--text); font: 14px/20px var(--sans);
  font-feature-settings: "cv11", "ss03"; -webkit-font-smoothing: antialiased; -webkit-text-size-adjust: 100%;
}
h1, h2, h3, h4, p, ol, ul, dl, dd, dt, figure, fieldset { margin: 0; padding: 0; border: 0; font: inherit; min-width: 0; }
ol, ul { list-style: none; }
h2 { font-size: 15px; font-weight: 650; letter-spacing: -.01em; }
h3 { font-size: 16px; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h4 { font-size: 12px; font-weight: 600; color: var(--soft); margin-block: 16px 6px; }
code { font: 12px/18px var(--mono); }
small { font-size: 11px; line-height: 16px; color: var(--soft); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { color: var(--soft); font-size: 13px; line-height: 18px; text-wrap: pretty; }
.note:empty { display: none; }
.quiet, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip:focus { position: absolute; z-index: 9; inset: 8px auto auto 8px; padding: 8px 14px; background: var(--raised); }

button, select, input, textarea { font: inherit; color: inherit; }
button, select, input:not([type=checkbox], [type=radio]) {
  min-height: 32px; padding: 5px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised);
}
button { font-weight: 550; cursor: pointer; }
button:hover:not(:disabled) { border-color: color-mix(in srgb, var(--accent) 50%, var(--line)); }
button:disabled { color: color-mix(in srgb, var(--soft) 75%, var(--surface)); cursor: default; }
button[aria-pressed=true], button.primary:not(:disabled) {
  background: var(--accent); border-color: var(--accent); color: var(--on-accent);
}
button.link {
  min-height: 24px; padding: 0; border: 0; background: none; color: var(--accent); text-align: start;
  overflow-wrap: anywhere; font-weight: 500;
}
button.link:hover { text-decoration: underline; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }

.bar {
  position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 8px 20px; flex-wrap: wrap; padding: 8px 20px;
  background: color-mix(in srgb, var(--surface) 92%, transparent); backdrop-filter: blur(10px);
  border-bottom: 1px solid var(--line);
}
.bar h1 { display: flex; align-items: center; gap: 9px; font-size: 16px; font-weight: 700; letter-spacing: -.02em; }
.bar h1 img { display: block; }
.state { display: flex; align-items: center; gap: 7px; font-weight: 550; }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--warn); }
.state[data-state=connected] .dot { background: var(--good); }
.state[data-state=failed] .dot { background: var(--bad); }
.figures { color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; margin-inline-end: auto; }
.pop { position: relative; }
.pop[open] { z-index: 1; }
.pop summary {
  cursor: pointer; padding: 5px 12px; font-weight: 550; border: 1px solid var(--line); border-radius: 8px; list-style: none;
  background: var(--raised);
}
.pop summary::-webkit-details-marker { display: none; }
.pop .card {
  position: absolute; inset-inline-end: 0; top: calc(100% + 6px); width: min(300px, calc(100vw - 32px)); display: grid; gap: 12px;
  padding: 16px; background: var(--raised); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow);
}
.pop label { display: grid; gap: 4px; font-weight: 550; font-size: 13px; }
.pop pre { margin: 0; padding: 8px 10px; border-radius: 8px; background: var(--code); font: 12px/18px var(--mono); overflow-x: auto; }
.pop a { color: var(--accent); overflow-wrap: anywhere; font-size: 13px; }
.code-picture { width: 100%; height: auto; background: #ffffff; border-radius: 8px; }
.alert {
  margin: 12px 20px 0; padding: 10px 14px; border-radius: 10px; color: var(--bad);
  background: color-mix(in srgb, var(--bad) 9%, var(--surface)); border: 1px solid color-mix(in srgb, var(--bad) 35%, transparent);
}

.page { display: grid; grid-template-columns: minmax(0, 1fr) 420px; align-items: start; }
.main { min-width: 0; padding: 14px 20px 20px; }
.controls { display: flex; flex-wrap: wrap; gap: 10px 12px; align-items: end; }
.controls legend, .preview legend, .field { font-size: 12px; line-height: 16px; font-weight: 550; color: var(--soft); padding: 0; }
.controls fieldset { display: flex; flex-wrap: wrap; }
.controls legend, .preview legend { margin-bottom: 4px; }
.field { display: grid; gap: 4px; }
.field select { color: var(--text); font-size: 14px; font-weight: 500; width: 150px; }
.chip { position: relative; display: inline-flex; }
.chip input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.chip span {
  display: block; padding: 5px 9px; min-height: 32px; border: 1px solid var(--line); background: var(--raised);
  margin-inline-end: -1px; font-size: 13px; font-weight: 500; font-variant-numeric: tabular-nums; white-space: nowrap;
}
.chip:nth-of-type(1) span { border-start-start-radius: 8px; border-end-start-radius: 8px; }
.chip:last-of-type span { border-start-end-radius: 8px; border-end-end-radius: 8px; margin: 0; }
.chip:has(:checked), .chip:focus-within { z-index: 1; }
.chip input:checked + span {
  background: var(--tint); border-color: color-mix(in srgb, var(--accent) 60%, var(--line)); color: var(--accent); font-weight: 600;
}
.chip input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }

.controls > button { min-height: 32px; }
.controls > button::after { content: "▾"; margin-inline-start: 6px; color: var(--soft); }
.controls > button[aria-expanded=true]::after { content: "▴"; }
.controls > button.on { background: var(--tint); border-color: color-mix(in srgb, var(--accent) 60%, var(--line)); color: var(--accent); }
.preview, .previewed {
  display: flex; flex-wrap: wrap; gap: 10px 18px; align-items: end; margin-top: 12px; padding: 12px 14px; border-radius: 10px;
  background: var(--surface); border: 1px solid var(--line);
}
.preview fieldset { display: flex; flex-wrap: wrap; gap: 8px 0; }
.preview .chip:nth-of-type(2) span { border-start-end-radius: 8px; border-end-end-radius: 8px; margin: 0; }
.preview .field :disabled, .preview :disabled .chip { opacity: .55; }
.preview .field input { color: var(--text); font-size: 14px; font-weight: 500; width: 260px; }
.preview input[type=datetime-local] { margin-inline-start: 8px; max-width: 100%; height: 32px; padding-block: 0; }
.preview select { width: 190px; }
.preview .note { flex-basis: 100%; }
.previewed {
  align-items: center; flex-wrap: nowrap; justify-content: space-between; background: var(--tint);
  border-color: color-mix(in srgb, var(--accent) 45%, var(--line));
}
.previewed > div { min-width: 0; overflow-wrap: anywhere; }
.previewed > button { flex: none; }
#previewed-words { font-weight: 600; color: var(--accent); }
.refused #previewed-words { color: var(--text); }
.trouble { color: var(--bad); }
.trouble:empty { display: none; }
.previewed.refused {
  background: color-mix(in srgb, var(--bad) 9%, var(--surface)); border-color: color-mix(in srgb, var(--bad) 35%, transparent);
}

.stage {
  display: flex; gap: 24px; overflow-x: auto; margin-inline: -20px; padding: 16px 20px 12px; overscroll-behavior-x: contain;
  scrollbar-width: thin;
}
.device { flex: none; --scale: 1; }
.device figcaption {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; padding: 0 4px 8px; font-size: 12px; line-height: 16px;
  color: var(--soft); font-variant-numeric: tabular-nums; width: calc(var(--width) * var(--scale));
}
.device figcaption b { color: var(--text); font-weight: 600; }
.glass {
  width: calc(var(--width) * var(--scale)); height: calc(var(--height) * var(--scale)); overflow: hidden;
  border-radius: calc(26px * var(--scale)); box-shadow: 0 0 0 1px var(--line), var(--shadow);
}
.glass.light { background: #ffffff; }
.glass.dark { background: #0e0f13; }
.stage.previews .glass { box-shadow: 0 0 0 2px var(--accent), var(--shadow); }
.stage.old .glass { box-shadow: 0 0 0 2px var(--bad), var(--shadow); }
.stage.old .glass marquee-screen { opacity: .55; }
.stage.previews figcaption > span:not(.mark) { flex: 1 0 calc(100% - 96px); }
.mark { font-weight: 650; color: var(--accent); }
.mark:empty { display: none; }
.stage.old .mark { color: var(--bad); }
/* As on a phone, bars over the content take no room. */
.glass marquee-screen::part(scroller) { scrollbar-width: none; }
.glass marquee-screen { transform: scale(var(--scale)); transform-origin: 0 0; }
.device .recording { margin-inline-start: auto; min-height: 16px; font-size: 12px; line-height: 16px; }
.device .recording.on { color: var(--bad); }
.stage-note { padding-top: 4px; }

.side {
  position: sticky; top: 49px; height: calc(100vh - 49px); height: calc(100dvh - 49px); display: flex; flex-direction: column;
  background: var(--surface); border-inline-start: 1px solid var(--line);
}
.tabs { flex: none; display: flex; gap: 2px; padding: 10px 16px 0; border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; }
.tabs button {
  border: 0; background: none; border-radius: 6px 6px 0 0; padding: 6px 10px 8px; color: var(--soft); border-bottom: 2px solid transparent;
}
.tabs button:focus-visible { outline-offset: -2px; }
.tabs [aria-selected=true] { color: var(--text); border-bottom-color: var(--accent); }
.panel { flex: 1; min-height: 0; overflow-y: auto; padding: 16px; scrollbar-width: thin; overscroll-behavior: contain; }
.panel:focus-visible { outline-offset: -2px; }
.panel > h2 { margin-bottom: 6px; }
.panel-head .buttons { flex: none; flex-wrap: nowrap; }
.panel-head { display: flex; justify-content: space-between; align-items: center; margin-bottom: 6px; }

.timeline { margin-top: 4px; }
.commit { padding: 10px 0 11px; border-bottom: 1px solid var(--line); }
.commit:last-child { border: 0; }
.commit-head { display: flex; gap: 8px; align-items: baseline; }
.commit-head b { font-weight: 650; font-variant-numeric: tabular-nums; }
.commit-head .who { flex: 1; min-width: 0; font-weight: 500; overflow-wrap: anywhere; }
.commit-head time { color: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.from { color: var(--soft); font-size: 12px; line-height: 16px; overflow-wrap: anywhere; }
.records { margin-top: 3px; font-size: 13px; }
.verb { display: inline-block; color: var(--soft); min-width: 48px; }
.rest { color: var(--soft); }
.rows { margin-top: 4px; font-size: 13px; line-height: 18px; }
.rows li { position: relative; padding-inline-start: 14px; overflow-wrap: anywhere; }
.rows li::before {
  content: ""; position: absolute; inset: 7px auto auto 2px; width: 5px; height: 5px; border-radius: 50%; background: #f2a900;
}
[dir=rtl] .rows li::before { inset: 7px 2px auto auto; }

.facts { display: grid; grid-template-columns: minmax(96px, auto) 1fr; gap: 3px 14px; font-size: 13px; line-height: 18px; margin-top: 10px; }
.facts dt { color: var(--soft); }
.facts dd { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.why { display: block; margin-top: 6px; }
.why > button { margin-top: 8px; }
h4 + .facts { margin-top: 0; }
.facts + .note { margin-top: 8px; }
.code { counter-reset: none; padding: 8px 10px 8px 40px; background: var(--code); border-radius: 8px; overflow-x: auto; list-style: decimal; scrollbar-width: thin; }
.code li { white-space: pre; }
.code li::marker { color: var(--soft); font: 11px/18px var(--mono); }
.editor { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; margin-top: 12px; }
#record { margin-top: 20px; padding-top: 16px; border-top: 1px solid var(--line); }
.text {
  position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr); border: 1px solid var(--line);
  border-radius: 8px; background: var(--code); font: 12px/18px var(--mono); overflow: hidden;
}
.text:focus-within { outline: 2px solid var(--accent); outline-offset: 2px; }
.text textarea {
  min-height: 220px; padding: 10px 12px 10px 8px; border: 0; background: none; font: inherit; resize: vertical; tab-size: 2;
  white-space: pre; overflow: auto; outline: none; scrollbar-width: thin;
}
#panel-edit textarea { height: max(220px, calc(100dvh - 500px)); }
.lines {
  height: 0; min-height: 100%; overflow: hidden; padding: 10px 0; text-align: end; color: var(--soft); user-select: none;
  font-variant-numeric: tabular-nums; contain: strict; width: 5ch;
}
.lines span { display: block; padding-inline-end: 8px; }
.lines span:last-child { margin-bottom: 40px; }
.editor .rows { margin-top: 0; }
.editor .rows:empty { display: none; }
.mistakes:empty { display: none; }
.mistakes li { color: var(--bad); font-size: 13px; line-height: 18px; }
.mistakes .link { color: inherit; text-decoration: underline; text-underline-offset: 2px; }

.log { margin-top: 16px; border-top: 1px solid var(--line); font-size: 13px; line-height: 18px; }
.log li { display: grid; grid-template-columns: 64px 1fr auto; gap: 8px; padding: 6px 0; border-bottom: 1px solid var(--line); }
.log time { color: var(--soft); font-variant-numeric: tabular-nums; }
.log span { overflow-wrap: anywhere; }
#panel-wire .buttons { margin-top: 12px; }

.scrolls { overflow-x: auto; margin-top: 10px; scrollbar-width: thin; }
table { border-collapse: collapse; width: 100%; font-size: 12px; line-height: 16px; font-variant-numeric: tabular-nums; }
th, td { text-align: start; padding: 6px 10px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
thead th { color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 550; }
tbody small { display: block; font-weight: 400; }

@media (max-width: 1099px) {
  .page { grid-template-columns: minmax(0, 1fr); }
  .side { scroll-margin-top: 84px; position: static; height: auto; border: 0; border-top: 1px solid var(--line); }
  .panel { max-height: none; min-height: 260px; padding-inline: 20px; }
  .tabs { padding-inline: 14px; }
}
@media (max-width: 599px) {
  .bar { padding-inline: 14px; gap: 4px 8px; }
  .figures { order: 5; flex: 1 0 60%; }
  #credentials { order: 6; }
  .pop { position: static; }
  .pop .card { inset-inline-end: 14px; }
  .state { margin-inline-end: auto; }
  .main { padding-inline: 14px; }
  .stage { margin-inline: -14px; padding-inline: 14px; gap: 16px; scroll-snap-type: x proximity; scroll-padding-inline: 14px; }
  .device { scroll-snap-align: start; }
  .controls { flex-wrap: nowrap; overflow-x: auto; margin-inline: -14px; padding: 3px 14px; scrollbar-width: none; }
  .controls > * { flex: none; }
  .controls fieldset { flex-wrap: nowrap; }
  .preview .field, .preview .field input, .preview .field select { width: 100%; }
  .preview input[type=datetime-local] { margin: 0; }
  .previewed { flex-wrap: wrap; }
}
@media (forced-colors: active) {
  .chip input:checked + span, button[aria-pressed=true], [aria-selected=true] { outline: 2px solid Highlight; }
}
@media (prefers-reduced-motion: reduce) { * { scroll-behavior: auto !important; transition: none !important; } }

"""###,
"window/wire.js": ###"""
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

"""###,
    ]
}
