import Blueprint
import Project

/// The programs that stand for the CDK's modules for state machines: what they export has the CDK's names, and writes the same definitions.
///
/// The module of constructs is one program in parts: what all of them use, values in definitions, states, states with branches, and machines.
enum WorkflowProgram {
    static let constructs = [common, values, states, branches, distributed, machines].joined(separator: "\n")

    private static let common = #"""
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
        """#
}
