#!/usr/bin/env python3
"""Tests of `<marquee-screen>` in a browser; skipped without one, see browser.py."""

import json
import os
import sys
import unittest

import browser

MISSING = browser.missing()
SCREENS = sorted(name[:-5] for name in os.listdir(f"{browser.ROOT}/Tests/js/screens"))
# How far from its frame an item's rectangle may be: the browser counts in 64ths.
TOLERANCE = 0.05

# Functions for scripts in the page.
HELPERS = """
const {element, client, events} = page;
const root = element.shadowRoot;
const scroller = root.querySelector('.scroller');
const items = () => [...root.querySelectorAll('.item')].filter((one) => !one.inert && one.dataset.id);
const section = (id) => [...root.querySelectorAll('.section')].find(
  (one) => one.getAttribute('aria-labelledby') === `title-${id}`);
const item = (id) => items().find((one) => one.dataset.id === id);
const frames = (count) => new Promise((resolve) => {
  const step = () => (count-- > 0 ? requestAnimationFrame(step) : resolve());
  step();
});
const rest = () => frames(2).then(() => Promise.all(root.getAnimations().map((one) => one.finished.catch(() => 0))))
  .then(() => frames(2));
const until = async (holds) => { while (!holds()) await frames(1); };
const list = (count, more) => Array.from({length: count}, (_, index) => (
  {id: `t${index}`, subject: `team/${index}`, favorite: 'no', card: {title: `Team ${index}`, ...more}}));
const show = (sections) => { client.value = {id: 'home', locale: 'en', title: 'Test', sections}; };
"""


