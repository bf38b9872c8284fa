import { defineFunction } from '@aws-amplify/backend';

export const postConfirmation = defineFunction({
  name: 'post-confirmation',
  entry: './handler.js',
  environment: { GROUP_NAME: 'EVERYONE' },
  resourceGroupName: 'auth',
  timeoutSeconds: 60,
});
