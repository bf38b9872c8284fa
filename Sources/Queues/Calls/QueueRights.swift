import Access
import Cloud
import JSON

/// The rights that callers of SQS need, in IAM's names.
enum QueueRights {
    static let service = "sqs"

    /// The action on the queue that a call names, by its URL or by its name.
    static func queue(_ action: String, _ input: CallInput, account: String) -> [RightsDemand] {
        let name =
            input.text("QueueUrl").flatMap { CallInput.queue(inURL: $0, account: account) } ?? input.text("QueueName")
        return [RightsDemand(action, name.map { PolicyResource(service, $0) } ?? .all(of: service))]
    }
}
