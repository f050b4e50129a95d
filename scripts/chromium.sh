# Ends with 0 if the programs that tests/browser and scripts/screenshots.py need are on the PATH, else with 1.
command -v chromedriver >/dev/null 2>&1 || exit 1
for program in chromium chromium-browser google-chrome; do
    command -v "$program" >/dev/null 2>&1 && exit 0
done
exit 1
