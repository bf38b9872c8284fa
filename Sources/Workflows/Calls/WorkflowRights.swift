import Access
import Cloud
import JSON

/// The rights that calls of Step Functions need, in IAM's names.
enum WorkflowRights {
    static let service = "states"
    /// `arn:aws:states:us-east-1:123456789012:stateMachine:orders`
    private static let partsBeforeKind = 5

    /// The action on the state machine, the execution or the run that a call names.
    static func named(_ action: String, _ input: CallInput) -> [RightsDemand] {
        [RightsDemand(action, resource(of: input))]
    }

    private static func resource(of input: CallInput) -> PolicyResource {
        if let execution = input.text("executionArn") ?? input.text("mapRunArn") {
            let parts = execution.parts(separatedBy: ":")
            guard parts.count > partsBeforeKind + 1 else { return .all(of: service) }
            return PolicyResource(
                service, "\(parts[partsBeforeKind]):",
                parts[(partsBeforeKind + 2)...].reduce(parts[partsBeforeKind + 1]) { "\($0):\($1)" })
        }
        guard let machine = input.text("stateMachineArn") else { return .all(of: service) }
        guard machine.hasPrefix("arn:") else { return PolicyResource(service, "stateMachine:", machine) }
        let parts = machine.parts(separatedBy: ":")
        // A version or an alias may stand behind the name: a caller who may start a machine may start each of them.
        guard parts.count > partsBeforeKind + 1 else { return .all(of: service) }
        return PolicyResource(service, "stateMachine:", parts[partsBeforeKind + 1])
    }
}
