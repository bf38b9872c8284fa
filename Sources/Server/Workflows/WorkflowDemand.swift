import Access
import JSON

/// The rights that calls of Step Functions need, in IAM's names.
enum WorkflowDemand {
    private static let service = "states"
    /// `arn:aws:states:us-east-1:123456789012:stateMachine:orders`
    private static let partsBeforeKind = 5

    static func demands(_ operation: String, _ input: JSONValue) -> [RightsDemand] {
        [RightsDemand("\(service):\(operation)", resource(of: input))]
    }

    private static func resource(of input: JSONValue) -> PolicyResource {
        if let execution = input["executionArn"]?.string ?? input["mapRunArn"]?.string {
            let parts = execution.parts(separatedBy: ":")
            guard parts.count > partsBeforeKind + 1 else { return .all(of: service) }
            return PolicyResource(
                service, "\(parts[partsBeforeKind]):",
                parts[(partsBeforeKind + 2)...].reduce(parts[partsBeforeKind + 1]) { "\($0):\($1)" })
        }
        guard let machine = input["stateMachineArn"]?.string else { return .all(of: service) }
        guard machine.hasPrefix("arn:") else { return PolicyResource(service, "stateMachine:", machine) }
        let parts = machine.parts(separatedBy: ":")
        // A version or an alias may stand behind the name: who may start a machine may start each of them.
        guard parts.count > partsBeforeKind + 1 else { return .all(of: service) }
        return PolicyResource(service, "stateMachine:", parts[partsBeforeKind + 1])
    }
}
