import Project

/// State machines with their definitions, and the rights on them.
extension WorkflowProgram {
    static let machines = #"""
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
              content = { Comment: props.comment, ...definition(content, props.queryLanguage) };
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
