import type { Schema } from './resource';
import { env } from '$amplify/env/count';

export const handler: Schema['count']['functionHandler'] = async (event) => {
  const text: string = event.arguments.text ?? env.AWS_LAMBDA_FUNCTION_NAME;
  return text.length;
};
