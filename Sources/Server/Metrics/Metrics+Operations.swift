import Engine

extension Metrics {
    /// The counts of GraphQL: all answers have status 200, so the routes do not tell a failing app from a good one.
    func writeOperations(to text: inout MetricsText) {
        let name = "homeport_graphql_operations_total"
        text.start(name, .counter, "Operations answered, by kind, root field and how the caller is known.")
        for (number, operation) in operations.enumerated() {
            for (place, count) in added({ $0.operations.answers(of: number) }).enumerated() where count > 0 {
                let caller = CallerKind(rawValue: place) ?? .none
                text.line(name, Self.labels(operation) + [("caller", caller.name)], "\(count)")
            }
        }
        writeErrors(to: &text)
        writeOperationDurations(to: &text)
    }

    private func writeErrors(to text: inout MetricsText) {
        let name = "homeport_graphql_errors_total"
        text.start(name, .counter, "Operations whose answers had errors, by kind, root field and type of error.")
        for (number, operation) in operations.enumerated() {
            for (place, count) in added({ $0.operations.errors(of: number) }).enumerated() where count > 0 {
                text.line(name, Self.labels(operation) + [("type", ErrorName.all[place])], "\(count)")
            }
        }
    }

    private func writeOperationDurations(to text: inout MetricsText) {
        let name = "homeport_graphql_operation_duration_seconds"
        text.start(name, .histogram, "How long operations took, by kind and root field.")
        for (number, operation) in operations.enumerated() {
            let buckets = added { $0.operations.durations(of: number) }
            guard buckets.contains(where: { $0 > 0 }) else { continue }
            let labels = Self.labels(operation)
            var count: UInt64 = 0
            for (place, bucket) in buckets.enumerated() {
                count &+= bucket
                let bounds = OperationCounters.durationBounds
                let bound = place < bounds.count ? Self.seconds(bounds[place] * 1_000) : "+Inf"
                text.line(name + "_bucket", labels + [("le", bound)], "\(count)")
            }
            let sum = loops.reduce(0) { $0 &+ $1.operations.nanoseconds(of: number) }
            text.line(name + "_sum", labels, Self.seconds(sum))
            text.line(name + "_count", labels, "\(count)")
        }
    }

    private static func labels(_ operation: RootFields.Entry) -> [(String, String)] {
        [("kind", operation.kind), ("field", operation.name)]
    }
}