@unittest.skipIf(MISSING, f"{MISSING} isn't installed")
class ScreenTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.address = browser.serve()
        cls.driver = browser.start()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.server.shutdown()

    def setUp(self):
        browser.resize(self.driver, 390, 844)
        browser.media(self.driver, prefers_reduced_motion="no-preference", prefers_color_scheme="light")

    def tearDown(self):
        self.assertEqual(browser.problems(self.driver), [])

    def open(self, screen="league-home-en", **options):
        query = "&".join(f"{name}={value}" for name, value in {"screen": screen, **options}.items())
        browser.open_page(self.driver, self.address, query)

    def run_script(self, body):
        """The value that an asynchronous function of the page returns."""
        result = self.driver.execute_async_script(
            f"const done = arguments[0];{HELPERS}(async () => {{{body}}})().then((value) => done({{value}}), "
            "(error) => done({error: String(error.stack ?? error)}));")
        self.assertNotIn("error", result, result.get("error"))
        return result.get("value")

    def test_every_item_stands_where_the_layout_engine_puts_it(self):
        seen = 0
        for screen in SCREENS:
            for width, height in ((390, 844), (1440, 900)):
                browser.resize(self.driver, width, height)
                self.open(screen)
                wrong = self.run_script("""
                  await rest();
                  const wrong = [];
                  for (const view of root.querySelectorAll('.section')) {
                    for (const one of view.querySelectorAll('.item')) {
                      const frames = element.content.sections.map((s) => element.frameOf(s.id, one.dataset.id));
                      if (!frames.some((frame) => frame && near(frame, one))) wrong.push(one.dataset.id);
                    }
                  }
                  function near(frame, one) {
                    const box = one.getBoundingClientRect();
                    const top = frame.y - scroller.scrollTop;
                    return [[box.left, frame.x], [box.top, top], [box.width, frame.width], [box.height, frame.height]]
                      .every(([a, b]) => Math.abs(a - b) < %s);
                  }
                  return {wrong, seen: items().length};""" % TOLERANCE)
                self.assertEqual(wrong["wrong"], [], f"{screen} at {width}")
                seen += wrong["seen"]
        self.assertGreater(seen, 300)

    def test_only_items_near_the_visible_ones_are_in_the_document(self):
        self.open()
        counts = self.run_script("""
          show([{id: 's', kind: 'list', header: {title: 'Many'}, items: list(20000)}]);
          await rest();
          const first = items().map((one) => one.dataset.id);
          scroller.scrollTop = 10000 * 88;
          await rest();
          const middle = items().map((one) => Number(one.dataset.id.slice(1)));
          return {first: first.length, shows: first.includes('t0'), middle: middle.length, low: Math.min(...middle),
            high: Math.max(...middle), size: item(`t10005`).getAttribute('aria-setsize'),
            place: item('t10005').getAttribute('aria-posinset')};""")
        self.assertTrue(counts["shows"])
        self.assertLess(counts["first"], 40)
        self.assertLess(counts["middle"], 40)
        self.assertTrue(9980 < counts["low"] < 10001 and 10008 < counts["high"] < 10030, counts)
        self.assertEqual((counts["size"], counts["place"]), ("20000", "10006"))

    def test_a_moved_item_keeps_its_element_and_slides_to_its_place(self):
        self.open()
        result = self.run_script("""
          show([{id: 's', kind: 'rank', header: {title: 'Table'}, items: list(8)}]);
          await rest();
          const before = item('t5');
          const from = before.getBoundingClientRect().top;
          client.change('s', (all) => [all[5], ...all.slice(0, 5), ...all.slice(6)]);
          await frames(3);
          const during = before.getBoundingClientRect().top;
          const isRaised = before.classList.contains('moved');
          await rest();
          const after = before.getBoundingClientRect().top;
          return {same: item('t5') === before, from, during, after, isRaised, goal: element.frameOf('s', 't5').y,
            place: before.getAttribute('aria-posinset'), number: before.querySelector('.number').textContent};""")
        self.assertTrue(result["same"] and result["isRaised"])
        self.assertLess(abs(result["after"] - result["goal"]), TOLERANCE)
        self.assertTrue(result["after"] < result["during"] < result["from"], result)
        self.assertEqual((result["place"], result["number"]), ("1", "1"))

    def test_a_section_slides_when_one_above_it_grows(self):
        self.open()
        result = self.run_script("""
          show([{id: 'a', kind: 'list', header: {title: 'A'}, items: list(2)},
            {id: 'b', kind: 'list', header: {title: 'B'}, items: [{id: 'last', card: {title: 'Last'}}]}]);
          await rest();
          const from = item('last').getBoundingClientRect().top;
          client.change('a', (all) => [...all, {id: 'new', card: {title: 'New'}}]);
          await frames(3);
          const during = item('last').getBoundingClientRect().top;
          await rest();
          return {from, during, after: item('last').getBoundingClientRect().top};""")
        self.assertEqual(result["after"] - result["from"], 88)
        self.assertTrue(result["from"] < result["during"] < result["after"], result)

    def test_the_document_has_the_order_of_the_list(self):
        self.open()
        result = self.run_script("""
          show([{id: 's', kind: 'rank', header: {title: 'Table'}, items: list(8)}]);
          await rest();
          item('t6').querySelector('.card').focus();
          client.change('s', (all) => [all[6], ...all.slice(0, 6), all[7]]);
          await until(() => item('t6').getAttribute('aria-posinset') === '1');
          await frames(2);
          const focus = root.activeElement.closest('.item').dataset.id;
          client.change('s', (all) => [...all].reverse());
          await rest();
          const still = root.activeElement.closest('.item').dataset.id;
          // Where elements can only be moved by removing them, the order waits for the end of motion and focus.
          if (!('moveBefore' in Element.prototype)) root.activeElement.blur();
          const order = () => items().map((one) => one.dataset.id).join();
          await until(() => order() === 't7,t5,t4,t3,t2,t1,t0,t6');
          const one = (id) => ({id, kind: 'list', header: {title: id}, items: list(1)});
          show([one('a'), one('b'), one('c')]);
          await rest();
          show([one('c'), one('a'), one('b')]);
          const sections = () => [...root.querySelectorAll('.section')].map((one) => one.getAttribute('aria-labelledby'));
          await until(() => sections().join() === 'title-c,title-a,title-b');
          return {focus, still};""")
        self.assertEqual(result, {"focus": "t6", "still": "t6"})

    def test_a_section_of_thousands_of_groups_comes_to_rest_anywhere(self):
        self.open()
        result = self.run_script("""
          const layout = {scrolling: 4, spacing: 10, nodes: [
            {type: 2, width: {unit: 3, value: 90}, height: {unit: 3, value: 100}, children: [1]},
            {type: 1, width: {unit: 1, value: 1}, height: {unit: 2, value: 1}}]};
          show([{id: 's', kind: 'basic', layout, items: list(3000)}]);
          await rest();
          const sideways = root.querySelector('.sideways');
          const ends = [];
          for (let count = 0; count < 6; count += 1) {
            sideways.scrollLeft += 40000 + 33;
            await rest();
            ends.push(sideways.scrollLeft % 100);
          }
          return {ends, far: sideways.scrollLeft > 200000, shown: items().length,
            stops: root.querySelectorAll('.stop').length};""")
        self.assertEqual(result["ends"], [0] * 6)
        self.assertTrue(result["far"])
        self.assertLess(result["shown"], 12)
        self.assertLessEqual(result["stops"], 1000)

    def test_items_appear_and_leave_and_nothing_stays_behind(self):
        self.open()
        result = self.run_script("""
          show([{id: 's', kind: 'list', header: {title: 'List'}, items: list(6)}]);
          await rest();
          client.change('s', (all) => [...all.slice(0, 2), {id: 'new', card: {title: 'New'}}, ...all.slice(3)]);
          await frames(2);
          const fading = root.querySelectorAll('.item[aria-hidden=true]').length;
          await until(() => root.querySelectorAll('.item').length === 6);
          await rest();
          const {opacity} = getComputedStyle(item('new'));
          return {fading, ids: items().map((one) => one.dataset.id).sort(), opacity};""")
        self.assertEqual(result["fading"], 1)
        self.assertEqual(result["ids"], ["new", "t0", "t1", "t3", "t4", "t5"])
        self.assertEqual(result["opacity"], "1")

    def test_with_reduced_motion_things_are_at_their_places_at_once(self):
        browser.media(self.driver, prefers_reduced_motion="reduce")
        self.open()
        result = self.run_script("""
          show([{id: 's', kind: 'list', header: {title: 'List'}, items: list(6)}]);
          await rest();
          client.change('s', (all) => [...all].reverse().slice(1));
          await until(() => !item('t5'));
          return {running: root.getAnimations().length, elements: root.querySelectorAll('.item').length,
            off: Math.abs(item('t0').getBoundingClientRect().top - element.frameOf('s', 't0').y)};""")
        self.assertEqual((result["running"], result["elements"]), (0, 5))
        self.assertLess(result["off"], TOLERANCE)

    def test_what_is_read_stays_where_it_is_when_things_come_in_above(self):
        self.open()
        result = self.run_script("""
          show([{id: 's', kind: 'list', header: {title: 'List'}, items: list(100)}]);
          await rest();
          scroller.scrollTop = 2000;
          await rest();
          const top = item('t24').getBoundingClientRect().top;
          client.change('s', (all) => [...list(10).map((one) => ({...one, id: `x${one.id}`})), ...all]);
          await until(() => scroller.scrollTop !== 2000);
          let moved = 0;
          for (let count = 0; count < 10; count += 1) {
            moved = Math.max(moved, Math.abs(item('t24').getBoundingClientRect().top - top));
            await frames(1);
          }
          return {moved, scrolled: scroller.scrollTop};""")
        self.assertLess(result["moved"], TOLERANCE)
        self.assertEqual(result["scrolled"], 2880)

    def test_a_section_that_pages_comes_to_rest_where_the_engine_says(self):
        self.open("c-layout-study-scrolling-en")
        result = self.run_script("""
          await rest();
          const {SectionFrames, Scrolling} = await import('../../Client/js/layout.js');
          const found = [];
          for (const one of element.content.sections) {
            const own = new SectionFrames(one.layout, {width: 390, height: 844}, one.items.length);
            if (own.pageStops.length < 3 || own.scrolling === Scrolling.none) continue;
            scroller.scrollTop = Math.max(0, element.frameOf(one.id, one.items[0].id).y - 100);
            await rest();
            const sideways = section(one.id).querySelector('.sideways');
            const stops = Array.from({length: own.pageStops.length}, (_, index) => own.pageStops.at(index));
            const low = own.offsetRange.lower;
            const start = sideways.scrollLeft + low;
            const off = () => Math.min(...stops.map((stop) => Math.abs(sideways.scrollLeft + low - stop)));
            sideways.scrollLeft = stops[1] - low + 20;
            for (let count = 0; count < 120 && !(off() < 1); count += 1) await frames(1);
            found.push({scrolling: own.scrolling, start: start - own.initialOffset,
              off: off(),
              end: sideways.scrollWidth - sideways.clientWidth - (own.offsetRange.upper - low)});
          }
          return found;""")
        self.assertGreaterEqual(len({one["scrolling"] for one in result}), 4, result)
        for one in result:
            # The browser scrolls by whole pixels.
            self.assertLess(abs(one["start"]), 1, one)
            self.assertLess(one["off"], 1, one)
            self.assertLess(abs(one["end"]), 1, one)

    def test_from_right_to_left_a_section_begins_at_the_right(self):
        self.open("reading-ar")
        result = self.run_script("""
          await rest();
          const box = item('n1').getBoundingClientRect();
          const title = root.querySelector('#title-new').getBoundingClientRect();
          return {dir: root.querySelector('.root').dir, right: 390 - box.right, title: 390 - title.right,
            star: item('b1').querySelector('.favorite').getBoundingClientRect().left,
            lang: root.querySelector('.root').lang};""")
        self.assertEqual((result["dir"], result["lang"]), ("rtl", "ar"))
        self.assertLess(abs(result["right"] - 16), TOLERANCE)
        self.assertLess(abs(result["title"] - 16), TOLERANCE)
        self.assertLess(result["star"], 60)
        self.open("league-home-en", dir="rtl")
        self.assertEqual(self.run_script("return root.querySelector('.root').dir"), "rtl")

    def test_the_keyboard_reaches_every_item(self):
        from selenium.webdriver.common.keys import Keys
        self.open()
        self.run_script("""
          const lines = list(50).map((one) => ({...one, id: `b${one.id}`}));
          show([{id: 'a', kind: 'genres', header: {title: 'A'}, items: list(8)},
            {id: 'b', kind: 'list', header: {title: 'B'}, items: lines}]);
          await rest();""")
        stops = self.run_script("return [...root.querySelectorAll('.card')].filter((one) => one.tabIndex === 0).length")
        self.assertEqual(stops, 1)
        focused = "return root.activeElement?.closest('.item')?.dataset.id ?? ''"
        self.run_script("item('t0').querySelector('.card').focus()")
        seen = []
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.END, Keys.ARROW_UP,
                    Keys.HOME, Keys.ARROW_UP):
            browser.press(self.driver, key)
            seen.append(self.run_script(focused))
        self.assertEqual(seen, ["t1", "t5", "t4", "bt0", "bt49", "bt48", "bt0", "t5"])
        self.run_script("item('bt0').querySelector('.card').focus()")
        browser.press(self.driver, Keys.END)
        shown = self.run_script("const box = root.activeElement.getBoundingClientRect(); return [box.top, box.bottom]")
        self.assertTrue(0 <= shown[0] and shown[1] <= 844, shown)
        stops = self.run_script("return [...root.querySelectorAll('.card')].filter((one) => one.tabIndex === 0).length")
        self.assertEqual(stops, 1)
        browser.press(self.driver, Keys.ENTER)
        self.assertIn(["marquee-open", "team/49"], self.run_script("return events"))
        # Away from what is visible, the item that has the focus stays in the document.
        kept = self.run_script("scroller.scrollTop = 0; await rest();" + focused)
        self.assertEqual(kept, "bt49")
        browser.press(self.driver, Keys.TAB)
        self.assertTrue(self.run_script("return root.activeElement.matches('.favorite')"))

    def test_the_tab_key_stops_at_one_item_and_at_nothing_without_a_name(self):
        from selenium.webdriver.common.keys import Keys
        self.open("podcasts-home-en")
        self.run_script("await rest()")
        wide = self.run_script("""
          return [...root.querySelectorAll('.sideways')].filter((one) => one.scrollWidth > one.clientWidth).length""")
        self.assertGreater(wide, 1)
        stops = []
        self.run_script("element.tabIndex = -1; element.focus(); element.removeAttribute('tabindex')")
        for _ in range(40):
            browser.press(self.driver, Keys.TAB)
            stop = self.run_script("""
              const one = root.activeElement;
              const name = one?.getAttribute('aria-label') ?? one?.closest('button')?.textContent ?? '';
              return one && {classes: [...one.classList], name}""")
            # Some go on to the browser's own controls, some begin again.
            if stop is None or stops and stop == stops[0]:
                break
            stops.append(stop)
        self.assertTrue(stops)
        for stop in stops:
            self.assertTrue(stop["name"], stops)
        self.assertEqual(sum("card" in stop["classes"] for stop in stops), 1, stops)

    def test_nothing_is_under_a_scrollbar(self):
        driver = browser.start(scrollbars=True)
        try:
            browser.open_page(driver, self.address, "screen=podcasts-home-en")
            whole, visible, headers = driver.execute_async_script(f"const done = arguments[0];{HELPERS}" + """
              const edges = () => [...root.querySelectorAll('.header')].map((one) => one.getBoundingClientRect().right);
              rest().then(() => done([element.clientWidth, scroller.clientWidth, edges()]))""")
        finally:
            driver.quit()
        if visible == whole and browser.NAME == "webkit":
            self.skipTest("scrollbars take no room here")
        self.assertLess(visible, whole, "the scrollbar takes no room here")
        self.assertTrue(headers)
        for edge in headers:
            self.assertLessEqual(edge, visible + TOLERANCE)

    def test_a_star_makes_a_favorite(self):
        self.open()
        result = self.run_script("""
          await rest();
          const star = () => item('team/harbour').querySelector('.favorite');
          const before = [star().getAttribute('aria-pressed'), star().getAttribute('aria-label')];
          star().focus();
          star().click();
          await until(() => star().classList.contains('pending'));
          const after = [star().getAttribute('aria-pressed'), star().getAttribute('aria-label')];
          star().click();
          await until(() => star().classList.contains('off'));
          element.addEventListener('marquee-favorite', (event) => event.preventDefault());
          star().click();
          return {before, after, calls: client.favorites};""")
        self.assertEqual(result["before"], ["false", "Add Harbour City to favorites"])
        self.assertEqual(result["after"], ["true", "Remove Harbour City from favorites"])
        self.assertEqual(
            result["calls"], [["set", "favorites", "team/harbour"], ["remove", "favorites", "team/harbour"]])

    def test_words_without_room_end_in_dots_and_an_image_has_the_first_of_them(self):
        self.open()
        shown = self.run_script("""
          const image = {name: 'a', aspect: 0.5}, caption = 'A caption that is much longer than its card is wide';
          show([{id: 'ranks', kind: 'rank', items: list(2, {image: {name: 'b'}, rating: {value: 8}, caption})},
            {id: 'images', kind: 'grid', items: [{id: 'untitled', subject: 'a/1', card: {image, caption}},
              {id: 'wordless', subject: 'a/2', card: {image}}, {id: 'cardless', subject: 'a/3'}]}]);
          await rest();
          const line = item('t0').querySelector('.rating .line'), marks = line.closest('.marks');
          return {isCut: line.scrollWidth > line.clientWidth, dots: getComputedStyle(line).textOverflow,
            over: line.getBoundingClientRect().right - marks.getBoundingClientRect().right,
            words: ['untitled', 'wordless'].map((id) => item(id).querySelector('.lettered .words')?.textContent),
            stars: ['untitled', 'cardless'].map((id) => item(id).querySelectorAll('.favorite').length)};""")
        self.assertEqual((shown["isCut"], shown["dots"]), (True, "ellipsis"))
        self.assertLess(shown["over"], 1)
        self.assertEqual(shown["words"], ["A caption that is much longer than its card is wide", None])
        self.assertEqual(shown["stars"], [1, 0])

    def test_a_collection_says_which_items_are_favorites_that_do_not_say_it_themselves(self):
        self.open()
        result = self.run_script("""
          let tell;
          let members = [{subject: 'team/1', pending: false}, {subject: 'team/2', pending: true}];
          const screen = {sections: [{id: 's', head: {kind: 9}, items: list(4).map(({favorite, ...one}) => one)}]};
          element.client = {
            screen: async function* (name, {signal}) {
              yield {screen, changes: []};
              await new Promise((resolve) => signal.addEventListener('abort', resolve));
            },
            collection: (name) => ({set() {}, remove() {}, states: async function* ({signal}) {
              while (!signal.aborted) {
                yield {members};
                await new Promise((resolve) => { tell = resolve; });
              }
            }}),
          };
          const stars = () => list(4).map(({id}) => item(id)?.querySelector('.favorite').classList[1]).join();
          await until(() => stars() === 'off,on,pending,off');
          members = [{subject: 'team/0', pending: false}];
          tell();
          await until(() => stars() === 'on,off,off,off');
          return stars();""")
        self.assertEqual(result, "on,off,off,off")

    def test_a_client_that_changes_options_is_not_asked_again(self):
        self.open("reading-ar")
        result = self.run_script("""
          await rest();
          const asked = [];
          client.setOptions = (name, options) => asked.push([name, options]);
          root.querySelector('.footer-words').click();
          return {asked, requests: client.requests.length};""")
        self.assertEqual(result, {"asked": [["home", {"sorts": {}, "windows": {"go": 10}}]], "requests": 1})

    def test_more_items_and_another_order_are_asked_for(self):
        self.open("reading-ar")
        requests = self.run_script("""
          await rest();
          root.querySelector('.footer-words').click();
          await until(() => client.requests.length === 2);
          const sorts = [{id: 'new', title: 'New'}, {id: 'old', title: 'Old'}];
          show([{id: 's', kind: 'list', header: {title: 'S'}, sorts, sort: 'new', items: list(3)}]);
          await rest();
          scroller.scrollTop = 0;
          await rest();
          const [first, second] = root.querySelectorAll('.order');
          const pressed = [first, second].map((one) => one.getAttribute('aria-pressed'));
          second.click();
          await until(() => client.requests.length === 3);
          return {asked: client.requests.map(({windows, sorts}) => [windows, sorts]), pressed};""")
        self.assertEqual(requests["asked"], [[{}, {}], [{"go": 10}, {}], [{"go": 10}, {"s": "old"}]])
        self.assertEqual(requests["pressed"], ["true", "false"])

    def test_a_servers_words_are_nothing_but_words(self):
        self.open()
        result = self.run_script("""
          globalThis.harmed = false;
          const bad = '<img src=x onerror="harmed=true"><b style="position:fixed">x</b>';
          const script = 'javascript:harmed=true';
          const card = {title: bad, subtitle: bad, overline: bad, caption: bad, text: bad,
            badges: [{text: bad, role: bad}], facts: [{label: bad, value: bad}], price: {amount: bad, currency: bad},
            image: {name: script, aspect: NaN, color: 'url(x)'}, rating: {value: Infinity, scale: -1},
            progress: {value: 1e308, total: 1e-308, unit: bad}, actions: [{id: bad, title: bad, target: bad}]};
          show([
            {id: '"><script>harmed=true</script>', kind: 'list', footer: {title: bad}, error: bad,
              header: {title: bad, actions: [{id: 'open', title: bad, target: script}]},
              sorts: [{id: bad, title: bad}, {id: 'x'}],
              items: [{id: bad, subject: bad, card}, {id: 'none'}, {id: 'null', card: null}]},
            {id: 'd', kind: 'detail', items: [{id: 'x', card: {title: bad, text: bad}}]},
            {id: 'e', kind: 4711, items: list(1)}]);
          await rest();
          await frames(5);
          return {harmed, images: root.querySelectorAll('img[src="x"]').length,
            scripts: root.querySelectorAll('script').length, violations: events.filter(([n]) => n === 'violation'),
            title: root.querySelector('.title').textContent.startsWith('<img')};""")
        self.assertEqual(result, {"harmed": False, "images": 0, "scripts": 0, "title": True, "violations": []})

    def test_a_pinned_header_stays_where_the_engine_says(self):
        browser.resize(self.driver, 390, 500)
        self.open("c-layout-study-room-en")
        result = self.run_script("""
          await rest();
          const off = [];
          for (const top of [0, 60, 200, 330, 420, 480, 560, 600]) {
            scroller.scrollTop = top;
            await rest();
            for (const id of ['spread', 'apart']) {
              const box = section(id).getBoundingClientRect();
              const pin = root.querySelector(`#title-${id}`).closest('.header').getBoundingClientRect();
              const wanted = Math.max(box.top, Math.min(0, box.bottom - pin.height));
              off.push(Math.abs(pin.top - wanted));
            }
          }
          return {off: Math.max(...off), below: section('apart').getBoundingClientRect().top};""")
        self.assertLess(result["off"], 0.6)
        # The second section's header has left its place, too.
        self.assertLess(result["below"], -50)

    def test_a_detail_is_as_high_as_its_content(self):
        for width in (320, 390, 768):
            browser.resize(self.driver, width, 844)
            self.open("conference-session-decisions-en")
            heights = self.run_script("""
              await rest();
              const card = root.querySelector('.card.detail');
              return [card.offsetHeight, card.closest('.item').getBoundingClientRect().height];""")
            self.assertLess(abs(heights[0] - heights[1]), 0.6)

    def test_a_change_is_told_politely(self):
        self.open()
        result = self.run_script("""
          await rest();
          const status = root.querySelector('[role=status]');
          client.change('standings', (all) => [all[1], all[0], ...all.slice(2, 7), {id: 'n', card: {title: 'N'}}]);
          await until(() => status.textContent !== '');
          return {live: status.getAttribute('aria-live'), words: status.textContent};""")
        self.assertEqual(result, {"live": "polite", "words": "Table: 1 added, 1 removed, 1 moved"})

    @browser.needs_chromium
    def test_a_screen_reader_finds_lists_of_named_items(self):
        self.open()
        self.run_script("await rest()")
        tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        roles = {}
        for node in tree:
            if not node.get("ignored"):
                name = node.get("name", {}).get("value", "")
                roles.setdefault(node["role"]["value"], []).append(name)
        self.assertIn("Table", roles["heading"])
        self.assertIn("The League", roles["region"])
        self.assertIn("2, Harbour City, down 1, Pts 21, +/- 1, P 13", roles["link"])
        self.assertGreaterEqual(len(roles["listitem"]), 12)
        for role in ("link", "button"):
            self.assertTrue(all(roles[role]), role)

    def test_colours_follow_the_system_and_the_page(self):
        colours = "return [getComputedStyle(element).backgroundColor, getComputedStyle(element).color]"
        self.open()
        self.assertEqual(self.run_script(colours), ["rgb(255, 255, 255)", "rgb(22, 24, 29)"])
        browser.media(self.driver, prefers_color_scheme="dark")
        self.assertEqual(self.run_script(colours), ["rgb(14, 15, 19)", "rgb(245, 246, 248)"])
        self.assertEqual(self.run_script("element.theme = 'light';" + colours)[0], "rgb(255, 255, 255)")
        browser.media(self.driver, prefers_color_scheme="light")
        self.assertEqual(self.run_script("element.theme = 'dark';" + colours)[0], "rgb(14, 15, 19)")
        own = self.run_script(
            "element.style.setProperty('--marquee-background', 'rgb(1, 2, 3)');" + colours)
        self.assertEqual(own[0], "rgb(1, 2, 3)")
        parts = self.run_script(
            "return ['card', 'title', 'header', 'item'].every((one) => root.querySelector(`[part=${one}]`))")
        self.assertTrue(parts)

    def test_waiting_failing_and_empty_screens_say_so(self):
        self.open(late="")
        result = self.run_script("""
          const words = () => root.querySelector('.notice')?.textContent ?? '';
          let fail;
          element.screen = 'home';
          element.client = {screen: async function* () {
            await new Promise((resolve) => { fail = resolve; });
            throw new Error('no');
          }};
          const waiting = words();
          fail();
          await until(() => events.some(([name]) => name === 'marquee-error'));
          const failed = words();
          element.client = client;
          client.value = {id: 'home', locale: 'ko', sections: []};
          await until(() => words() !== failed && words() !== waiting);
          const empty = words();
          show([{id: 's', kind: 'list', placeholders: 3, items: []}]);
          await until(() => words() === '');
          return {waiting, failed, empty, placeholders: root.querySelectorAll('.placeholder').length};""")
        self.assertEqual(result, {
            "waiting": "Loading", "failed": "This can't be shown right now", "placeholders": 3,
            "empty": "표시할 내용이 없습니다"})

    def test_a_hostile_layout_does_not_fill_the_document(self):
        self.open()
        result = self.run_script("""
          const [none, five] = [{unit: 3, value: 0}, {unit: 3, value: 5}];
          const layout = {nodes: [
            {type: 2, width: none, height: none, children: [1]}, {type: 1, width: five, height: five}]};
          const view = {kind: 'header', width: {unit: 1, value: 1e9}, height: {unit: 3, value: 1e300}, pinned: true,
            anchor: {edges: 1, x: -1e9}, zIndex: 1e99};
          const sections = Array.from({length: 400}, (_, index) => (
            {id: `s${index}`, kind: 'list', layout, items: list(300)}));
          const wild = {...layout, decoration: 'b', insetsReference: 99, scrolling: 77,
            supplementaries: Array(100).fill(view)};
          show([...sections, {id: 'x', kind: 'list', items: list(2), layout: wild}]);
          await rest();
          const shown = root.querySelectorAll('.item').length;
          show([sections[0], {id: 'y', kind: 'list', items: list(3)}]);
          await rest();
          return [shown, events.filter(([name]) => name === 'marquee-error').length, items().length];""")
        self.assertEqual(result, [1000, 0, 303])

    def test_properties_that_were_set_too_early_count(self):
        self.open()
        result = self.run_script("""
          const other = document.createElement('template').content.ownerDocument.createElement('marquee-screen');
          Object.defineProperty(other, 'client', {value: client, configurable: true, writable: true, enumerable: true});
          other.setAttribute('screen', 'home');
          document.body.append(other);
          await until(() => other.content !== null);
          return other.content.sections.length;""")
        self.assertEqual(result, 5)

    def test_updates_end_with_the_element(self):
        self.open()
        result = self.run_script("""
          let signal;
          element.client = {screen: async function* (name, options) {
            signal = options.signal;
            yield {screen: {id: name, sections: []}};
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
          }};
          await frames(2);
          const before = signal.aborted;
          element.remove();
          return [before, signal.aborted];""")
        self.assertEqual(result, [False, True])


if __name__ == "__main__":
    if MISSING:
        print(f"skipped: {MISSING} isn't installed, so <marquee-screen> isn't tested in a browser")
        sys.exit(0)
    unittest.main()
