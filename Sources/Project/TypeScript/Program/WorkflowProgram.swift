import Blueprint

/// The programs that stand for the CDK's modules for state machines: what they export has the CDK's names, and writes the same definitions.
enum WorkflowProgram {
    static let constructs = #"""
        import { define, give, isOpaque, seconds, opaque } from 'homeport:workflows';
        export * from 'rest:aws-cdk-lib/aws-stepfunctions';
        export {
          Activity, LogLevel, StateTransitionMetric, ServiceIntegrationPattern, InputType,
          EncryptionConfiguration, AwsOwnedEncryptionConfiguration, StateMachineEncryptionConfiguration, TaskRole, TaskMetricsConfig,
        } from 'rest:aws-cdk-lib/aws-stepfunctions';

        // What is opaque is of no kind here.
        export const is = (value, kind) => !isOpaque(value) && value instanceof kind;

        // A path, or a call of a function, in the place of a value.
        export class PathToken {
          constructor(path) { this.path = path; }
          toString() { return this.path; }
        }

        const isObject = (value) => !isOpaque(value) && typeof value === 'object' && value !== null;

        // A value with `.$` behind the names of members that are paths.
        export function render(value) {
          if (is(value, TaskInput) || is(value, Result)) return render(value.value);
          if (!isObject(value)) return value;
          if (Array.isArray(value)) return value.map((element) => is(element, PathToken) ? element.path : render(element));
          const object = {};
          for (const [name, member] of Object.entries(value)) {
            const inner = is(member, TaskInput) || is(member, Result) ? member.value : member;
            if (inner === undefined) continue;
            if (is(inner, PathToken)) object[`${name}.$`] = inner.path;
            else object[name] = render(inner);
          }
          return object;
        }

        const path = (value) => {
          if (is(value, PathToken)) return value.path;
          return value === JsonPath.DISCARD ? null : value;
        };

        const argument = (value) => {
          if (is(value, PathToken)) return value.path;
          if (isOpaque(value)) return "''";
          if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
          return String(value);
        };
        const call = (name, values) => new PathToken(`States.${name}(${values.map(argument).join(', ')})`);

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

        export class Chain {
          constructor(startState, endStates) {
            this.startState = startState;
            this.endStates = isOpaque(endStates) ? [] : endStates;
            this.id = startState.id;
          }
          static start(one) { return new Chain(one.startState, one.endStates); }
          static sequence(one, other) { return new Chain(one.startState, other.endStates); }
          static custom(start, ends) { return new Chain(start, ends); }
          next(other) {
            for (const end of this.endStates) end.next(other);
            return new Chain(this.startState, other.endStates);
          }
          toSingleState(id, props = {}) { return new Parallel(undefined, id, props).branch(this); }
        }

        export class State {
          constructor(scope, id, props = {}) {
            this.id = id;
            this.stateId = props.stateName ?? id;
            this.props = props;
            this.following = undefined;
            this.retries = [];
            this.catches = [];
          }
          get startState() { return this; }
          get endStates() { return [this]; }
          get node() { return opaque(`${this.id}.node`); }
          next(other) {
            this.following = other.startState;
            return new Chain(this, other.endStates);
          }
          addRetry(props = {}) {
            this.retries.push({
              ErrorEquals: props.errors ?? ['States.ALL'],
              IntervalSeconds: props.interval === undefined ? undefined : seconds(props.interval),
              MaxAttempts: props.maxAttempts,
              BackoffRate: props.backoffRate,
              MaxDelaySeconds: props.maxDelay === undefined ? undefined : seconds(props.maxDelay),
              JitterStrategy: props.jitterStrategy,
            });
            return this;
          }
          addCatch(handler, props = {}) {
            this.catches.push({ handler: handler.startState, errors: props.errors ?? ['States.ALL'], resultPath: props.resultPath });
            return this;
          }
          addPrefix(prefix) { this.stateId = prefix + this.stateId; }
          static prefixStates() {}
          targets() {
            return [...this.catches.map((one) => one.handler), ...(this.following === undefined ? [] : [this.following])];
          }
          fields() { return {}; }
          toStateJson() {
            const { props } = this;
            const json = { Type: this.type, Comment: props.comment, QueryLanguage: props.queryLanguage, ...this.fields() };
            if (props.inputPath !== undefined) json.InputPath = path(props.inputPath);
            if (props.outputPath !== undefined) json.OutputPath = path(props.outputPath);
            if (this.hasResult) {
              if (props.resultPath !== undefined) json.ResultPath = path(props.resultPath);
              if (props.resultSelector !== undefined) json.ResultSelector = render(props.resultSelector);
            }
            if (props.assign !== undefined) json.Assign = render(props.assign);
            if (props.outputs !== undefined) json.Output = render(props.outputs);
            if (this.retries.length > 0) json.Retry = this.retries;
            if (this.catches.length > 0) {
              json.Catch = this.catches.map((one) => ({
                ErrorEquals: one.errors, Next: one.handler.stateId,
                ResultPath: one.resultPath === undefined ? undefined : path(one.resultPath),
              }));
            }
            if (this.isOpenEnded) {
              if (this.following) json.Next = this.following.stateId; else json.End = true;
            }
            return json;
          }
          static findReachableEndStates(start) {
            return reachable(start).filter((state) => state.isOpenEnded && !state.following);
          }
        }
        State.prototype.isOpenEnded = true;

