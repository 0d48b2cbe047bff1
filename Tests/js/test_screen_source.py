#!/usr/bin/env python3
"""<marquee-screen src screen>, without a client of the page's, in a browser at a server's web door; skipped without a
browser, see browser.py, or without a built server."""

import json
import shutil
import subprocess
import tempfile
import unittest
import urllib.request

import browser
import league

POLICY = "default-src 'self'; connect-src ws://127.0.0.1:* ws://localhost:*"
# Seconds until something that has to happen counts as missing.
PATIENCE = 30

# What scripts may use: the page is empty, and counts its connections.
PRELUDE = """
  const until = async (fits) => { while (!fits()) await new Promise((resolve) => setTimeout(resolve, 5)); };
  const page = window.page ??= await (async () => {
    const page = {open: new Set(), made: 0, errors: []};
    const Plain = window.WebSocket;
    window.WebSocket = class extends Plain {
      constructor(...words) {
        super(...words);
        page.made += 1;
        this.addEventListener('open', () => page.open.add(this));
        this.addEventListener('close', () => page.open.delete(this));
      }
    };
    document.addEventListener('marquee-error', ({detail}) => page.errors.push(detail.error.code ?? detail.error.name));
    document.addEventListener('securitypolicyviolation', (event) => page.errors.push(event.violatedDirective));
    await import('/Client/js/screen.js');
    document.body.replaceChildren();
    return page;
  })();
  const add = (markup) => {
    document.body.insertAdjacentHTML('beforeend', markup);
    return document.body.lastElementChild;
  };
  const textOf = (element) => element.shadowRoot.textContent;
  const stars = (element) => element.shadowRoot.querySelectorAll('[aria-pressed]').length;
"""


