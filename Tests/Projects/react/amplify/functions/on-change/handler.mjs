export const handler = async (event) => {
  if (event.rawPath) return `${event.rawPath} ${event.rawQueryString}`;
  for (const record of event.Records) {
    console.log(`${record.eventName} ${record.dynamodb.NewImage?.content?.S} in ${record.eventSourceARN.split('/')[1]}`);
  }
};
