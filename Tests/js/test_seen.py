#!/usr/bin/env python3
"""What `<marquee-screen>` reports as seen, in a browser at a server's web door; skipped without a browser, see
browser.py, or without a built server."""

import json
import shutil
import subprocess
import tempfile
import unittest

import browser
import league

POLICY = "default-src 'self'; connect-src ws://127.0.0.1:* http://127.0.0.1:*"
PROGRAMME = """
impressions: {share: 0.5, for: 100ms, again: 0s}
taps: true
screens:
  home:
    title: Home
    sections:
      - {id: teams, kind: list, body: {card: {title: $name}},
         source: {records: {type: team, sort: founded, limit: 20}}}
"""
PRELUDE = """
  const until = async (fits) => { while (!fits()) await new Promise((resolve) => setTimeout(resolve, 5)); };
"""


@unittest.skipIf(league.MISSING, f"{league.MISSING} isn't there")
class SeenTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="marquee-seen-")
        cls.data = f"{cls.folder}/data"
        league.fill(cls.data)
        with open(f"{cls.folder}/programme.yaml", "w") as file:
            file.write(PROGRAMME)
        cls.pages, cls.address = browser.serve(POLICY)
        cls.server = league.Server(
            cls.data, "--open", "--web-origin", cls.address, programme=f"{cls.folder}/programme.yaml")
        cls.door = cls.server.door()
        cls.driver = browser.start()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.server.close()
        cls.pages.shutdown()
        cls.pages.server_close()
        shutil.rmtree(cls.folder)

    def run_script(self, script):
        """Runs the body of an async function, and returns what it returns."""
        result = self.driver.execute_async_script(f"""
            const done = arguments[0];
            (async () => {{ const door = {json.dumps(self.door)}; {PRELUDE}{script} }})().then(
              (value) => done({{value}}), (error) => done({{error: `${{error}} ${{error.stack}}`}}));""")
        self.assertNotIn("error", result)
        return result["value"]

    def seen(self, kind="seen"):
        output = subprocess.run([league.SERVER, "seen", "--data", self.data], check=True, stdout=subprocess.PIPE, text=True)
        return [line for line in map(json.loads, output.stdout.splitlines()) if line["kind"] == kind]

    def test_only_what_is_in_the_window_counts_and_only_when_the_page_asks_for_it(self):
        self.driver.get(f"{self.address}/Tests/js/page.html?late")
        shown = self.run_script("""
          await import('/Client/js/screen.js');
          const { SeenReporter } = await import('/Client/js/src/seen.js');
          document.body.innerHTML = `<marquee-screen src="ws://${door}" screen="home"></marquee-screen>`;
          const element = window.element = document.querySelector('marquee-screen');
          element.style.setProperty('--marquee-height', '300px');
          await until(() => element.content?.live && element.itemsInDocument().length > 0);
          window.Seen = SeenReporter;
          return element.content.sections[0].items.map(({ id }) => id);""")
        self.assertEqual(self.seen(), [])
        reports = self.run_script("""
          const reporter = window.reporter = new Seen(`http://${door}`, { store: localStorage, name: 'test' });
          const waits = () => JSON.parse(localStorage['marquee-seen/test'] ?? '{}').waiting?.length > 0;
          // In view for longer and longer, until that is long enough.
          for (let frames = 10; !waits(); frames *= 2) {
            reporter.watch(element);
            for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
            reporter.unwatch(element);
            reporter.saw(element.content, {});
            await navigator.locks.query();
          }
          const box = element.getBoundingClientRect();
          const inside = ({ root }) => {
            const { top, bottom, height } = root.getBoundingClientRect();
            return Math.min(bottom, box.bottom, innerHeight) - Math.max(top, box.top, 0) >= height * 0.52;
          };
          const outside = ({ root }) => {
            const { top, bottom, height } = root.getBoundingClientRect();
            return Math.min(bottom, box.bottom, innerHeight) - Math.max(top, box.top, 0) <= height * 0.4;
          };
          const all = element.itemsInDocument();
          await reporter.flush();
          return [all.filter(inside).map(({ item }) => item), all.filter(outside).map(({ item }) => item)];""")
        seen = [line["item"] for line in self.seen()]
        inside, outside = reports
        self.assertTrue(set(inside) <= set(seen), (inside, seen))
        self.assertFalse(set(outside) & set(seen), (outside, seen))
        self.assertTrue(outside, "items beyond the edge are in the document, too")
        self.assertLess(len(seen), len(shown))
        self.assertEqual(len(seen), len(set(seen)))
        self.assertTrue(all(line["for"] >= 100 and line["section"] == "teams" for line in self.seen()))

    def test_a_tap_counts(self):
        self.driver.get(f"{self.address}/Tests/js/page.html?late")
        item = self.run_script("""
          await import('/Client/js/screen.js');
          const { SeenReporter } = await import('/Client/js/src/seen.js');
          document.body.innerHTML = `<marquee-screen src="ws://${door}" screen="home"></marquee-screen>`;
          const element = document.querySelector('marquee-screen');
          await until(() => element.content?.live && element.itemsInDocument().length > 1);
          const reporter = new SeenReporter(`http://${door}`);
          reporter.watch(element);
          const { item, root } = element.itemsInDocument()[1];
          (root.querySelector('.card') ?? root).click();
          reporter.unwatch(element);
          await reporter.flush();
          return item;""")
        taps = [(line["item"], line["place"]) for line in self.seen("tap")]
        self.assertEqual(taps, [(item, 2)])


if __name__ == "__main__":
    unittest.main()
