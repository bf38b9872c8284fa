import { defineFunction } from '@aws-amplify/backend';

export const onChange = defineFunction({ name: 'on-change', entry: './handler.mjs', timeoutSeconds: 60 });
