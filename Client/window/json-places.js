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
