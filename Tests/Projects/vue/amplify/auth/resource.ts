import { defineAuth } from '@aws-amplify/backend';
import { admit } from '../functions/admit/resource';

export const auth = defineAuth({
  loginWith: { email: true },
  triggers: { preSignUp: admit },
});
