# The page in a real browser: Debian's chromium, driven by Playwright. Included by the Makefile.
BROWSER_DEBS := chromium fonts-dejavu-core

.PHONY: browser browser-if-possible browser-test screenshots

browser:
	@if command -v chromium >/dev/null; then exit 0; fi; \
	if test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null; then \
	  echo "Chromium is missing, and only root on Debian, Ubuntu or Raspberry Pi OS can install it:"; \
	  echo "  sudo apt install $(BROWSER_DEBS)"; exit 1; fi; \
	apt-get update -qq && apt-get install -y -qq --no-install-recommends $(BROWSER_DEBS) >/dev/null \
	  || { echo "apt could not install: $(BROWSER_DEBS)"; exit 1; }

# For make test, which goes on without it: the tests that need it then say NOT RUN.
browser-if-possible:
	@$(MAKE) --no-print-directory browser || echo "The page's tests in a browser will be skipped."

browser-test: setup browser
	$(BIN)/python -m pytest tests/web

# Makes docs/screens anew.
screenshots: setup browser
	KIBITZ_SCREENS=docs/screens $(BIN)/python -m pytest tests/web/test_browser.py tests/web/test_simboard.py
