import Project

/// Values in definitions: paths, inputs, results, conditions and times.
extension WorkflowProgram {
    static let values = #"""
        export class JsonPath {
          static DISCARD = 'DISCARD';
          static get entirePayload() { return new PathToken('$'); }
          static get entireContext() { return new PathToken('$$'); }
          static get taskToken() { return new PathToken('$$.Task.Token'); }
          static get executionId() { return new PathToken('$$.Execution.Id'); }
          static get executionInput() { return new PathToken('$$.Execution.Input'); }
          static get executionName() { return new PathToken('$$.Execution.Name'); }
          static get executionRoleArn() { return new PathToken('$$.Execution.RoleArn'); }
          static get executionStartTime() { return new PathToken('$$.Execution.StartTime'); }
          static get stateEnteredTime() { return new PathToken('$$.State.EnteredTime'); }
          static get stateName() { return new PathToken('$$.State.Name'); }
          static get stateRetryCount() { return new PathToken('$$.State.RetryCount'); }
          static get stateMachineId() { return new PathToken('$$.StateMachine.Id'); }
          static get stateMachineName() { return new PathToken('$$.StateMachine.Name'); }
          static stringAt(text) { return new PathToken(text); }
          static numberAt(text) { return new PathToken(text); }
          static listAt(text) { return new PathToken(text); }
          static objectAt(text) { return new PathToken(text); }
          static isEncodedJsonPath(value) { return is(value, PathToken); }
          static array(...values) { return call('Array', values); }
          static arrayPartition(list, size) { return call('ArrayPartition', [list, size]); }
          static arrayContains(list, value) { return call('ArrayContains', [list, value]); }
          static arrayRange(from, to, step) { return call('ArrayRange', [from, to, step]); }
          static arrayGetItem(list, index) { return call('ArrayGetItem', [list, index]); }
          static arrayLength(list) { return call('ArrayLength', [list]); }
          static arrayUnique(list) { return call('ArrayUnique', [list]); }
          static base64Encode(text) { return call('Base64Encode', [text]); }
          static base64Decode(text) { return call('Base64Decode', [text]); }
          static hash(value, algorithm) { return call('Hash', [value, algorithm]); }
          static jsonMerge(one, other) { return new PathToken(`States.JsonMerge(${argument(one)}, ${argument(other)}, false)`); }
          static stringToJson(text) { return call('StringToJson', [text]); }
          static jsonToString(value) { return call('JsonToString', [value]); }
          static mathRandom(from, to) { return call('MathRandom', [from, to]); }
          static mathAdd(one, other) { return call('MathAdd', [one, other]); }
          static stringSplit(text, separator) { return call('StringSplit', [text, separator]); }
          static uuid() { return call('UUID', []); }
          static format(text, ...values) { return call('Format', [text, ...values]); }
        }
        export { JsonPath as Data };
        export class Context extends JsonPath {}

        export class TaskInput {
          constructor(value) { this.value = value; }
          static fromText(text) { return new TaskInput(text); }
          static fromObject(object) { return new TaskInput(object); }
          static fromJsonPathAt(text) { return new TaskInput(new PathToken(text)); }
          static fromDataAt(text) { return new TaskInput(new PathToken(text)); }
          static fromContextAt(text) { return new TaskInput(new PathToken(text)); }
        }
        export class Result {
          constructor(value) { this.value = value; }
          static fromString(value) { return new Result(value); }
          static fromNumber(value) { return new Result(value); }
          static fromBoolean(value) { return new Result(value); }
          static fromObject(value) { return new Result(value); }
          static fromArray(value) { return new Result(value); }
        }

        export class Condition {
          constructor(rule) { this.rule = rule; }
          static and(...conditions) { return new Condition({ And: conditions.map((one) => one.rule) }); }
          static or(...conditions) { return new Condition({ Or: conditions.map((one) => one.rule) }); }
          static not(condition) { return new Condition({ Not: condition.rule }); }
          static jsonata(text) { return new Condition({ Condition: text }); }
          static stringMatches(variable, value) { return new Condition({ Variable: path(variable), StringMatches: value }); }
        }
        for (const [name, kind] of [['boolean', 'Boolean'], ['string', 'String'], ['number', 'Numeric'], ['timestamp', 'Timestamp']]) {
          for (const order of ['Equals', 'LessThan', 'GreaterThan', 'LessThanEquals', 'GreaterThanEquals']) {
            Condition[name + order] = (variable, value) => new Condition({ Variable: path(variable), [kind + order]: value });
            Condition[`${name}${order}JsonPath`] = (variable, value) =>
              new Condition({ Variable: path(variable), [`${kind}${order}Path`]: path(value) });
          }
        }
        for (const kind of ['Null', 'Present', 'Numeric', 'String', 'Boolean', 'Timestamp']) {
          Condition[`is${kind}`] = (variable) => new Condition({ Variable: path(variable), [`Is${kind}`]: true });
          Condition[`isNot${kind}`] = (variable) => new Condition({ Variable: path(variable), [`Is${kind}`]: false });
        }

        export class WaitTime {
          constructor(fields) { this.fields = fields; }
          static duration(duration) { return new WaitTime({ Seconds: seconds(duration) ?? 0 }); }
          static seconds(text) { return new WaitTime({ Seconds: text }); }
          static secondsPath(text) { return new WaitTime({ SecondsPath: path(text) }); }
          static timestamp(text) { return new WaitTime({ Timestamp: text }); }
          static timestampPath(text) { return new WaitTime({ TimestampPath: path(text) }); }
        }
        export class Timeout {
          constructor(fields) { this.fields = fields; }
          static duration(duration) { return new Timeout({ Seconds: seconds(duration) ?? 1 }); }
          static at(text) { return new Timeout({ SecondsPath: path(text) }); }
          static jsonata(text) { return new Timeout({ Seconds: text }); }
        }

        export const StateMachineType = { STANDARD: 'STANDARD', EXPRESS: 'EXPRESS' };
        export const IntegrationPattern = {
          REQUEST_RESPONSE: 'REQUEST_RESPONSE', RUN_JOB: 'RUN_JOB', WAIT_FOR_TASK_TOKEN: 'WAIT_FOR_TASK_TOKEN',
        };
        export const JitterType = { FULL: 'FULL', NONE: 'NONE' };
        export const ProcessorMode = { INLINE: 'INLINE', DISTRIBUTED: 'DISTRIBUTED' };
        export const ProcessorType = { STANDARD: 'STANDARD', EXPRESS: 'EXPRESS' };
        export const QueryLanguage = { JSON_PATH: 'JSONPath', JSONATA: 'JSONata' };
        export const Errors = {
          ALL: 'States.ALL', HEARTBEAT_TIMEOUT: 'States.HeartbeatTimeout', TIMEOUT: 'States.Timeout', TASKS_FAILED: 'States.TaskFailed',
          PERMISSIONS: 'States.Permissions', RESULT_PATH_MATCH_FAILURE: 'States.ResultPathMatchFailure',
          PARAMETER_PATH_FAILURE: 'States.ParameterPathFailure', BRANCH_FAILED: 'States.BranchFailed',
          NO_CHOICE_MATCHED: 'States.NoChoiceMatched',
        };
        """#
}
