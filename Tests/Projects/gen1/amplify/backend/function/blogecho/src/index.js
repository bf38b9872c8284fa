const { decorated } = require('decorate');

exports.handler = (event, context, callback) => {
  if (event.httpMethod) {
    return callback(null, { statusCode: 201, body: JSON.stringify([event.resource, event.pathParameters]) });
  }
  const { ENV, REGION, TONE, API_BLOGAPI_GRAPHQLAPIENDPOINTOUTPUT } = process.env;
  const told = [ENV, REGION, TONE, API_BLOGAPI_GRAPHQLAPIENDPOINTOUTPUT].join(' ');
  callback(null, `${decorated(event.arguments.text)} ${told}`);
};