@unittest.skipIf(league.MISSING, f"{league.MISSING} isn't there")
class ScreenSourceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="marquee-source-")
        data = f"{cls.folder}/data"
        league.fill(data)
        shutil.copytree(data, f"{data}-tokens")
        cls.tokens = {name: cls.new_token(name) for name in ("ana", "ben")}
        cls.pages, cls.address = browser.serve(POLICY)
        cls.servers = []
        cls.open_door = cls.serve(data, "--open", "--image-base-url", f"{cls.address}/images/")
        cls.door = cls.serve(f"{data}-tokens", "--tokens", f"{cls.folder}/tokens.yaml")
        cls.driver = browser.start()

    @classmethod
    def new_token(cls, name):
        words = ["token", "new", name, "--user", name, "--scope", "read *", "--scope", "favorites"]
        return subprocess.run([league.SERVER, *words, "--file", f"{cls.folder}/tokens.yaml"], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.split()[-1]

    @classmethod
    def serve(cls, data, *access):
        """Starts a server, and returns its web door's address."""
        server = league.Server(data, *access, "--web-origin", cls.address)
        cls.servers.append(server)
        return server.door()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        for server in cls.servers:
            server.close()
        cls.pages.shutdown()
        cls.pages.server_close()
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.driver.get(f"{self.address}/Tests/js/page.html?late")

    def run_script(self, script, **values):
        """Runs the body of an async function that sees values by their names, and returns what it returns."""
        names = "".join(f"const {name} = {json.dumps(value)}; " for name, value in values.items())
        result = self.driver.execute_async_script(f"""
            const done = arguments[0];
            (async () => {{ {names}{PRELUDE}{script} }})().then(
              (value) => done({{value}}), (error) => done({{error: `${{error}} ${{error.stack}}`}}));""")
        self.assertNotIn("error", result)
        return result["value"]

    def publish(self, minute):
        change = {"merge": {"type": "match", "id": "r13-foundry-highmoor", "record": {"minute": minute}}}
        request = urllib.request.Request(f"http://{self.open_door}/v1/publish", data=json.dumps(change).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            self.assertTrue(json.load(answer)["changed"])

    def test_its_markup_is_all_that_a_live_screen_needs(self):
        first = self.run_script("""
          const element = add(`<marquee-screen src="ws://${door}" screen="home" locale="ko"></marquee-screen>`);
          await until(() => element.content?.live);
          const base = new URL(element.client.imageBaseUrl).pathname;
          return [element.content.locale, stars(element), base, page.errors];""", door=self.open_door)
        self.assertEqual(first, ["ko", 0, "/images/", []])
        self.publish(77)
        self.assertTrue(self.run_script("""
          const element = document.querySelector('marquee-screen');
          await until(() => textOf(element).includes('77'));
          return true;"""))

    def test_elements_of_one_server_share_a_client_that_ends_with_the_last_of_them(self):
        result = self.run_script("""
          const markup = (screen, host) => `<marquee-screen src="http://${host}/" screen="${screen}"></marquee-screen>`;
          const [one, two] = [add(markup('home', door)), add(markup('match/r13-foundry-highmoor', door))];
          const other = add(markup('home', door.replace('127.0.0.1', 'localhost')));
          await until(() => one.content?.live && one.client === two.client);
          await until(() => other.content?.live && two.content?.live);
          const shared = [one.client === two.client, one.client === other.client, page.open.size];
          one.remove();
          document.body.append(two, one);
          await until(() => one.client && two.client);
          const moved = [one.client === two.client, page.made, page.errors];
          other.src = `http://${door}/`;
          await until(() => other.client === two.client && page.open.size === 1);
          for (const element of [one, two, other]) element.remove();
          await until(() => page.open.size === 0);
          return {shared, moved, made: page.made};""", door=self.open_door)
        self.assertEqual(result, {"shared": [True, False, 2], "moved": [True, 2, []], "made": 2})

    def test_a_token_is_a_property_whose_person_has_favorites_of_their_own(self):
        result = self.run_script("""
          const markup = `<marquee-screen src="ws://${door}" screen="home" token="nobody's"></marquee-screen>`;
          const [one, two, three] = [add(markup), add(markup), add(markup)];
          let asked = 0;
          const bens = () => { asked += 1; return ben; };
          one.token = ana;
          two.token = ana;
          three.token = bens;
          await until(() => [one, two, three].every((element) => element.content?.live && stars(element) > 0));
          const shared = [one.client === two.client, one.client === three.client];
          const star = (element) => element.shadowRoot.querySelector('[aria-pressed]');
          star(one).click();
          await until(() => star(two).ariaPressed === 'true');
          await until(() => !star(one).className.includes('pending'));
          const ofBen = star(three).ariaPressed;
          one.token = bens;
          const after = one.content;
          await until(() => one.content?.live && stars(one) > 0);
          return {shared, ofBen, after, switched: star(one).ariaPressed, asked, errors: page.errors,
            isShown: one.outerHTML.includes(ana)};""", door=self.door, **self.tokens)
        self.assertEqual(result, {
            "shared": [True, False], "ofBen": "false", "after": None, "switched": "false", "asked": 1, "errors": [],
            "isShown": False})

    def test_what_can_not_be_reached_says_so_and_a_client_of_the_page_goes_first(self):
        result = self.run_script("""
          const refused = add(`<marquee-screen src="ws://${door}" screen="home"></marquee-screen>`);
          refused.token = "nobody's";
          const wrong = add('<marquee-screen src="wss://:" screen="home"></marquee-screen>');
          await until(() => page.errors.length === 2);
          const notice = refused.shadowRoot.querySelector('.notice.error') !== null;
          const client = {screen: async function* () { yield {screen: {sections: [], title: 'own'}}; }};
          refused.client = client;
          await until(() => refused.content);
          const own = [refused.client === client, refused.content.title];
          return {errors: page.errors.sort(), notice, own};""", door=self.door)
        self.assertEqual(result, {"errors": ["TOKEN_REFUSED", "TypeError"], "notice": True, "own": [True, "own"]})


if __name__ == "__main__":
    unittest.main()
