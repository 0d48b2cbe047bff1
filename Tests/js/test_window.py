#!/usr/bin/env python3
"""The window of a server in a headless Chromium; skipped without chromium, chromedriver and python3-selenium, or without
a built server."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.request

import browser

SERVER = os.environ.get("MARQUEE_SERVER_BIN", f"{browser.ROOT}/.build/debug/marquee-server")
MISSING = browser.missing() or (None if os.access(SERVER, os.X_OK) else SERVER)
LEAGUE = f"{browser.ROOT}/Samples/league"
MATCH = "r13-foundry-highmoor"
# Seconds until something that has to happen counts as missing.
PATIENCE = 30
# A title that would run, if it were ever taken for HTML.
HOSTILE = "<img src=x onerror=\"document.title='taken'\">"

HELPERS = """
const byId = (id) => document.getElementById(id);
const devices = [...document.querySelectorAll('marquee-screen')];
const texts = devices.map((one) => one.shadowRoot.textContent);
const press = (id) => (byId(id).click(), true);
const button = (words) => [...document.querySelectorAll('#record button')].find((one) => one.textContent === words);
const log = [...document.querySelectorAll('#wire-log li span')].map((one) => one.textContent).reverse();
const chip = (id, words) => [...byId(id).querySelectorAll('label')].find((one) => one.textContent === words).control;
"""


@unittest.skipIf(MISSING, f"{MISSING} isn't there")
class WindowTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="marquee-window-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        data = f"{cls.folder}/data"
        for kind, file in (("types", "types.yaml"), ("ndjson", "catalogue.ndjson")):
            subprocess.run([SERVER, "import", kind, f"{LEAGUE}/{file}", "--data", data], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.process = subprocess.Popen(
            [SERVER, "serve", "--data", data, "--programme", f"{LEAGUE}/programme.yaml", "--open",
             "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.addClassCleanup(cls.process.stdout.close)
        cls.addClassCleanup(cls.process.wait)
        cls.addClassCleanup(cls.process.kill)
        cls.address = next(line.split(" on ")[1].strip() for line in cls.process.stdout if line.startswith("window on "))
        cls.driver = browser.start(1440, 900)
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        self.driver.get(self.address)
        self.driver.execute_script("localStorage.clear()")
        self.driver.get(f"{self.address}#home")
        self.driver.refresh()
        self.until("return texts.length === 4 && texts.every((one) => one.includes('Highmoor') || one.includes('하이무어'))")

    def run_script(self, script):
        return self.driver.execute_script(HELPERS + script)

    def until(self, script):
        """Waits until a script returns something true."""
        until = time.monotonic() + PATIENCE
        while not (value := self.run_script(script)):
            self.assertLess(time.monotonic(), until, f"{script}: {self.driver.get_log('browser')}")
            time.sleep(0.05)
        return value

    def publish(self, record, agent="scoreboard/2"):
        request = urllib.request.Request(
            f"{self.address}v1/records/match/{MATCH}", data=json.dumps(record).encode(), method="PATCH",
            headers={"Content-Type": "application/json", "User-Agent": agent})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["revision"]

    def pick(self):
        """Explains the match."""
        self.run_script(f"""
            const item = devices[0].elementOf('live', 'match/{MATCH}') ?? devices[0].elementOf('live', '{MATCH}');
            item.querySelector('.card').click();""")
        self.until("const text = document.querySelector('textarea'); return text && text.value.includes('minute')")

    def test_a_change_reaches_every_device_and_says_who_published_what_and_which_rows_changed(self):
        revision = self.publish({"minute": 44})
        self.until("return texts.filter((one) => one.includes('44 min') || one.includes('44분')).length === 4")
        self.until(f"""
            const entry = [...document.querySelectorAll('.commit')]
              .find((one) => one.querySelector('b').textContent === '{revision}');
            return entry && entry.textContent.includes('scoreboard/2') && entry.textContent.includes('match/{MATCH}')
              && entry.querySelector('.rows')?.textContent.includes('→ 44 min');""")

    def test_devices_languages_schemes_and_directions_are_side_by_side(self):
        self.run_script("chip('locales', 'Korean').click(); chip('themes', 'Dark').click();"
                        "chip('widths', '390').click(); chip('widths', '320').click(); chip('widths', '768').click();"
                        "chip('directions', 'Right to left').click();")
        # The last width that is left can't be taken away; the first click had to wait for another one.
        self.run_script("chip('widths', '390').click()")
        self.until("""return devices.map((one) => `${one.clientWidth} ${one.theme} ${one.getAttribute('dir')}`).join()
          === '320 light null,320 light rtl,768 light null,768 light rtl'""")

    def test_an_item_is_explained_by_its_record_the_programmes_lines_and_its_frame(self):
        self.pick()
        self.assertIn("- id: live", self.until("return document.querySelector('.code')?.textContent"))
        words = self.run_script("return byId('why').textContent")
        for part in ("live (list)", f"match/{MATCH}", "390 × 844", "column, fw 1 × abs 68", "16, 44 · 358 × 68"):
            self.assertIn(part, words)

    def test_a_record_is_checked_published_and_published_again_as_it_was(self):
        self.publish({"minute": 50})
        self.until("return texts[0].includes('50 min')")
        self.pick()
        self.until("return document.querySelector('textarea').value.includes('\"minute\": 50')")
        edit = """const text = document.querySelector('textarea');
            text.value = text.value.replace('%s', '%s'); text.dispatchEvent(new Event('input')); return true"""
        self.run_script(edit % ('"minute": 50', '"minut": 51'))
        self.run_script("button('Check').click()")
        self.assertIn("did you mean 'minute'", self.until("return document.querySelector('.mistakes').textContent"))
        self.assertTrue(self.run_script("""const text = document.querySelector('textarea');
            return text.value.slice(text.selectionStart, text.selectionEnd).includes('"minut"')"""))
        self.assertTrue(self.run_script("return texts[0].includes('50 min')"))
        self.run_script(edit % ('"minut": 51', '"minute": 51'))
        self.until("button('Publish').click(); return texts[0].includes('51 min')")
        self.until("return byId('record').textContent.includes('this page received')")
        self.until("button('Undo').click(); return texts[0].includes('50 min')")

    def test_a_damaged_byte_is_noticed_and_what_was_missed_offline_comes_later(self):
        self.run_script("press('tab-wire'); press('wire-damage')")
        self.until("return log.some((one) => one.includes('FRAME_DAMAGED')) && log.at(-1).includes('current again')")
        self.run_script("press('wire-offline')")
        self.until("return byId('state-words').textContent === 'Waiting'")
        self.publish({"minute": 61})
        self.assertFalse(self.run_script("return texts[0].includes('61 min')"))
        self.run_script("press('wire-online')")
        self.until("return texts[0].includes('61 min') && log.at(-1).includes('current again')")

    def test_the_keyboard_leads_through_the_tabs_and_explains_an_item(self):
        from selenium.webdriver.common.keys import Keys
        self.run_script("byId('tab-timeline').focus()")
        self.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
        self.until("return document.activeElement.id === 'tab-clients' && !byId('panel-clients').hidden")
        self.until("return byId('clients').textContent.includes('window')")
        self.run_script("devices[0].shadowRoot.querySelector('.item [tabindex=\"0\"]').focus()")
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.until("return !byId('panel-item').hidden && byId('why').textContent.includes('live (list)')")
        self.assertEqual(self.run_script("return location.hash"), "#home")

    def test_titles_and_agents_stay_text_and_the_policy_refuses_nothing_that_the_page_does(self):
        self.publish({"kickoff": HOSTILE}, agent=HOSTILE)
        self.until("return byId('timeline').textContent.includes('onerror')")
        self.run_script("location.hash = 'match/%s'" % MATCH)
        self.until("return document.title.startsWith('match/') && texts.every((one) => one.includes('Foundry') || one.includes('파운드리'))")
        self.assertFalse(self.run_script("return document.title === 'taken' || document.querySelector('[onerror]') !== null"))
        refusals = [line for line in self.driver.get_log("browser") if "Content Security Policy" in line["message"]]
        self.assertEqual(refusals, [])

    def test_nothing_is_wider_than_a_phone(self):
        for width in (390, 768, 1440):
            browser.resize(self.driver, width, 900)
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
        browser.resize(self.driver, 1440, 900)


if __name__ == "__main__":
    unittest.main()
