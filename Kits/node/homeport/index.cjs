'use strict';
// Servers and worlds for tests. See index.d.ts for what each of them does.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { execFile } = require('node:child_process');
const { findProgram } = require('./program.cjs');

const startMilliseconds = 60_000;
const stopMilliseconds = 20_000;
const greetingBytesMax = 8 << 20;

class HomeportError extends Error {
  name = 'HomeportError';
}

class Backend {
  constructor(description) {
    this.url = description.url;
    this.testKey = description.testKey ?? null;
    this.apiKey = description.apiKey ?? null;
    this.outputs = description.outputs ?? null;
    this.variables = description.variables ?? {};
  }

  get graphqlUrl() {
    return `${this.url}/graphql`;
  }

  environment(base = process.env) {
    const result = { ...base };
    for (const [name, value] of Object.entries(this.variables)) {
      if (value === null) delete result[name];
      else result[name] = value;
    }
    return result;
  }

  useEnvironment() {
    const former = Object.fromEntries(Object.keys(this.variables).map((name) => [name, process.env[name]]));
    const put = (values) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === null || value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    };
    put(this.variables);
    return () => put(former);
  }

  async graphql(query, variables = {}, { token, check = true } = {}) {
    const headers = { 'content-type': 'application/json' };
    if (token !== undefined) headers.authorization = token;
    else if (this.apiKey !== null) headers['x-api-key'] = this.apiKey;
    const body = JSON.stringify({ query, variables });
    const answer = await (await fetch(this.graphqlUrl, { method: 'POST', headers, body })).json();
    if (!check) return answer;
    if (answer.errors?.length) throw new HomeportError(`${answer.errors[0].message}: ${JSON.stringify(answer.errors)}`);
    return answer.data;
  }

  token(username, { groups = [] } = {}) {
    const words = ['token', '--username', username, ...groups.flatMap((group) => ['--group', group])];
    return new Promise((resolve, reject) => {
      execFile(findProgram(), words, { env: this.environment() }, (error, output, errors) =>
        error ? reject(new HomeportError(errors.trim() || error.message)) : resolve(output.trim()));
    });
  }

  async reset() {
    await this.control('POST', 'reset');
  }

  async snapshot(name) {
    await this.control('POST', `snapshot/${name}`);
  }

  async restore(name) {
    await this.control('POST', `restore/${name}`);
  }

  seed(records, { replace = false } = {}) {
    return this.control('POST', `seed?replace=${replace}`, records.map((record) => JSON.stringify(record)).join('\n'));
  }

  async setTime(moment) {
    await this.control('POST', 'time', { set: moment instanceof Date ? moment.getTime() : moment });
  }

  async moveTime(milliseconds) {
    await this.control('POST', 'time', { moveMilliseconds: milliseconds });
  }

  async resetTime() {
    await this.control('POST', 'time', { reset: true });
  }

  async addFaults(...rules) {
    await this.control('POST', 'faults', rules);
  }

  async clearFaults() {
    await this.control('DELETE', 'faults');
  }

  async messages({ to, waitMilliseconds = 0 } = {}) {
    const receiver = to === undefined ? '' : `&to=${encodeURIComponent(to)}`;
    return (await this.control('GET', `outbox?waitMilliseconds=${waitMilliseconds}${receiver}`)).messages;
  }

  async requests() {
    return (await this.control('GET', 'requests')).requests;
  }

  async control(method, path, body) {
    if (this.testKey === null) throw new HomeportError('this server takes no orders of tests: start it with --test-control');
    const answer = await fetch(`${this.url}/_homeport/${path}`, {
      method,
      headers: { 'x-homeport-test-key': this.testKey },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new HomeportError(json.message);
    return json;
  }
}

class World extends Backend {
  #server;
  #isOver = false;

  constructor(server, description) {
    super(description);
    this.name = description.name;
    this.#server = server;
  }

  async end() {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#server.control('DELETE', `worlds/${this.name}`);
  }

  [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    return this.end();
  }
}

class Server extends Backend {
  #process;

  constructor(description, child = null) {
    super(description);
    this.#process = child;
  }

  async world({ name, snapshot, start = false, idleSeconds } = {}) {
    const from = snapshot === undefined ? (start ? 'start' : undefined) : { snapshot };
    return new World(this, await this.control('POST', 'worlds', { name, from, idleSeconds }));
  }

  async stop() {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      child.ref();
      child.stdin.end();
    });
  }

  [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    return this.stop();
  }
}

function greeting(child) {
  return new Promise((resolve, reject) => {
    const parts = [];
    let length = 0;
    const fail = (message) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new HomeportError(message));
    };
    const timer = setTimeout(() => fail('homeport did not start within a minute'), startMilliseconds);
    child.once('error', (error) => fail(`homeport cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => fail(`homeport ended with ${code ?? signal} before it served: its output says why`));
    child.stdout.on('data', (part) => {
      parts.push(part);
      length += part.length;
      if (length > greetingBytesMax) fail('homeport says more than where it is');
      if (part[part.length - 1] !== 10) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.stdout.removeAllListeners('data');
      child.stdout.resume();
      resolve(JSON.parse(Buffer.concat(parts).toString()));
    });
  });
}

async function startHomeport(options = {}) {
  const words = ['exec', '--stdio'];
  const named = { schema: options.schema, config: options.config, seed: options.seed, 'seed-command': options.seedCommand };
  for (const [name, value] of Object.entries(named)) if (value !== undefined) words.push(`--${name}`, value);
  words.push(...(options.arguments ?? []));
  const child = spawn(options.program ?? findProgram(), words, { cwd: options.cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const server = new Server(await greeting(child), child);
  // This process may end while the server runs: the pipe ends with it, and the server with the pipe.
  for (const thing of [child, child.stdin, child.stdout]) thing.unref?.();
  return server;
}

function connect(variables = process.env) {
  const { HOMEPORT_URL: url, HOMEPORT_TEST_KEY: testKey, HOMEPORT_API_KEY: apiKey, AMPLIFY_OUTPUTS: path } = variables;
  if (!url || !testKey) return null;
  const outputs = path && fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : null;
  return new Server({ url, testKey, apiKey, outputs });
}

async function world(options) {
  const server = connect();
  if (server === null) {
    throw new HomeportError('no server runs for these tests: name homeport/setup as globalSetup, or run them with homeport exec');
  }
  return server.world(options);
}

module.exports = { Backend, HomeportError, Server, World, connect, findProgram, startHomeport, world };
