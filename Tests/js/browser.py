"""A browser on pages of the repository, which are served with a strict Content-Security-Policy."""

import functools
import glob
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
POLICY = "default-src 'self'"


class Handler(http.server.SimpleHTTPRequestHandler):
    policy = POLICY

    def end_headers(self):
        self.send_header("Content-Security-Policy", self.policy)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def do_GET(self):
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
            return
        super().do_GET()

    def log_message(self, *_):
        pass


Handler.extensions_map = {**Handler.extensions_map, ".js": "text/javascript"}


def serve(policy=POLICY):
    """Serves the repository on a port of its own; returns the server and its address."""
    handler = type("Handler", (Handler,), {"policy": policy})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


# The browser to test in. Firefox needs no geckodriver; WebKit needs a display, such as that of xvfb-run.
NAME = os.environ.get("MARQUEE_BROWSER", "chromium")
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
PROGRAMS = {
    "chromium": ("chromium", "chromedriver"), "firefox": ("firefox-esr",), "webkit": ("WebKitWebDriver",),
}
# For tests of what only Chromium can be asked.
needs_chromium = unittest.skipUnless(NAME == "chromium", "only Chromium can be asked for this")
# For tests with downloads, names or narrow windows, which WebKitGTK's browser for tests doesn't have.
not_in_webkit = unittest.skipIf(NAME == "webkit", "WebKitGTK's browser for tests can't do this")


def missing():
    """The program or module that a browser lacks here; None if it lacks none."""
    if NAME not in PROGRAMS:
        raise ValueError(f"MARQUEE_BROWSER={NAME}: there are {', '.join(PROGRAMS)}")
    for program in PROGRAMS[NAME]:
        if shutil.which(program) is None:
            return program
    if NAME == "webkit" and not glob.glob(MINI_BROWSER):
        return MINI_BROWSER
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "python3-selenium"
    return None


def start(width=390, height=844, *switches, scrollbars=False):
    """Starts the browser; the switches are Chromium's."""
    driver = {"chromium": start_chromium, "firefox": start_firefox, "webkit": start_webkit}[NAME](switches, scrollbars)
    resize(driver, width, height)
    driver.set_script_timeout(30)
    return driver


def start_chromium(switches, scrollbars):
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium")
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--force-device-scale-factor=1", *switches):
        options.add_argument(switch)
    if not scrollbars:
        options.add_argument("--hide-scrollbars")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def start_firefox(switches, scrollbars):
    from selenium import webdriver
    from selenium.webdriver.firefox.options import Options

    # Its resolver can't be told addresses, but which names are this computer's.
    names = [words[1] for words in (switch.split() for switch in switches) if words[0] == "--host-resolver-rules=MAP"]
    bridge = subprocess.Popen([sys.executable, f"{ROOT}/Tests/js/firefox_driver.py"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    port = re.search(r"on port (\d+)", bridge.stdout.readline())[1]
    driver = webdriver.Remote(f"http://127.0.0.1:{port}", options=Options())
    driver.command_executor._commands["privileged"] = ("POST", "/session/$sessionId/moz/privileged")
    quit_session = driver.quit

    def quit_all():
        quit_session()
        bridge.communicate()

    driver.quit = quit_all
    privileged(driver, f"""
        Services.prefs.setIntPref('ui.useOverlayScrollbars', {int(not scrollbars)});
        Services.prefs.setStringPref('network.dns.localDomains', '{",".join(names)}');""")
    return driver


def start_webkit(*_):
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options

    options = Options()
    options.binary_location = glob.glob(MINI_BROWSER)[0]
    options.add_argument("--automation")
    return webdriver.WebKitGTK(executable_path=shutil.which("WebKitWebDriver"), options=options)


def privileged(driver, script):
    """Runs a script in Firefox itself."""
    driver.execute("privileged", {"script": script})


def resize(driver, width, height, scale=1):
    if NAME == "chromium":
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})
    elif NAME == "firefox":
        privileged(driver, f"""
            const {{style}} = Services.wm.getMostRecentWindow('navigator:browser').gBrowser.selectedBrowser;
            for (const [side, size] of [['width', '{width}px'], ['height', '{height}px']]) {{
              for (const bound of ['min', 'max']) style.setProperty(`${{bound}}-${{side}}`, size);
            }}""")
        wait_for_size(driver, width, height)
    else:
        # Its window is as wide as its toolbar at least, so pages are shown in a frame.
        driver.viewport = (width, height)
        bars = driver.execute_script("return top.outerHeight - top.innerHeight")
        driver.set_window_rect(0, 0, max(width, 450), height + bars)
        frame = "for (const one of ['width', 'height']) frameElement?.style.setProperty(one, `${arguments[0][one]}px`)"
        driver.execute_script(frame, {"width": width, "height": height})


def wait_for_size(driver, width, height):
    driver.execute_async_script("""
        const [width, height, done] = arguments;
        const wait = () => innerWidth === width && innerHeight === height ? done() : setTimeout(wait, 10);
        wait();""", width, height)


def media(driver, **features):
    """Emulates features such as prefers_color_scheme='dark'."""
    if NAME == "chromium":
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})
    elif NAME == "firefox":
        dark = {"dark": 0, "light": 1}
        for feature, value in features.items():
            name, number = {
                "prefers_color_scheme": ("layout.css.prefers-color-scheme.content-override", dark.get(value)),
                "prefers_reduced_motion": ("ui.prefersReducedMotion", int(value == "reduce")),
            }[feature]
            privileged(driver, f"Services.prefs.setIntPref('{name}', {number})")
    elif any(value not in ("light", "no-preference") for value in features.values()):
        raise unittest.SkipTest("WebKitGTK can't be asked for this")


def download_to(driver, folder):
    """Has downloads put into a folder, without asking."""
    if NAME == "chromium":
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
    elif NAME == "firefox":
        privileged(driver, f"""
            Services.prefs.setIntPref('browser.download.folderList', 2);
            Services.prefs.setStringPref('browser.download.dir', {json.dumps(folder)});""")


def press(driver, *keys):
    """Presses keys one after the other, wherever the focus is."""
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(driver).send_keys(key).perform()


def problems(driver):
    """What the page has logged, as far as the browser tells."""
    return [line["message"] for line in driver.get_log("browser")] if NAME == "chromium" else []


def open_page(driver, address, query):
    page = f"{address}/Tests/js/page.html?{query}"
    if NAME == "webkit":
        driver.get(f"{address}/Tests/js/page.css")
        driver.switch_to.frame(driver.execute_async_script("""
            const [page, done] = arguments;
            const frame = document.createElement('iframe');
            frame.style.cssText = 'position: absolute; inset: 0 auto auto 0; border: 0';
            frame.onload = () => done(frame);
            frame.src = page;
            document.body.replaceChildren(frame);""", page))
        resize(driver, *driver.viewport)
    else:
        driver.get(page)
    driver.execute_async_script("""
        const done = arguments[0];
        const wait = () => (globalThis.page && (page.events.length > 0 || page.late))
          ? document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))
          : setTimeout(wait, 10);
        wait();""")
