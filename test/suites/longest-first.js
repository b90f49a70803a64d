const { default: Sequencer } = require('@jest/test-sequencer');

const number = ({ path }) => Number(/(\d+)-[^/]*$/.exec(path)?.[1]);

/** Suites by their numbers: one that takes long must not begin when all others have ended. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => number(one) - number(other));
  }
};