        function reachable(start) {
          const found = [];
          const left = [start];
          while (left.length > 0) {
            const state = left.pop();
            // What nobody here knows leads nowhere.
            if (found.includes(state) || isOpaque(state)) continue;
            found.push(state);
            left.push(...state.targets());
          }
          return found;
        }

        // The definition of all states that a chain leads to.
        export function graph(chain) {
          if (isOpaque(chain)) return { StartAt: 'unknown', States: {} };
          const start = chain.startState;
          const states = {};
          for (const state of reachable(start)) states[state.stateId] = state.toStateJson();
          return { StartAt: start.stateId, States: states };
        }

        export class TaskStateBase extends State {
          get type() { return 'Task'; }
          timing() {
            const { timeout, taskTimeout, heartbeat, heartbeatTimeout } = this.props;
            const json = {};
            if (timeout !== undefined) json.TimeoutSeconds = seconds(timeout);
            for (const [name, value] of Object.entries(taskTimeout?.fields ?? {})) json[`Timeout${name}`] = value;
            if (heartbeat !== undefined) json.HeartbeatSeconds = seconds(heartbeat);
            for (const [name, value] of Object.entries(heartbeatTimeout?.fields ?? {})) json[`Heartbeat${name}`] = value;
            return json;
          }
          get pattern() { return this.props.integrationPattern ?? 'REQUEST_RESPONSE'; }
          resource(name) {
            const endings = { RUN_JOB: '.sync', WAIT_FOR_TASK_TOKEN: '.waitForTaskToken' };
            return `arn:aws:states:::${name}${endings[this.pattern] ?? ''}`;
          }
          task() { return {}; }
          fields() { return { ...this.timing(), ...this.task() }; }
        }
        TaskStateBase.prototype.hasResult = true;

        export class CustomState extends State {
          toStateJson() {
            const json = { ...render(this.props.stateJson) };
            if (this.retries.length > 0) json.Retry = [...this.retries, ...(json.Retry ?? [])];
            if (json.Type === 'Succeed' || json.Type === 'Fail' || json.Type === 'Choice') return json;
            if (this.following) json.Next = this.following.stateId; else if (!json.Next) json.End = true;
            return json;
          }
        }

        export class StateMachineFragment {
          constructor(scope, id) { this.id = id; }
          get node() { return opaque(`${this.id}.node`); }
          next(other) { return Chain.start(this).next(other); }
          prefixStates() { return this; }
          toSingleState(props = {}) { return new Parallel(undefined, props.stateId ?? this.id, props).branch(this); }
        }

        export class Pass extends State {
          get type() { return 'Pass'; }
          fields() {
            const { result, parameters } = this.props;
            const json = {};
            if (is(result, Result) && is(result.value, PathToken)) json.InputPath = result.value.path;
            else if (result !== undefined) json.Result = is(result, Result) ? result.value : result;
            if (parameters !== undefined) json.Parameters = render(parameters);
            return json;
          }
          static jsonPath(scope, id, props) { return new Pass(scope, id, props); }
        }
        Pass.prototype.hasResult = true;

        export class Wait extends State {
          get type() { return 'Wait'; }
          fields() { return { ...this.props.time?.fields }; }
          static jsonPath(scope, id, props) { return new Wait(scope, id, props); }
        }

