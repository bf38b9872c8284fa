import { defineFunction, defineStorage } from '@aws-amplify/backend';

export const storage = defineStorage({
  name: 'photos',
  access: (allow) => ({
    'public/*': [allow.guest.to(['read', 'write']), allow.authenticated.to(['read', 'write', 'delete'])],
  }),
  triggers: {
    onUpload: defineFunction({ name: 'on-upload', entry: './on-upload.mjs', timeoutSeconds: 60 }),
  },
});
