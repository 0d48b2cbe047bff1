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
