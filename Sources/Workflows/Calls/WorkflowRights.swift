import Access
import Cloud
import JSON

/// The rights that calls of Step Functions need, in IAM's names.
enum WorkflowRights {
    static let service = "states"
    /// The action on the state machine, the execution or the run that a call names.
    static func named(_ action: String, _ input: CallInput) -> [RightsDemand] {
        [RightsDemand(action, resource(of: input))]
    }

    private static func resource(of input: CallInput) -> PolicyResource {
        if let execution = input.text("executionArn") ?? input.text("mapRunArn") {
            guard let arn = ARN(execution, of: service), let kind = arn.parts.first, arn.parts.count > 1 else {
                return .all(of: service)
            }
            return PolicyResource(service, "\(kind):", arn.name(behind: "\(kind):") ?? "*")
        }
        guard let machine = input.text("stateMachineArn") else { return .all(of: service) }
        guard machine.hasPrefix("arn:") else { return PolicyResource(service, "stateMachine:", machine) }
        // A version or an alias may stand behind the name: a caller who may start a machine may start each of them.
        guard let parts = ARN(machine, of: service)?.parts, parts.count > 1 else { return .all(of: service) }
        return PolicyResource(service, "stateMachine:", parts[1])
    }
}
