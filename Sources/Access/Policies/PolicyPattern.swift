/// A text of a policy that stands for others: `*` for any bytes, also for none, and `?` for one. `${cognito-identity.amazonaws.com:sub}` is
/// the caller's id in the identity pool.
package struct PolicyPattern: Sendable, Equatable {
    private let bytes: [UInt8]
    /// The parts before, between and behind the caller's ids; nil: the pattern has no id.
    private let aroundIdentity: [[UInt8]]?
    /// True if every text is one of them.
    package let isEverything: Bool

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        aroundIdentity = Self.parts(of: bytes)
        isEverything = !bytes.isEmpty && bytes.allSatisfy { $0 == Self.any }
    }

    private static let any = UInt8(ascii: "*")
    private static let one = UInt8(ascii: "?")
    private static let identity = Array("${cognito-identity.amazonaws.com:sub}".utf8)

    private static func parts(of bytes: [UInt8]) -> [[UInt8]]? {
        guard bytes.contains(UInt8(ascii: "$")) else { return nil }
        var parts: [[UInt8]] = [[]]
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: identity) {
                parts.append([])
                place += identity.count
            } else {
                parts[parts.count - 1].append(bytes[place])
                place += 1
            }
        }
        return parts.count > 1 ? parts : nil
    }

    /// Returns whether a text is one of those that it stands for.
    ///
    /// - Parameter identity: the caller's id; without one, a pattern that has it in it stands for nothing.
    package func matches(_ text: [UInt8], for identity: String? = nil) -> Bool {
        if isEverything { return true }
        guard let aroundIdentity else { return Self.matches(bytes, text) }
        guard let identity, !identity.utf8.contains(where: { $0 == Self.any || $0 == Self.one }) else { return false }
        return Self.matches(Array(aroundIdentity.joined(separator: Array(identity.utf8))), text)
    }

    /// Where more than one `*` may end is tried from the last one alone: what an earlier one could take in its place, the last one can too.
    /// So the work is bounded by the product of both lengths.
    private static func matches(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        var (place, other) = (0, 0)
        var star: (place: Int, other: Int)?
        while other < text.count {
            if place < bytes.count, bytes[place] == any {
                star = (place, other)
                place += 1
            } else if place < bytes.count, bytes[place] == one || bytes[place] == text[other] {
                place += 1
                other += 1
            } else if let last = star {
                star = (last.place, last.other + 1)
                (place, other) = (last.place + 1, last.other + 1)
            } else {
                return false
            }
        }
        return bytes[place...].allSatisfy { $0 == any }
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
