import { defineBackend } from '@aws-amplify/backend';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Cors, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { EventSourceMapping, FunctionUrlAuthType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { auth } from './auth/resource';
import { postConfirmation } from './auth/post-confirmation/resource';
import { data } from './data/resource';
import { onChange } from './functions/on-change/resource';
import { sayHello } from './functions/say-hello/resource';

const backend = defineBackend({ auth, data, sayHello, onChange, postConfirmation });

const { tables } = backend.data.resources;
backend.sayHello.addEnvironment('TABLE_NAME', tables['Todo'].tableName);
backend.sayHello.addEnvironment('POOL_ID', backend.auth.resources.userPool.userPoolId);
backend.sayHello.resources.lambda.addToRolePolicy(
  new PolicyStatement({ actions: ['dynamodb:GetItem'], resources: [`${tables['Todo'].tableArn}/*`] }),
);

new EventSourceMapping(tables['Todo'].stack, 'changes', {
  target: backend.onChange.resources.lambda,
  eventSourceArn: tables['Todo'].tableStreamArn,
  startingPosition: StartingPosition.LATEST,
});

const { url } = backend.onChange.resources.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
backend.sayHello.addEnvironment('CHANGES_URL', url);

const stack = backend.createStack('jobs');
const api = new RestApi(stack, 'Greetings', {
  restApiName: 'greetings',
  defaultCorsPreflightOptions: { allowOrigins: Cors.ALL_ORIGINS },
});
api.root.addResource('changes').addMethod('GET', new LambdaIntegration(backend.onChange.resources.lambda));
backend.addOutput({
  custom: { API: { [api.restApiName]: { endpoint: api.url, region: stack.region, apiName: api.restApiName } } },
});
new Vpc(stack, 'jobs');
