const moduleNames = process.env.MODULES.split(',');
const modules = moduleNames.map((name) => require(`./${name}`));

exports.handler = async (event, context) => {
  await Promise.all(modules.map((module) => module.handler(event, context)));
  return event;
};
