import Access
import Cloud
import JSON

/// The rights that callers of SQS need, in IAM's names.
enum QueueRights {
    static let service = "sqs"

    /// The caller of a move receives and deletes at one queue, and sends to another.
    static func move(_ action: String, _ input: CallInput, _ queues: Queues) -> [RightsDemand] {
        func resource(_ name: String?) -> PolicyResource {
            name.map { PolicyResource(service, $0) } ?? .all(of: service)
        }
        let handle = input.text("TaskHandle").flatMap(QueueMove.source)
        let source = resource((input.text("SourceArn") ?? handle).flatMap(queues.name))
        guard action == "\(service):StartMessageMoveTask" else { return [RightsDemand(action, source)] }
        let target = resource(input.text("DestinationArn").flatMap(queues.name))
        return [
            RightsDemand(action, source), RightsDemand("\(service):ReceiveMessage", source),
            RightsDemand("\(service):DeleteMessage", source), RightsDemand("\(service):SendMessage", target),
        ]
    }

    /// The action on the queue that a call names, by its URL or by its name.
    static func queue(_ action: String, _ input: CallInput, account: String) -> [RightsDemand] {
        let name =
            input.text("QueueUrl").flatMap { CallInput.queue(inURL: $0, account: account) } ?? input.text("QueueName")
        return [RightsDemand(action, name.map { PolicyResource(service, $0) } ?? .all(of: service))]
    }
}
