'use strict';
module.exports = async function teardown() {
  await globalThis[Symbol.for('homeport.server')]?.();
};
