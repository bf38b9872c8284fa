// Runs the sample of resolvers-bench in Node: the module evaluated once, its functions called in a loop. What AppSync's
// library does there is done by the few lines below.
const util = {
  dynamodb: {
    toMapValues: (object) =>
      Object.fromEntries(Object.entries(object).map(([key, value]) => [key, typeof value === "string" ? { S: value } : { N: value }])),
  },
  error: (message) => {
    throw new Error(message);
  },
};
function request(ctx) {
  return { operation: "GetItem", key: util.dynamodb.toMapValues({ id: ctx.args.id }) };
}
function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  return ctx.result;
}
const rounds = Number(process.argv[2] ?? 200_000);
const context = JSON.stringify({ args: { id: "7f2c1b34-0000-4000-8000-123456789abc" }, identity: { sub: "user", username: "user" } });
const result = JSON.stringify({
  id: "7f2c1b34-0000-4000-8000-123456789abc", title: "A title", votes: 12, tags: ["a", "b"], createdAt: "2026-01-01T00:00:00.000Z",
});
function run(count) {
  for (let round = 0; round < count; round++) {
    // A host hands the context in and the answers out as JSON, since a module shares no objects with it.
    JSON.stringify(request(JSON.parse(context)));
    const ctx = JSON.parse(context);
    ctx.result = JSON.parse(result);
    JSON.stringify(response(ctx));
  }
}
run(rounds / 10);
const start = process.cpuUsage();
run(rounds);
const used = process.cpuUsage(start);
console.log(`${((used.user + used.system) / rounds).toFixed(2)} µs a request and its response, over ${rounds} rounds`);