        export class Succeed extends State {
          get type() { return 'Succeed'; }
          get endStates() { return []; }
          static jsonPath(scope, id, props) { return new Succeed(scope, id, props); }
        }
        Succeed.prototype.isOpenEnded = false;

        export class Fail extends State {
          get type() { return 'Fail'; }
          get endStates() { return []; }
          fields() {
            const { error, cause, errorPath, causePath } = this.props;
            const json = {};
            if (is(error, PathToken)) json.ErrorPath = error.path; else if (error !== undefined) json.Error = error;
            if (is(cause, PathToken)) json.CausePath = cause.path; else if (cause !== undefined) json.Cause = cause;
            if (errorPath !== undefined) json.ErrorPath = path(errorPath);
            if (causePath !== undefined) json.CausePath = path(causePath);
            return json;
          }
          static jsonPath(scope, id, props) { return new Fail(scope, id, props); }
        }
        Fail.prototype.isOpenEnded = false;

        export class Choice extends State {
          constructor(scope, id, props) {
            super(scope, id, props);
            this.rules = [];
            this.other = undefined;
          }
          get type() { return 'Choice'; }
          get endStates() { return []; }
          when(condition, next, options = {}) {
            this.rules.push({ rule: condition.rule, next: next.startState, comment: options.comment });
            return this;
          }
          otherwise(next) {
            this.other = next.startState;
            return this;
          }
          afterwards(options = {}) {
            const ends = reachable(this).filter((state) => state.isOpenEnded && !state.following);
            if (options.includeOtherwise && !this.other) ends.push({ next: (state) => this.otherwise(state) });
            return new Chain(this, ends);
          }
          targets() { return [...this.rules.map((one) => one.next), ...(this.other ? [this.other] : [])]; }
          fields() {
            const json = { Choices: this.rules.map(({ rule, next, comment }) => ({ ...rule, Comment: comment, Next: next.stateId })) };
            if (this.other) json.Default = this.other.stateId;
            return json;
          }
          static jsonPath(scope, id, props) { return new Choice(scope, id, props); }
        }
        Choice.prototype.isOpenEnded = false;

        export class Parallel extends State {
          constructor(scope, id, props) {
            super(scope, id, props);
            this.branches = [];
          }
          get type() { return 'Parallel'; }
          branch(...chains) {
            this.branches.push(...chains);
            return this;
          }
          fields() {
            const json = { Branches: this.branches.map(graph) };
            if (this.props.parameters !== undefined) json.Parameters = render(this.props.parameters);
            return json;
          }
          static jsonPath(scope, id, props) { return new Parallel(scope, id, props); }
        }
        Parallel.prototype.hasResult = true;

        export class Map extends State {
          get type() { return 'Map'; }
          iterator(chain) {
            this.inner = chain;
            this.isOld = true;
            return this;
          }
          itemProcessor(chain, config = {}) {
            this.inner = chain;
            this.config = config;
            return this;
          }
          fields() {
            const { props } = this;
            const json = {};
            if (props.itemsPath !== undefined) json.ItemsPath = path(props.itemsPath);
            if (is(props.maxConcurrency, PathToken)) json.MaxConcurrencyPath = props.maxConcurrency.path;
            else if (props.maxConcurrency !== undefined) json.MaxConcurrency = props.maxConcurrency;
            if (props.maxConcurrencyPath !== undefined) json.MaxConcurrencyPath = path(props.maxConcurrencyPath);
            if (props.itemSelector !== undefined) json.ItemSelector = render(props.itemSelector);
            if (props.parameters !== undefined) json.Parameters = render(props.parameters);
            if (this.inner) {
              if (this.isOld) json.Iterator = graph(this.inner);
              else json.ItemProcessor = { ProcessorConfig: { Mode: this.config?.mode ?? 'INLINE' }, ...graph(this.inner) };
            }
            return json;
          }
          static jsonPath(scope, id, props) { return new Map(scope, id, props); }
        }
        Map.prototype.hasResult = true;

        export class DistributedMap extends Map {
          itemProcessor(chain) { return super.itemProcessor(chain, { mode: 'DISTRIBUTED' }); }
          fields() {
            const json = super.fields();
            for (const [name, member] of [['itemReader', 'ItemReader'], ['itemBatcher', 'ItemBatcher'], ['resultWriter', 'ResultWriter']]) {
              if (this.props[name] !== undefined) json[member] = {};
            }
            return json;
          }
        }

