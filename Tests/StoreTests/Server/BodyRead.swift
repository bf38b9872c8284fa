import Store

/// A read that is two closures.
///
/// Unchecked: as all reads.
private final class BodyRead<Value: Sendable>: ReadTask, @unchecked Sendable {
    private let body: @Sendable (Reader) throws(StoreError) -> Value
    private let deliver: @Sendable (Result<Value, StoreError>) -> Void
    private var kept: Value?

    init(
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value,
        _ deliver: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        (self.body, self.deliver) = (body, deliver)
    }

    func read(_ reader: Reader) throws(StoreError) { kept = try body(reader) }

    func answer(_ failure: StoreError?) {
        if let failure {
            deliver(.failure(failure))
        } else if let kept {
            deliver(.success(kept))
        }
    }
}

extension ReadersAside {
    func begin<Value: Sendable>(
        until deadline: Int64, sharing: ReadSharing, asking row: ServerQuestion? = nil,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value,
        answer: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        begin(BodyRead(body, answer), until: deadline, sharing: sharing, asking: row)
    }
}

extension LoopReads {
    func begin<Value: Sendable>(
        until deadline: Int64, asking row: ServerQuestion,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value,
        answer: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        begin(BodyRead(body, answer), until: deadline, asking: row)
    }
}
