'use strict';
// The global set-up of Vitest and of Jest: a server for the run, which test files find by their environment.
const { connect, startHomeport } = require('./index.cjs');

const place = Symbol.for('homeport.server');

// Vitest calls what a set-up returns; Jest calls `homeport/teardown`.
module.exports = async function setup() {
  if (connect() !== null) return undefined;
  const server = await startHomeport();
  const putBack = server.useEnvironment();
  globalThis[place] = async () => {
    delete globalThis[place];
    putBack();
    await server.stop();
  };
  return globalThis[place];
};
module.exports.default = module.exports;
