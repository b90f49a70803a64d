const { existsSync } = require('node:fs');

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is, or undefined: the tests in a browser run where there is one. */
exports.CHROMIUM = PLACES.find((place) => existsSync(place));
