import Project

/// States, and the chains that they make.
extension WorkflowProgram {
    static let states = #"""
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

        // The language of the machine whose definition is being written.
        let machineLanguage = QueryLanguage.JSON_PATH;

        // Variables that a state, a rule or a handler of errors assigns, and its output in JSONata.
        function outcome({ assign, outputs }) {
          const json = {};
          if (assign !== undefined) json.Assign = render(assign);
          if (outputs !== undefined) json.Output = render(outputs);
          return json;
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
          static jsonPath(scope, id, props) { return new this(scope, id, props); }
          static jsonata(scope, id, props = {}) { return new this(scope, id, { ...props, queryLanguage: QueryLanguage.JSONATA }); }
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
            this.catches.push({ handler: handler.startState, errors: props.errors ?? ['States.ALL'], props });
            return this;
          }
          addPrefix(prefix) { this.stateId = prefix + this.stateId; }
          static prefixStates() {}
          targets() {
            return [...this.catches.map((one) => one.handler), ...(this.following === undefined ? [] : [this.following])];
          }
          fields() { return {}; }
          // The language of the state: its own, or that of the machine.
          get language() { return this.props.queryLanguage ?? machineLanguage; }
          get isQuery() { return this.language === QueryLanguage.JSONATA; }
          // What a state says of its language: nothing where it is the machine's.
          get ownLanguage() {
            return this.isQuery && machineLanguage !== QueryLanguage.JSONATA ? QueryLanguage.JSONATA : undefined;
          }
          given(value) { return { [this.isQuery ? 'Arguments' : 'Parameters']: render(value) }; }
          toStateJson() {
            const { props } = this;
            const json = { Type: this.type, Comment: props.comment, QueryLanguage: this.ownLanguage, ...this.fields() };
            if (props.inputPath !== undefined) json.InputPath = path(props.inputPath);
            if (props.outputPath !== undefined) json.OutputPath = path(props.outputPath);
            if (this.hasResult) {
              if (props.resultPath !== undefined) json.ResultPath = path(props.resultPath);
              if (props.resultSelector !== undefined) json.ResultSelector = render(props.resultSelector);
            }
            if (props.arguments !== undefined) json.Arguments = render(props.arguments);
            Object.assign(json, outcome(props));
            if (this.retries.length > 0) json.Retry = this.retries;
            if (this.catches.length > 0) {
              json.Catch = this.catches.map((one) => ({
                ErrorEquals: one.errors, Next: one.handler.stateId,
                ResultPath: one.props.resultPath === undefined ? undefined : path(one.props.resultPath),
                ...outcome(one.props),
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

        // The definition of a machine in a language of its own.
        function definition(chain, language) {
          machineLanguage = language ?? QueryLanguage.JSON_PATH;
          const content = { QueryLanguage: language, ...graph(chain) };
          machineLanguage = QueryLanguage.JSON_PATH;
          return content;
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
            const json = { QueryLanguage: this.ownLanguage, ...render(this.props.stateJson) };
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
        }
        Pass.prototype.hasResult = true;

        export class Wait extends State {
          get type() { return 'Wait'; }
          fields() { return { ...this.props.time?.fields }; }
        }

        export class Succeed extends State {
          get type() { return 'Succeed'; }
          get endStates() { return []; }
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
            this.rules.push({ rule: condition.rule, next: next.startState, options });
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
            const json = {
              Choices: this.rules.map(({ rule, next, options }) => ({
                ...rule, Comment: options.comment, ...outcome(options), Next: next.stateId,
              })),
            };
            if (this.other) json.Default = this.other.stateId;
            return json;
          }
        }
        Choice.prototype.isOpenEnded = false;
        """#
}
