import Access

extension DeliveryEngine {
    /// Delivers something by a call of a function.
    ///
    /// - Parameters:
    ///   - name: the function, as the log names it.
    ///   - read: reads the answer of a function that says what it took; nil: it takes all.
    ///   - late: the outcome where the answer takes too long or is too long; the function has been called.
    package func call(
        _ call: FunctionInvocation, _ name: String, by outside: any OutsideService,
        reading read: (([UInt8]) -> DeliveryOutcome)? = nil,
        late: (String) -> DeliveryOutcome = DeliveryOutcome.failed
    ) async -> DeliveryOutcome {
        let outcome: DeliveryOutcome
        do throws(OutsideError) {
            let response = try await outside.invoke(call)
            if case .some = response.field("x-amz-function-error") {
                outcome = .failed("\(name) has failed")
            } else if (200..<300).contains(response.status) {
                return read?(response.body) ?? .taken
            } else {
                outcome = .unreachable("\(name) answers with status \(response.status)")
            }
        } catch {
            switch error {
            case .timedOut, .tooLarge: outcome = late("\(name) answers too late or with too much")
            case .unreachable(let reason): outcome = .unreachable("\(name) cannot be called: \(reason)")
            case .invalidURL: outcome = .unreachable("\(name) cannot be called: \(error)")
            }
        }
        // A function that the server ends has not failed.
        return isStopping ? .cancelled : outcome
    }
}
