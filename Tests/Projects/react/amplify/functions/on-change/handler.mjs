export const handler = async (event) => {
  if (event.rawPath) return `${event.rawPath} ${event.rawQueryString}`;
  if (event.resource) return { statusCode: 200, body: `${event.httpMethod} ${event.resource}` };
  for (const record of event.Records) {
    console.log(`${record.eventName} ${record.dynamodb.NewImage?.content?.S} in ${record.eventSourceARN.split('/')[1]}`);
  }
};
