#!/usr/bin/env python3
"""The window of a server in a browser; skipped without one, see browser.py, or without a built server."""

import json
import os
import shutil
import tempfile
import time
import unittest
import urllib.request

import browser
import league
import qr

MATCH = "r13-foundry-highmoor"
# Seconds until something that has to happen counts as missing.
PATIENCE = 30
# A title that would run, if it were ever taken for HTML.
HOSTILE = "<img src=x onerror=\"document.title='taken'\"></script><script>document.title='taken'</script>"
# A name of the server that isn't this computer's own, for the browser alone.
NAME = "phone.test"
# Texts up to this length have a code.
LONGEST_CODE = 213

HELPERS = """
const byId = (id) => document.getElementById(id);
const devices = [...document.querySelectorAll('marquee-screen')];
const texts = devices.map((one) => one.shadowRoot.textContent);
const press = (id) => (byId(id).click(), true);
const button = (words, editor = 'record') =>
  [...document.querySelectorAll(`#${editor} button`)].find((one) => one.textContent === words);
const edit = (editor, from, to) => {
  const text = document.querySelector(`#${editor} textarea`);
  const before = text.value;
  text.value = before.replace(from, to);
  text.dispatchEvent(new Event('input'));
  return text.value !== before;
};
const selected = (editor) => {
  const text = document.querySelector(`#${editor} textarea`);
  return document.activeElement === text && text.value.slice(text.selectionStart, text.selectionEnd);
};
const log = [...document.querySelectorAll('#wire-log li span')].map((one) => one.textContent).reverse();
const marks = [...document.querySelectorAll('.mark')].map((one) => one.textContent).join();
const chip = (id, words) => [...byId(id).querySelectorAll('label')].find((one) => one.textContent === words).control;
"""


