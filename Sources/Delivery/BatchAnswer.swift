import JSON

/// A function's answer to a batch: which items it did not take (`batchItemFailures`).
package enum BatchAnswer: Sendable, Equatable {
    case taken
    /// The function took all but the items at these places, in the order of the answer.
    case takenBut([Int])
    /// It names an item that the batch does not have.
    case unknownItem
    case noList
    case noJSON

    /// - Parameter identifiers: those of the items.
    package init(_ body: [UInt8], to identifiers: [String]) {
        guard let answer = try? JSONReader.value(of: body) else {
            self = .noJSON
            return
        }
        guard let listed = answer["batchItemFailures"], !listed.isNull else {
            self = .taken
            return
        }
        guard let failures = listed.array else {
            self = .noList
            return
        }
        guard !failures.isEmpty else {
            self = .taken
            return
        }
        var places: [ByteText: Int] = [:]
        for (place, identifier) in identifiers.enumerated() { places[ByteText(identifier)] = place }
        let named = failures.compactMap { $0["itemIdentifier"]?.text.flatMap { places[$0] } }
        self = named.count == failures.count ? .takenBut(named) : .unknownItem
    }
}
