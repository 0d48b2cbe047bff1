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
