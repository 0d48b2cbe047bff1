#!/usr/bin/env python3
"""The sample page in a browser, with the client in JavaScript, at a server's web door; skipped without a browser, see
browser.py, or without a built server."""

import json
import shutil
import tempfile
import time
import unittest
import urllib.request

import browser
import league

# The page has its script and its styles within itself.
POLICY = "default-src 'self' 'unsafe-inline'; connect-src ws://127.0.0.1:*"
# Seconds until something that has to happen counts as missing.
PATIENCE = 30


@unittest.skipIf(league.MISSING, f"{league.MISSING} isn't there")
class SamplePageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="marquee-page-")
        data = f"{cls.folder}/data"
        league.fill(data)
        cls.pages, cls.address = browser.serve(POLICY)
        cls.server = league.Server(data, "--open", "--web-origin", cls.address)
        cls.door = cls.server.door()
        cls.driver = browser.start()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.server.close()
        cls.pages.shutdown()
        cls.pages.server_close()
        shutil.rmtree(cls.folder)

    def until(self, script):
        """Waits until a script that sees the element's root and the page's state returns something true."""
        until = time.monotonic() + PATIENCE
        prelude = "const root = document.querySelector('marquee-screen').shadowRoot; if (!root) return false; "
        while not (value := self.driver.execute_script(prelude + script)):
            self.assertLess(time.monotonic(), until, f"{script}: {browser.problems(self.driver)}")
            time.sleep(0.05)
        return value

    def publish(self, minute):
        change = {"merge": {"type": "match", "id": "r13-foundry-highmoor", "record": {"minute": minute}}}
        request = urllib.request.Request(f"http://{self.door}/v1/publish", data=json.dumps(change).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            self.assertTrue(json.load(answer)["changed"])

    def test_it_is_live_keeps_favorites_and_shows_all_that_without_a_server(self):
        self.driver.get(f"{self.address}/Samples/web-page/index.html?server=ws://{self.door}")
        self.until("return root.textContent.includes('31 min') && document.querySelector('output').value === 'connected'")
        self.publish(35)
        self.until("return root.textContent.includes('35 min')")
        star = "[...root.querySelectorAll('.item')].find((one) => one.dataset.id === 'r13-foundry-highmoor' || "
        star += "one.dataset.id === 'match/r13-foundry-highmoor').querySelector('[aria-pressed]')"
        self.until(f"const star = {star}; if (star.ariaPressed === 'true') return true; star.click(); return false")
        self.driver.execute_script("location.hash = 'favorites'")
        self.until("return root.textContent.includes('Highmoor') && !root.textContent.includes('Table')")
        self.driver.execute_script("location.hash = 'home'")
        self.until("return root.textContent.includes('Table')")
        self.server.process.kill()
        self.driver.refresh()
        self.until("return document.querySelector('output').value === 'waiting' && root.textContent.includes('35 min')")
        self.assertEqual(self.until(f"return {star}.ariaPressed"), "true")


if __name__ == "__main__":
    unittest.main()
