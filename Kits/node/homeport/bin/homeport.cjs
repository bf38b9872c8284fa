#!/usr/bin/env node
'use strict';
const { spawn } = require('node:child_process');
const os = require('node:os');
const { findProgram } = require('../program.cjs');

let child;
try {
  child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit' });
} catch (error) {
  console.error(`homeport: ${error.message}`);
  process.exit(70);
}
// What is typed on a terminal reaches it as well: the program decides when both end.
process.on('SIGINT', () => {});
for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
child.on('error', (error) => {
  console.error(`homeport: ${error.message}`);
  process.exit(70);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
