export const handler = async (event) => {
  const { GREETING, STAGE, TABLE_NAME, POOL_ID, AMPLIFY_DATA_GRAPHQL_ENDPOINT } = process.env;
  const told = [STAGE, TABLE_NAME, POOL_ID, AMPLIFY_DATA_GRAPHQL_ENDPOINT].join(' ');
  return `${GREETING}, ${event.arguments.name}! ${told}`;
};
