// The npm package, as an app's tests use it. Run by scripts/packages-check in a folder with the package.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { HomeportError, connect, findProgram, startHomeport, world } from 'homeport';

const require = createRequire(import.meta.url);
const create = 'mutation Create($name: String!) { createTodo(input: {name: $name}) { id } }';
const names = async (backend, options) =>
  (await backend.graphql('{ listTodos { items { name } } }', {}, options)).listTodos.items.map((item) => item.name).sort();

let end;
before(async () => {
  assert.equal(connect(), null);
  end = await require('homeport/setup')();
});
after(() => require('homeport/teardown')());

for (const name of ['a', 'b']) {
  test(`a world sees itself alone: ${name}`, async () => {
    const backend = await world();
    assert.deepEqual(await names(backend), []);
    await backend.graphql(create, { name });
    assert.deepEqual(await names(backend), [name]);
    assert.deepEqual(await names(connect()), []);
    await backend.end();
    await backend.end();
    await assert.rejects(names(backend));
  });
}

test('the environment leads to a world, and back', async () => {
  const backend = await world({ start: true });
  const putBack = backend.useEnvironment();
  assert.equal(process.env.AWS_ENDPOINT_URL, backend.url);
  await backend.graphql(create, { name: 'exported' });
  assert.match(execFileSync(findProgram(), ['export']).toString(), /exported/);
  putBack();
  assert.notEqual(process.env.AWS_ENDPOINT_URL, backend.url);
  assert.equal(backend.outputs.data.url, backend.graphqlUrl);
  await backend.end();
});

test('a token is good in its world alone', async () => {
  const backend = await world();
  const token = await backend.token('ann');
  assert.deepEqual(await names(backend, { token }), []);
  assert.match((await connect().graphql('{ listTodos { items { id } } }', {}, { token, check: false })).message, /not authorized/);
  await backend.end();
});

test('data, faults, time, messages and requests', async () => {
  const backend = await world();
  assert.equal((await backend.seed([{ type: 'Todo', record: { id: 'x', name: 'x' } }])).imported, 1);
  await backend.snapshot('one');
  const copy = await connect().world({ name: 'named' });
  assert.equal(copy.name, 'named');
  await copy.end();
  await backend.reset();
  assert.deepEqual(await names(backend), []);
  await backend.restore('one');
  await backend.addFaults({ match: { field: 'listTodos' }, on: 1, throttle: true });
  await assert.rejects(names(backend), HomeportError);
  assert.deepEqual(await names(backend), ['x']);
  await backend.clearFaults();
  await backend.setTime(new Date('2031-01-01T00:00:00Z'));
  await backend.moveTime(1000);
  await backend.resetTime();
  assert.deepEqual(await backend.messages({ to: 'nobody@example.com' }), []);
  const statuses = (await backend.requests()).filter((request) => request.fields?.includes('listTodos'));
  assert.deepEqual(statuses.map((request) => request.status), [200, 429, 200]);
  await backend.end();
});

test('a schema that is wrong is said', async () => {
  fs.writeFileSync('wrong.graphql', 'type Todo @model {');
  await assert.rejects(startHomeport({ schema: 'wrong.graphql' }), /before it served/);
});

test('the command of the package is the program', () => {
  const said = execFileSync(process.execPath, [require.resolve('homeport/package.json').replace('package.json', 'bin/homeport.cjs'), 'version']);
  assert.match(said.toString(), /^homeport \d/);
});

test('the packages describe what is in them', () => {
  for (const name of ['homeport', '@homeport/linux-x64']) {
    const place = require.resolve(name === 'homeport' ? 'homeport/package.json' : `${name}/package.json`);
    const description = JSON.parse(fs.readFileSync(place, 'utf8'));
    assert.match(description.version, /^\d+\.\d+\.\d+/);
    for (const file of description.files) assert.ok(fs.existsSync(place.replace('package.json', file)), file);
  }
  assert.equal(typeof end, 'function');
});
