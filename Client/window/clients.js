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
