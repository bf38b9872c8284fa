'use strict';
// Where the program is: named by HOMEPORT_PROGRAM, or in the package for this system.
const packages = { 'linux x64': '@homeport/linux-x64' };

exports.findProgram = function findProgram() {
  if (process.env.HOMEPORT_PROGRAM) return process.env.HOMEPORT_PROGRAM;
  const name = packages[`${process.platform} ${process.arch}`];
  if (!name) {
    throw new Error(
      `homeport has no program for ${process.platform} on ${process.arch}: build one, and set HOMEPORT_PROGRAM`);
  }
  try {
    return require.resolve(`${name}/bin/homeport`);
  } catch {
    throw new Error(`${name} is not installed: install it beside homeport, or set HOMEPORT_PROGRAM`);
  }
};
