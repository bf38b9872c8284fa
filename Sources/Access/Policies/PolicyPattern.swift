/// A text of a policy that stands for others: `*` for any bytes, also for none, and `?` for one.
package struct PolicyPattern: Sendable, Equatable {
    private let bytes: [UInt8]
    /// True if every text is one of them.
    package let isEverything: Bool

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        isEverything = !bytes.isEmpty && bytes.allSatisfy { $0 == Self.any }
    }

    private static let any = UInt8(ascii: "*")
    private static let one = UInt8(ascii: "?")

    /// Returns whether a text is one of those that it stands for. Where more than one `*` may end is tried from the last one alone: what an
    /// earlier one could take in its place, the last one can too. So the work is bounded by the product of both lengths.
    package func matches(_ text: [UInt8]) -> Bool {
        if isEverything { return true }
        var (place, other) = (0, 0)
        var star: (place: Int, other: Int)?
        while other < text.count {
            if place < bytes.count, bytes[place] == Self.any {
                star = (place, other)
                place += 1
            } else if place < bytes.count, bytes[place] == Self.one || bytes[place] == text[other] {
                place += 1
                other += 1
            } else if let last = star {
                star = (last.place, last.other + 1)
                (place, other) = (last.place + 1, last.other + 1)
            } else {
                return false
            }
        }
        return bytes[place...].allSatisfy { $0 == Self.any }
    }

    /// Returns whether every text that it stands for begins so.
    func begins(with start: [UInt8]) -> Bool {
        bytes.starts(with: start) && !bytes.prefix(start.count).contains { $0 == Self.any || $0 == Self.one }
    }
}

extension UInt8 {
    /// A letter of ASCII in its small form; any other byte as it is.
    fileprivate var small: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

/// What a statement says of actions: `dynamodb:GetItem`, `s3:Get*`, `*`. Letters of either case are the same, as in IAM.
package struct ActionPattern: Sendable, Equatable {
    private let pattern: PolicyPattern

    package init(_ text: String) {
        pattern = PolicyPattern(String(decoding: text.utf8.map(\.small), as: UTF8.self))
    }

    /// - Parameter action: as `name(of:)` gives it.
    func matches(_ action: [UInt8]) -> Bool { pattern.matches(action) }

    /// An action in the form in which it is looked for.
    static func name(of action: String) -> [UInt8] { action.utf8.map(\.small) }
}
