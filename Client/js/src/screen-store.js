/** A screen as a store, for UI libraries such as React, Vue and Svelte. */

/**
 * @typedef {object} Snapshot
 * @property {import("./screen.js").Screen} [screen] absent until there is one
 * @property {import("./changes.js").Change[]} changes since the previous snapshot
 * @property {import("./errors.js").MarqueeError} [error] why there will be no further snapshots
 */

/**
 * The screen is subscribed to while there are listeners. `subscribe` calls back at once and with each new snapshot, and
 * returns a function to unsubscribe. A snapshot stays the same object until the next one. This fulfils the contracts of
 * Svelte's stores and of React's `useSyncExternalStore`.
 * @param {import("./client.js").MarqueeClient} client
 * @param {string} name
 * @param {import("./view.js").SectionOptions & {locale?: string}} [options]
 */
export function screenStore(client, name, options) {
  /** @type {Snapshot} */
  let snapshot = { changes: [] };
  /** @type {Set<(snapshot: Snapshot) => void>} */
  const listeners = new Set();
  let controller = new AbortController();

  const show = (/** @type {Snapshot} */ next) => {
    snapshot = next;
    for (const listener of [...listeners]) listener(snapshot);
  };
  const follow = async (/** @type {AbortSignal} */ signal) => {
    try {
      for await (const update of client.screen(name, { ...options, signal })) show(update);
    } catch (error) {
      if (!signal.aborted) show({ ...snapshot, changes: [], error: /** @type {any} */ (error) });
    }
  };

  return {
    getSnapshot: () => snapshot,
    /** @param {(snapshot: Snapshot) => void} run */
    subscribe(run) {
      const listener = (/** @type {Snapshot} */ one) => run(one);
      if (!listeners.size) void follow((controller = new AbortController()).signal);
      listeners.add(listener);
      run(snapshot);
      return () => {
        listeners.delete(listener);
        if (!listeners.size) controller.abort();
      };
    },
  };
}
