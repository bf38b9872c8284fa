import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineFunction } from '@aws-amplify/backend';
import { DockerImage, Duration } from 'aws-cdk-lib';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';

const functionDir = path.dirname(fileURLToPath(import.meta.url));

export const admit = defineFunction(
  (scope) =>
    new Function(scope, 'admit', {
      handler: 'index.handler',
      runtime: Runtime.PYTHON_3_12,
      timeout: Duration.minutes(1),
      environment: { GREETING: 'Hello' },
      code: Code.fromAsset(functionDir, {
        bundling: { image: DockerImage.fromRegistry('dummy') },
      }),
    }),
);