        export class DefinitionBody {
          constructor(kind, content) { this.kind = kind; this.content = content; }
          static fromChainable(chain) { return new DefinitionBody('value', chain); }
          static fromString(text) { return new DefinitionBody('text', text); }
          static fromFile(file) { return new DefinitionBody('file', file); }
        }
        export class StringDefinitionBody extends DefinitionBody {}
        export class FileDefinitionBody extends DefinitionBody {}
        export class ChainDefinitionBody extends DefinitionBody {}

        // What nobody here needs of a machine: measures, and parts of the deployment. Rights are what functions are given.
        class Machine {
          get node() { return opaque('stateMachine.node'); }
          get role() { return opaque('stateMachine.role'); }
          get stack() { return opaque('stateMachine.stack'); }
          get env() { return opaque('stateMachine.env'); }
          get grantPrincipal() { return opaque('stateMachine.grantPrincipal'); }
          addToRolePolicy() {}
          addPropertyOverride() {}
          addOverride() {}
          addDependency() {}
          applyRemovalPolicy() {}
        }
        const onMachine = machine => [`arn:aws:states:*:*:stateMachine:${machine.stateMachineName}`];
        const onExecutions = machine => [`arn:aws:states:*:*:execution:${machine.stateMachineName}:*`];
        const anywhere = () => ['*'];
        for (const [name, ...rights] of [
          ['', [[], onMachine]],
          ['Execution', [[], onExecutions]],
          ['StartExecution', [['StartExecution'], onMachine]],
          ['StartSyncExecution', [['StartSyncExecution'], onMachine]],
          ['RedriveExecution', [['RedriveExecution'], onExecutions]],
          ['Read',
            [['ListExecutions', 'ListStateMachines'], onMachine],
            [['DescribeExecution', 'DescribeStateMachineForExecution', 'GetExecutionHistory'], onExecutions],
            [['ListStateMachines', 'ListActivities', 'DescribeStateMachine', 'DescribeActivity'], anywhere]],
          // A token says itself of which machine it is.
          ['TaskResponse', [['SendTaskSuccess', 'SendTaskFailure', 'SendTaskHeartbeat'], anywhere]],
        ]) {
          Machine.prototype[`grant${name}`] = function (grantee, ...actions) {
            for (const [own, resources] of rights) {
              give({
                grantee, actions: own.length > 0 ? own.map(action => `states:${action}`) : actions, resourceArns: resources(this),
              });
            }
            return opaque(`stateMachine.grant${name}()`);
          };
        }
        for (const name of ['', 'Failed', 'Throttled', 'Aborted', 'Succeeded', 'TimedOut', 'Started', 'Time']) {
          Machine.prototype[`metric${name}`] = () => opaque(`stateMachine.metric${name}()`);
        }

        export class StateMachine extends Machine {
          constructor(scope, id, props = {}) {
            super();
            const body = props.definitionBody ?? (props.definition ? DefinitionBody.fromChainable(props.definition) : undefined);
            let content = body?.content;
            const kind = body?.kind ?? 'value';
            if (kind === 'value' && content) {
              content = { Comment: props.comment, ...graph(content) };
              if (props.timeout !== undefined) content.TimeoutSeconds = seconds(props.timeout);
            }
            const made = define(
              this, props.stateMachineName ?? id, kind, content, props.stateMachineType ?? 'STANDARD', props.definitionSubstitutions);
            this.stateMachineName = made?.name ?? id;
            this.stateMachineArn = made?.arn ?? opaque('stateMachineArn');
            this.stateMachineType = props.stateMachineType ?? 'STANDARD';
          }
          static fromStateMachineArn(scope, id, arn) { return Object.assign(new Machine(), { stateMachineArn: arn }); }
          static fromStateMachineName(scope, id, name) {
            return Object.assign(new Machine(), { stateMachineName: name, stateMachineArn: name });
          }
        }

        export class CfnStateMachine extends Machine {
          constructor(scope, id, props = {}) {
            super();
            const kind = props.definitionString === undefined ? 'value' : 'text';
            const made = define(
              this, props.stateMachineName ?? id, kind, kind === 'text' ? props.definitionString : props.definition,
              props.stateMachineType ?? 'STANDARD', props.definitionSubstitutions);
            this.attrName = made?.name ?? id;
            this.attrArn = made?.arn ?? opaque('attrArn');
            this.ref = this.attrArn;
          }
        }
        """#
}
