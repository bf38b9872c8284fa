/// What a protocol says about its operations.
protocol OperationMachine: ~Copyable {
    /// The operation is registered: from now on it gets events. Nothing where the protocol has no word for it, or when it
    /// was stopped meanwhile.
    func started(_ id: String, _ number: OperationNumber) -> [UInt8]?

    /// An operation that runs was asked for once more, by its own caller or by another one.
    func repeated(_ id: String, _ number: OperationNumber, isSameCaller: Bool) -> [UInt8]?

    /// A query or mutation has its answer. Nothing when it was stopped.
    mutating func answered(_ id: String, _ number: OperationNumber, _ response: [UInt8]) -> [[UInt8]]

    /// A subscription is over: the app's own code has ended it. Nothing when it was stopped.
    mutating func completed(_ id: String, _ number: OperationNumber) -> [UInt8]?

    /// The operation could not start, or has to end. Nil when it is over already.
    mutating func failed(_ id: String, _ number: OperationNumber, _ failure: OperationFailure) -> [UInt8]?
}

extension OperationMachine where Self: ~Copyable {
    func started(_ id: String, _ number: OperationNumber) -> [UInt8]? { nil }

    func repeated(_ id: String, _ number: OperationNumber, isSameCaller: Bool) -> [UInt8]? { nil }

    mutating func answered(_ id: String, _ number: OperationNumber, _ response: [UInt8]) -> [[UInt8]] { [] }

    /// The frames that tell what became of an operation.
    mutating func frames(
        of operation: OperationStart, after outcome: ConnectionOperations.Outcome
    ) -> [[UInt8]] {
        switch outcome {
        case .subscribed: started(operation.id, operation.number).map { [$0] } ?? []
        case .repeated(let isSame):
            repeated(operation.id, operation.number, isSameCaller: isSame).map { [$0] } ?? []
        case .answered(let response): answered(operation.id, operation.number, response)
        case .completed: completed(operation.id, operation.number).map { [$0] } ?? []
        case .failed(let failure): failed(operation.id, operation.number, failure).map { [$0] } ?? []
        }
    }
}
