import { type ClientSchema, a, defineData } from '@aws-amplify/backend';
import { greet } from '../functions/greet/resource';

const schema = a.schema({
  Todo: a.model({ content: a.string(), isDone: a.boolean() }).authorization((allow) => [allow.publicApiKey()]),
  greet: a
    .query()
    .arguments({ name: a.string().required() })
    .returns(a.string())
    .authorization((allow) => [allow.publicApiKey()])
    .handler(a.handler.function(greet)),
});

export type Schema = ClientSchema<typeof schema>;

export const data = defineData({
  schema,
  authorizationModes: { defaultAuthorizationMode: 'apiKey' },
});
