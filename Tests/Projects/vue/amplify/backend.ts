import { defineBackend } from '@aws-amplify/backend';
import { auth } from './auth/resource';
import { data } from './data/resource';
import { greet } from './functions/greet/resource';
import { admit } from './functions/admit/resource';

defineBackend({ auth, data, greet, admit });
