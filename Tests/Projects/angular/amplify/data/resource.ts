import { type ClientSchema, a, defineData, defineFunction } from '@aws-amplify/backend';

const count = defineFunction({ name: 'count', entry: './count.ts', timeoutSeconds: 60 });

const schema = a.schema({
  Todo: a.model({ content: a.string() }).authorization((allow) => [allow.publicApiKey(), allow.owner()]),
  count: a
    .query()
    .arguments({ text: a.string() })
    .returns(a.integer())
    .authorization((allow) => [allow.publicApiKey()])
    .handler(a.handler.function(count)),
});

export type Schema = ClientSchema<typeof schema>;

export const data = defineData({
  schema,
  authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: { expiresInDays: 30 } },
});
