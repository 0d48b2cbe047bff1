/** Live, verified screens of a Marquee server. */

export { MarqueeClient } from "./client.js";
export { memory } from "./engine.js";
export { MarqueeError } from "./errors.js";
