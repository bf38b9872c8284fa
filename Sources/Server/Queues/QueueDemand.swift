import Access
import JSON
import Queues

/// The rights that calls of SQS need, in IAM's names.
enum QueueDemand {
    private static let service = "sqs"
    /// A batch is many of what its name begins with.
    private static let batch = "Batch"

    static func demands(_ operation: String, _ input: JSONValue) -> [RightsDemand] {
        let action = operation.hasSuffix(batch) ? String(operation.dropLast(batch.utf8.count)) : operation
        return [RightsDemand("\(service):\(action)", resource(of: input))]
    }

    private static func resource(of input: JSONValue) -> PolicyResource {
        let name =
            input["QueueUrl"]?.string.flatMap { QueueService.name(inURL: $0, account: IAMPrincipal.exampleAccountID) }
            ?? input["QueueName"]?.string
        return name.map { PolicyResource(service, $0) } ?? .all(of: service)
    }
}
