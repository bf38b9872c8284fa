import { defineFunction, secret } from '@aws-amplify/backend';

export const sayHello = defineFunction({
  name: 'say-hello',
  entry: './handler.mjs',
  timeoutSeconds: 60,
  environment: {
    GREETING: secret('GREETING'),
    STAGE: process.env.STAGE_OF_NOBODY!,
  },
});
