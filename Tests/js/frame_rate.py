#!/usr/bin/env python3
"""Measures the frames per second of a table of 200 rows in which twenty rows a second move: Tests/js/frame_rate.py"""

import json
import sys

import browser

SECONDS = 5
SCRIPT = """
const done = arguments[0];
const {client, screen} = page;
const items = Array.from({length: 200}, (_, index) => ({
  id: `t${index}`, subject: `team/${index}`, favorite: 'no', card: {title: `Team number ${index}`,
    rank: {previous: index + 1}, facts: [{label: 'Pts', value: String(200 - index)}, {label: 'P', value: '12'}]}}));
client.value = {...screen, sections: [{...screen.sections[1], items}]};
setTimeout(() => {
  let [moved, seed] = [0, 1];
  const below = (count) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % count;
  const timer = setInterval(() => client.change('standings', (list) => {
    const [one] = list.splice(below(15), 1);
    list.splice(below(15), 0, one);
    moved += 1;
    return list;
  }), 50);
  const times = [];
  const start = performance.now();
  let last = start;
  const tick = (now) => {
    times.push(now - last);
    last = now;
    if (now - start < MILLISECONDS) return requestAnimationFrame(tick);
    clearInterval(timer);
    times.shift();
    times.sort((a, b) => a - b);
    done({framesPerSecond: times.length / ((now - start) / 1000), rowsMoved: moved, median: times[times.length >> 1],
      percentile95: times[Math.floor(times.length * 0.95)], worst: times.at(-1)});
  };
  requestAnimationFrame(tick);
}, 500);
""".replace("MILLISECONDS", str(SECONDS * 1000))


def main():
    problem = browser.missing()
    if problem:
        sys.exit(f"{problem} isn't installed")
    server, address = browser.serve()
    driver = browser.start()
    try:
        browser.open_page(driver, address, "screen=league-home-en")
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        before = metrics(driver)
        result = driver.execute_async_script(SCRIPT)
        after = metrics(driver)
        # Of the page's thread, which counts on a busy machine as well.
        result["processorMillisecondsPerUpdate"] = 1000 * (after - before) / result["rowsMoved"]
        print(json.dumps({name: round(value, 1) for name, value in result.items()}))
    finally:
        driver.quit()
        server.shutdown()


def metrics(driver):
    listed = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(one["value"] for one in listed if one["name"] == "TaskDuration")


main()
