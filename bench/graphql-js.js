// Times graphql-js on the documents of graphql-bench, and prints the same lines: a name and the nanoseconds of a round.
//
//     graphql-bench --write FOLDER
//     NODE_PATH=/usr/share/nodejs node bench/graphql-js.js FOLDER
'use strict';

const fs = require('fs');
const path = require('path');
const graphql = require('graphql');
const { validateSDL } = require('graphql/validation/validate');

const folder = process.argv[2];
const read = (name) => fs.readFileSync(path.join(folder, `${name}.graphql`), 'utf8');

// The service adds these by itself; graphql-js has to be told.
const prelude = `
  scalar AWSDate scalar AWSTime scalar AWSDateTime scalar AWSTimestamp scalar AWSEmail scalar AWSJSON scalar AWSURL
  scalar AWSPhone scalar AWSIPAddress
  directive @aws_api_key on OBJECT | FIELD_DEFINITION
  directive @aws_cognito_user_pools(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
`;
const preludeSchema = graphql.buildSchema(prelude + 'type Nothing { nothing: Int }', { assumeValid: true });
const schema = graphql.buildSchema(prelude + read('sdl'));

// The best of seven runs of at least a tenth of a second, after as much to warm up.
function measure(name, body) {
  let best = Infinity;
  for (let run = 0; run < 12; run += 1) {
    const start = process.hrtime.bigint();
    let rounds = 0;
    do {
      body();
      rounds += 1;
    } while (process.hrtime.bigint() - start < 100_000_000n);
    const nanoseconds = Number(process.hrtime.bigint() - start) / rounds;
    if (run >= 5) best = Math.min(best, nanoseconds);
  }
  console.log(name, Math.round(best));
}

for (const name of ['list', 'introspection', 'sdl']) {
  const text = read(name);
  const document = graphql.parse(text);
  measure(`parse-${name}`, () => graphql.parse(text));
  measure(`print-${name}`, () => graphql.print(document));
  measure(`parse-validate-${name}`, () => {
    const parsed = graphql.parse(text);
    const errors = name === 'sdl' ? validateSDL(parsed, preludeSchema) : graphql.validate(schema, parsed);
    if (errors.length > 0) throw errors[0];
  });
}
