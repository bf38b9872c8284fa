import Blueprint
import Project

/// What runs in the states of a definition: `aws-stepfunctions-tasks`.
extension WorkflowProgram {
    static let tasks = #"""
        import { TaskStateBase, PathToken, TaskInput, is } from 'aws-cdk-lib/aws-stepfunctions';
        export * from 'rest:aws-cdk-lib/aws-stepfunctions-tasks';

        const value = (input) => is(input, TaskInput) ? input.value : input;

        class Task extends TaskStateBase {
          // The input of the state, in its language.
          get input() { return this.isQuery ? '{% $states.input %}' : new PathToken('$'); }
        }

        export const LambdaInvocationType = { REQUEST_RESPONSE: 'RequestResponse', EVENT: 'Event', DRY_RUN: 'DryRun' };

        export class LambdaInvoke extends Task {
          constructor(scope, id, props) {
            super(scope, id, props);
            if (props.retryOnServiceExceptions !== false) {
              this.retries.push({
                ErrorEquals: [
                  'Lambda.ClientExecutionTimeoutException', 'Lambda.ServiceException', 'Lambda.AWSLambdaException', 'Lambda.SdkClientException',
                ],
                IntervalSeconds: 2, MaxAttempts: 6, BackoffRate: 2,
              });
            }
          }
          task() {
            const { props } = this;
            const payload = value(props.payload);
            if (props.payloadResponseOnly) {
              const json = { Resource: props.lambdaFunction.functionArn };
              if (is(payload, PathToken)) json.InputPath = payload.path;
              else if (payload !== undefined) Object.assign(json, this.given(payload));
              return json;
            }
            return {
              Resource: this.resource('lambda:invoke'),
              ...this.given({
                FunctionName: props.lambdaFunction.functionArn, Payload: payload === undefined ? this.input : payload,
                InvocationType: props.invocationType, Qualifier: props.qualifier,
              }),
            };
          }
        }

        export class SqsSendMessage extends Task {
          task() {
            const { props } = this;
            return {
              Resource: this.resource('sqs:sendMessage'),
              ...this.given({
                QueueUrl: props.queue.queueUrl, MessageBody: value(props.messageBody),
                MessageDeduplicationId: props.messageDeduplicationId, MessageGroupId: props.messageGroupId,
              }),
            };
          }
        }

        export const MessageAttributeDataType = { STRING: 'String', STRING_ARRAY: 'String.Array', NUMBER: 'Number', BINARY: 'Binary' };

        export class SnsPublish extends Task {
          task() {
            const { props } = this;
            let attributes;
            if (props.messageAttributes !== undefined) {
              attributes = {};
              for (const [name, one] of Object.entries(props.messageAttributes)) {
                attributes[name] = { DataType: one.dataType ?? 'String', StringValue: one.value };
              }
            }
            return {
              Resource: this.resource('sns:publish'),
              ...this.given({
                TopicArn: props.topic.topicArn, Message: value(props.message), Subject: props.subject, MessageAttributes: attributes,
                MessageStructure: props.messagePerSubscriptionType ? 'json' : undefined,
              }),
            };
          }
        }

        export class EventBridgePutEvents extends Task {
          task() {
            const entries = this.props.entries.map((entry) => ({
              Detail: value(entry.detail), DetailType: entry.detailType, Source: entry.source,
              EventBusName: entry.eventBus === undefined ? undefined : entry.eventBus.eventBusName,
            }));
            return { Resource: this.resource('events:putEvents'), ...this.given({ Entries: entries }) };
          }
        }

        export class StepFunctionsStartExecution extends Task {
          task() {
            const { props } = this;
            const ending = this.pattern === 'RUN_JOB' ? ':2' : '';
            return {
              Resource: this.resource('states:startExecution') + ending,
              ...this.given({
                StateMachineArn: props.stateMachine.stateMachineArn, Name: props.name,
                Input: props.input === undefined ? this.input : value(props.input),
              }),
            };
          }
        }

        export class DynamoAttributeValue {
          constructor(attribute) { this.attribute = attribute; }
          static fromString(text) { return new DynamoAttributeValue({ S: text }); }
          static fromNumber(number) { return new DynamoAttributeValue({ N: is(number, PathToken) ? number : `${number}` }); }
          static numberFromString(text) { return new DynamoAttributeValue({ N: text }); }
          static fromBinary(text) { return new DynamoAttributeValue({ B: text }); }
          static fromBoolean(flag) { return new DynamoAttributeValue({ BOOL: flag }); }
          static booleanFromJsonPath(path) { return new DynamoAttributeValue({ BOOL: new PathToken(`${path}`) }); }
          static fromNull() { return new DynamoAttributeValue({ NULL: true }); }
          static fromStringSet(list) { return new DynamoAttributeValue({ SS: list }); }
          static fromNumberSet(list) { return new DynamoAttributeValue({ NS: list.map((number) => `${number}`) }); }
          static fromList(list) { return new DynamoAttributeValue({ L: list.map((one) => one.attribute) }); }
          static listFromJsonPath(path) { return new DynamoAttributeValue({ L: new PathToken(`${path}`) }); }
          static fromMap(map) { return new DynamoAttributeValue({ M: attributes(map) }); }
          static mapFromJsonPath(path) { return new DynamoAttributeValue({ M: new PathToken(`${path}`) }); }
          toObject() { return this.attribute; }
        }

        const attributes = (map) => {
          if (map === undefined) return undefined;
          const object = {};
          for (const [name, one] of Object.entries(map)) object[name] = one.attribute;
          return object;
        };

        class DynamoTask extends Task {
          task() {
            const { props } = this;
            return {
              Resource: this.resource(`dynamodb:${this.operation}`),
              ...this.given({
                TableName: props.table.tableName, Key: attributes(props.key), Item: attributes(props.item),
                ConsistentRead: props.consistentRead, ConditionExpression: props.conditionExpression,
                UpdateExpression: props.updateExpression, ExpressionAttributeNames: props.expressionAttributeNames,
                ExpressionAttributeValues: attributes(props.expressionAttributeValues),
                ProjectionExpression: props.projectionExpression?.map((one) => `${one}`).join(','),
                ReturnValues: props.returnValues,
              }),
            };
          }
        }
        export class DynamoGetItem extends DynamoTask { get operation() { return 'getItem'; } }
        export class DynamoPutItem extends DynamoTask { get operation() { return 'putItem'; } }
        export class DynamoUpdateItem extends DynamoTask { get operation() { return 'updateItem'; } }
        export class DynamoDeleteItem extends DynamoTask { get operation() { return 'deleteItem'; } }
        export class DynamoProjectionExpression {
          constructor() { this.text = ''; }
          withAttribute(name) { this.text += this.text ? `.${name}` : name; return this; }
          atIndex(index) { this.text += `[${index}]`; return this; }
          toString() { return this.text; }
        }
        export const DynamoReturnValues = {
          NONE: 'NONE', ALL_OLD: 'ALL_OLD', UPDATED_OLD: 'UPDATED_OLD', ALL_NEW: 'ALL_NEW', UPDATED_NEW: 'UPDATED_NEW',
        };

        export class CallAwsService extends Task {
          task() {
            const { service, action, parameters } = this.props;
            return { Resource: this.resource(`aws-sdk:${`${service}`.toLowerCase()}:${action}`), ...this.given(parameters ?? {}) };
          }
        }
        """#
}