@unittest.skipIf(league.MISSING, f"{league.MISSING} isn't there")
class WindowTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="marquee-window-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        data = f"{cls.folder}/data"
        league.fill(data)
        cls.guarded = shutil.copytree(data, f"{cls.folder}/guarded")
        cls.programme = cls.programme_for_audiences()
        server = league.Server(data, "--open", "--web-host", NAME, programme=cls.programme)
        cls.addClassCleanup(server.close)
        cls.address = server.address("window")
        cls.driver = browser.start(1440, 900, f"--host-resolver-rules=MAP {NAME} 127.0.0.1")
        browser.download_to(cls.driver, cls.folder)
        cls.addClassCleanup(cls.driver.quit)

    @classmethod
    def programme_for_audiences(cls):
        """The league's, with a table that is called otherwise for one audience."""
        with open(f"{league.FILES}/programme.yaml", encoding="utf-8") as file:
            text = file.read()
        text = text.replace("locales: [en, ko]", "locales: [en, ko]\naudiences: {premium: {plan: plus}}", 1)
        text = text.replace("header: {en: Table, ko: 순위표}", "header: [{audience: premium, use: Premium}, {en: Table, ko: 순위표}]")
        with open(f"{cls.folder}/programme.yaml", "w", encoding="utf-8") as file:
            file.write(text)
        return file.name

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
            self.assertLess(time.monotonic(), until, f"{script}: {browser.problems(self.driver)}")
            time.sleep(0.05)
        return value

    def publish(self, record, agent="scoreboard/2"):
        request = urllib.request.Request(
            f"{self.address}v1/records/match/{MATCH}", data=json.dumps(record).encode(), method="PATCH",
            headers={"Content-Type": "application/json", "User-Agent": agent})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["revision"]

    def publish_lines(self, *lines):
        body = "\n".join(json.dumps(line) for line in lines)
        request = urllib.request.Request(
            f"{self.address}v1/publish", data=body.encode(), headers={"Content-Type": "application/x-ndjson"})
        urllib.request.urlopen(request, timeout=PATIENCE).close()

    def put_into_spring(self, record):
        self.publish_lines({"draft": "spring"}, {"merge": {"type": "match", "id": MATCH, "record": record}})

    def publish_hostile_kickoff(self):
        """Also the match's place in lists is another one until the test ends."""
        with urllib.request.urlopen(f"{self.address}v1/records/match/{MATCH}", timeout=PATIENCE) as answer:
            kickoff = json.load(answer)["kickoff"]
        self.addCleanup(self.publish, {"kickoff": kickoff})
        self.publish({"kickoff": HOSTILE}, agent=HOSTILE)

    def pick(self):
        """Explains the match."""
        self.run_script(f"""
            const item = devices[0].elementOf('live', 'match/{MATCH}') ?? devices[0].elementOf('live', '{MATCH}');
            item.querySelector('.card').click();""")
        self.until("return document.querySelector('#record textarea').value.includes('minute')")

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
        self.until("return edit('record', '\"minute\": 50', '\"minut\": 51')")
        self.run_script("button('Check').click()")
        self.assertIn("did you mean 'minute'", self.until("return document.querySelector('#record .mistakes').textContent"))
        self.assertIn('"minut"', self.run_script("return selected('record')"))
        self.assertTrue(self.run_script("return texts[0].includes('50 min')"))
        self.run_script("edit('record', '\"minut\": 51', '\"minute\": 51'); button('Check').click()")
        self.until("""return /sends \\d+ B to each client that shows home in English/.test(byId('record').textContent)
          && document.querySelector('#record .rows').textContent.includes('50 min → 51 min')""")
        self.until("button('Publish').click(); return texts[0].includes('51 min')")
        self.until("return byId('record').textContent.includes('this page received')")
        self.until("button('Undo').click(); return texts[0].includes('50 min')")

    def test_the_programme_shows_a_mistake_at_its_line_and_its_patch_before_it_is_published_and_undone(self):
        self.run_script("press('tab-edit')")
        self.until("return edit('programme', '- id: results', '- idd: results')")
        self.run_script("button('Check', 'programme').click()")
        mistakes = self.until("return document.querySelector('#programme .mistakes').textContent")
        self.assertIn("a section has no key 'idd'", mistakes)
        self.assertEqual(self.run_script("return selected('programme').trim()"), "- idd: results")
        line = self.run_script("return byId('programme').querySelector('textarea').value.split('- idd')[0].split('\\n').length")
        self.assertTrue(mistakes.startswith(f"Line {line}: "), mistakes)
        self.run_script("""edit('programme', '- idd: results', '- id: results');
            edit('programme', 'header: {en: Live', 'header: {en: Being played'); button('Check', 'programme').click()""")
        self.until("""return /sends \\d+ B to each client that shows home in English/.test(byId('programme').textContent)
          && byId('programme').querySelector('.rows').textContent === 'The section Live is called Being played'""")
        self.assertFalse(self.run_script("return texts[0].includes('Being played')"))
        self.run_script("button('Publish', 'programme').click()")
        self.until("return texts[0].includes('Being played') && byId('programme').textContent.includes('this page received')")
        self.run_script("button('Undo', 'programme').click()")
        self.until("""return !texts[0].includes('Being played')
          && byId('programme').querySelector('textarea').value.includes('{en: Live')""")

    def test_the_patch_is_that_of_the_screen_with_what_was_chosen_on_it(self):
        self.run_script("devices[0].client.setOptions('home', { locale: 'en', windows: { results: 12 } }); return true")
        self.until("return devices[0].content.sections.find(({ id }) => id === 'results').items.length === 12")
        self.run_script("press('tab-edit')")
        self.until("return edit('programme', 'en: Latest results', 'en: Newest results')")
        self.run_script("button('Check', 'programme').click()")
        self.until("return byId('programme').textContent.includes('Latest results is called Newest results')")
        asked = self.run_script("return performance.getEntriesByType('resource').map((one) => one.name)")
        self.assertIn(f"{self.address}v1/publish?dry-run&preview=home&locale=en&window.results=12", asked)
        # The section is gone, and what was chosen of it.
        self.run_script("""edit('programme', 'en: Newest results', 'en: Latest results');
            edit('programme', 'id: results', 'id: newest'); button('Check', 'programme').click()""")
        self.until("return byId('programme').querySelector('.rows').textContent.includes('The section Latest results is gone')")

    def test_the_programmes_lines_of_an_item_are_edited_where_they_are(self):
        self.pick()
        self.until("return document.querySelector('.code')")
        self.run_script("[...document.querySelectorAll('#why button')].find((one) => one.textContent === 'Edit these lines').click()")
        self.assertEqual(self.until("return selected('programme')").strip(), "- id: live")

    def test_types_show_a_mistake_at_their_line_and_are_published_and_undone(self):
        self.run_script("press('tab-edit'); press('edit-types')")
        self.until("return edit('types', 'sorts: [founded]', 'sortz: [founded]')")
        self.run_script("button('Check', 'types').click()")
        self.assertIn("a type has no key 'sortz'", self.until("return document.querySelector('#types .mistakes').textContent"))
        self.assertEqual(self.run_script("return selected('types').trim()"), "sortz: [founded]")
        self.run_script("""edit('types', 'sortz: [founded]', 'sorts: [founded] # by age');
            button('Check', 'types').click()""")
        self.until("return byId('types').textContent.includes('Nothing changes for each client that shows home')")
        self.run_script("button('Publish', 'types').click()")
        self.until("return byId('types').textContent.includes('Published as revision')")
        self.assertIn("# by age", self.types()["declarations"])
        self.run_script("button('Undo', 'types').click()")
        self.until("return byId('types').textContent.includes('is published again')")
        self.assertNotIn("# by age", self.types()["declarations"])

    def test_a_preview_is_another_readers_with_a_draft_and_follows_both_until_it_is_live_again(self):
        from selenium.webdriver.common.keys import Keys
        self.publish({"minute": 40, "home_goals": 1})
        self.put_into_spring({"minute": 88})
        self.run_script("press('preview-open')")
        self.until("return [...byId('preview-draft').options].some(({ value }) => value === 'spring')")
        self.assertEqual(self.run_script("return document.activeElement.id"), "preview-reader")
        self.run_script("byId('preview-draft').value = 'spring'")
        browser.press(self.driver, "plan=plus", Keys.ENTER)
        self.until("return texts.every((one) => one.includes('Premium') && /88 ?(min|분)/.test(one))")
        self.until("return marks === 'Preview,Preview,Preview,Preview'")
        words = self.run_script("return byId('previewed').textContent")
        for part in ("Preview as plan=plus · now · with the draft spring", "By audience: Premium for premium."):
            self.assertIn(part, words)
        self.assertNotIn("plus", self.run_script("return location.href + Object.values(localStorage)"))
        # A commit, and an edit of the draft.
        self.publish({"home_goals": 7})
        self.until("return texts.every((one) => one.includes('7:') && /88 ?(min|분)/.test(one))")
        self.put_into_spring({"minute": 89})
        self.until("return texts.every((one) => /89 ?(min|분)/.test(one))")
        # The last picture stays when the server refuses the next one.
        self.run_script("byId('preview-reader').value = 'plann=plus'; press('preview-show')")
        self.until("""return byId('previewed-trouble').textContent.includes("did you mean 'plan'")""")
        self.assertEqual(self.run_script("return marks"), ",".join(["Not the preview"] * 4))
        self.assertTrue(self.run_script("return texts.every((one) => one.includes('Premium'))"))
        self.run_script("byId('preview-reader').value = ''; byId('preview-then').click(); press('preview-show')")
        self.until("return marks.startsWith('Preview,') && texts.every((one) => !one.includes('Premium'))")
        self.assertRegex(self.run_script("return byId('previewed-words').textContent"), "Preview on .* · with the draft spring")
        self.publish_lines({"draft": {"drop": "spring"}})
        self.until("""return byId('previewed-trouble').textContent.includes("no draft 'spring'")
          && marks.startsWith('Preview, not current')""")
        self.assertTrue(self.run_script("return texts.every((one) => /89 ?(min|분)/.test(one))"))
        self.run_script("press('preview-end')")
        self.until("return texts.every((one) => /40 ?(min|분)/.test(one)) && byId('previewed').hidden && marks === ',,,'")
        self.assertEqual(self.run_script("return document.activeElement.id"), "preview-open")

    def test_without_the_right_the_preview_names_the_scope_that_is_needed(self):
        server = league.Server(self.guarded, programme=self.programme)
        self.addCleanup(server.close)
        self.driver.get(server.address("window"))
        # It knows no users.
        self.run_script("byId('user').value = ''; byId('credentials-form').requestSubmit(); press('preview-open')")
        self.until("""return byId('preview-note').textContent.includes('publish :programme') && byId('preview-show').disabled
          && byId('preview-reader').disabled && byId('preview-drafts').hidden""")

    def types(self):
        with urllib.request.urlopen(f"{self.address}v1/types", timeout=PATIENCE) as answer:
            return json.load(answer)["types"]

    @browser.not_in_webkit
    def test_a_recording_is_one_file_that_plays_without_a_server(self):
        self.publish({"minute": 70})
        self.until("return texts.filter((one) => one.includes('70 min') || one.includes('70분')).length === 4")
        self.run_script("document.querySelectorAll('.recording')[2].click()")
        self.until("return byId('recording').textContent.includes('Recording 390 × 844, Korean · light')")
        for change, words in (({"minute": 71}, "71분"), ({"minute": 72, "home_goals": 9}, "72분")):
            self.publish(change)
            self.until(f"return texts[2].includes('{words}')")
        self.run_script("location.hash = 'match/%s'" % MATCH)
        self.until("return texts[2].includes('라운드') && byId('recording').textContent.includes('3 changes')")
        self.run_script("document.querySelectorAll('.recording')[2].click()")
        name = self.until("return byId('recording').querySelector('a')?.download")
        self.until_file(f"{self.folder}/{name}")

        self.driver.get(f"file://{self.folder}/{name}")
        self.until("return texts[0]?.includes('70분') && !texts[0].includes('71분')")
        press = "[...document.querySelectorAll('button')].find((one) => one.textContent === '%s').click()"
        self.run_script(press % "Next change")
        self.until("return texts[0].includes('71분') && byId('change').textContent === 'Change 1 of 3'")
        self.run_script(press % "Next change")
        self.until("return texts[0].includes('72분') && texts[0].includes('9:')")
        self.run_script(press % "Previous change")
        self.until("return texts[0].includes('71분')")
        self.run_script("byId('speed').value = '16'; byId('speed').dispatchEvent(new Event('change')); byId('play').click()")
        self.until("return byId('play').textContent === 'Play' && byId('time').value === byId('time').max")
        self.until("return devices[0].screen.startsWith('match/') && !texts[0].includes('71분')")
        from selenium.webdriver.common.keys import Keys
        self.driver.find_element("id", "time").send_keys(Keys.HOME)
        self.until("return texts[0].includes('70분') && byId('time').getAttribute('aria-valuetext').startsWith('0:00 of')")
        loaded = self.run_script("return performance.getEntriesByType('resource').map((one) => one.name)")
        self.assertEqual([address for address in loaded if not address.startswith("data:")], [])
        for width in (390, 768, 1440):
            browser.resize(self.driver, width, 900)
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
        browser.resize(self.driver, 1440, 900)
        self.assertEqual([line for line in browser.problems(self.driver) if "Content Security" in line], [])

    def until_file(self, path):
        until = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), until, os.listdir(self.folder))
            time.sleep(0.05)

    @browser.not_in_webkit
    def test_a_recording_ends_by_itself_when_its_device_goes_and_titles_in_it_stay_text(self):
        self.publish_hostile_kickoff()
        self.run_script("location.hash = 'match/%s'" % MATCH)
        self.until("return texts.every((one) => one.includes('onerror'))")
        self.run_script("document.querySelectorAll('.recording')[0].click()")
        self.until("return byId('recording').textContent.includes('Recording')")
        self.run_script("chip('locales', 'English').click()")
        name = self.until("return byId('recording').querySelector('a')?.download")
        self.until_file(f"{self.folder}/{name}")
        with open(f"{self.folder}/{name}", encoding="utf-8") as file:
            self.assertNotIn("<img", file.read())
        self.driver.get(f"file://{self.folder}/{name}")
        self.until("return texts[0]?.includes('onerror')")
        self.assertTrue(self.run_script("return document.title.startsWith('match/') && document.querySelector('[onerror]') === null"))

    @browser.not_in_webkit
    def test_a_phone_is_led_to_the_screen_by_a_code_unless_it_cannot_reach_it(self):
        self.run_script("byId('phone').open = true")
        self.until("return byId('phone-card').textContent.includes('--web 0.0.0.0:')")
        self.assertIsNone(self.run_script("return byId('phone-card').querySelector('svg')"))
        address = self.address.replace("127.0.0.1", NAME) + "#match/" + MATCH
        self.driver.get(address)
        self.run_script("byId('phone').open = true")
        drawn = self.until("""
            const path = byId('phone-card').querySelector('path');
            if (!path) return null;
            const size = path.ownerSVGElement.viewBox.baseVal.width;
            const all = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) =>
              (path.isPointInFill(new DOMPoint(x + 0.5, y + 0.5)) ? '1' : '0')).join(''));
            return all;""")
        size = len(drawn)
        quiet = [row for k, row in enumerate(drawn) if k < 4 or k >= size - 4] + [row[:4] + row[-4:] for row in drawn]
        self.assertNotIn("1", "".join(quiet))
        self.assertEqual(qr.read([row[4:-4] for row in drawn[4:-4]]), address)

    def test_a_code_of_each_version_is_read_again(self):
        codes = self.driver.execute_async_script("""
            const [origin, lengths, done] = arguments;
            import(`${origin}window/qr.js`).then(({ codeOf, correctionOf }) => done([
              lengths.map((length) => codeOf('https://예.example/'.padEnd(length - 2, 'aB3/'))?.map((row) => row.map(Number).join(''))),
              correctionOf([0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11], 10),
            ]));""", self.address, [*range(26, LONGEST_CODE + 1, 11), LONGEST_CODE, LONGEST_CODE + 1])
        self.assertIsNone(codes[0].pop())
        for rows in codes[0]:
            self.assertTrue(qr.read(rows).startswith("https://예.example/aB3"))
        self.assertEqual({len(rows) for rows in codes[0]}, {17 + 4 * version for version in range(2, 11)})
        # The example of the standard's annex I.
        self.assertEqual(codes[1], [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55])

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
        browser.press(self.driver, Keys.ARROW_LEFT)
        self.until("return document.activeElement.id === 'tab-clients' && !byId('panel-clients').hidden")
        self.until("return byId('clients').textContent.includes('window')")
        self.run_script("devices[0].shadowRoot.querySelector('.item [tabindex=\"0\"]').focus()")
        browser.press(self.driver, Keys.ENTER)
        self.until("return !byId('panel-item').hidden && byId('why').textContent.includes('live (list)')")
        self.assertEqual(self.run_script("return location.hash"), "#home")

    def test_titles_and_agents_stay_text_and_the_policy_refuses_nothing_that_the_page_does(self):
        self.publish_hostile_kickoff()
        self.until("return byId('timeline').textContent.includes('onerror')")
        self.run_script("location.hash = 'match/%s'" % MATCH)
        self.until("return document.title.startsWith('match/') && texts.every((one) => one.includes('Foundry') || one.includes('파운드리'))")
        self.assertFalse(self.run_script("return document.title === 'taken' || document.querySelector('[onerror]') !== null"))
        refusals = [line for line in browser.problems(self.driver) if "Content Security Policy" in line]
        self.assertEqual(refusals, [])

    @browser.not_in_webkit
    def test_nothing_is_wider_than_a_phone(self):
        self.run_script("press('tab-edit'); press('preview-open'); press('preview-then'); byId('phone').open = true")
        self.until("return byId('phone-card').textContent && document.querySelector('#programme textarea').value")
        for width in (390, 768, 1440):
            browser.resize(self.driver, width, 900)
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
            left = self.run_script("return byId('phone-card').getBoundingClientRect().left")
            self.assertGreaterEqual(left, 0)
        browser.resize(self.driver, 1440, 900)


if __name__ == "__main__":
    unittest.main()
