/** Live, verified screens of a Marquee server. */

export { Collection, MarqueeClient } from "./client.js";
export { Item } from "./content.js";
export { MarqueeError, Remedy } from "./errors.js";
export { memory } from "./engine.js";
export { Screen, Section } from "./screen.js";
export { websocket } from "./websocket.js";
