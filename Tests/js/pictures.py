#!/usr/bin/env python3
"""Draws screens to PNG files, to be looked at: Tests/js/pictures.py FOLDER [SCREEN…]"""

import base64
import os
import sys

import browser

SIZES = [(390, 844), (768, 1024), (1440, 900)]


def main(folder, screens):
    os.makedirs(folder, exist_ok=True)
    server, address = browser.serve()
    driver = browser.start()
    try:
        for screen in screens:
            for width, height in SIZES:
                for theme in ("light", "dark"):
                    browser.resize(driver, width, height)
                    browser.open_page(driver, address, f"screen={screen}&theme={theme}")
                    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
                    with open(f"{folder}/{screen}-{width}-{theme}.png", "wb") as file:
                        file.write(base64.b64decode(shot["data"]))
            for line in driver.get_log("browser"):
                print(screen, line["level"], line["message"])
    finally:
        driver.quit()
        server.shutdown()


if __name__ == "__main__":
    names = sorted(name[:-5] for name in os.listdir(f"{browser.ROOT}/Tests/js/screens"))
    main(sys.argv[1], sys.argv[2:] or names)
