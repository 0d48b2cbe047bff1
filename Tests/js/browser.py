"""A headless Chromium on pages of the repository, which are served with a strict Content-Security-Policy."""

import functools
import http.server
import os
import shutil
import threading

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


def missing():
    """The program or module that a browser lacks here; None if it lacks none."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return program
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "python3-selenium"
    return None


def start(width=390, height=844, *switches, scrollbars=False):
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
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    resize(driver, width, height)
    driver.set_script_timeout(30)
    return driver


def resize(driver, width, height, scale=1):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})


def media(driver, **features):
    """Emulates features such as prefers_color_scheme='dark'."""
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})


def open_page(driver, address, query):
    driver.get(f"{address}/Tests/js/page.html?{query}")
    driver.execute_async_script("""
        const done = arguments[0];
        const wait = () => (globalThis.page && (page.events.length > 0 || page.late))
          ? document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))
          : setTimeout(wait, 10);
        wait();""")
