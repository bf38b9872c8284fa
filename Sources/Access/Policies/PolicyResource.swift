import JSON

/// What an action is done to, without where it is: `table/Todo` of `dynamodb`. This server has one account in one region.
package struct PolicyResource: Sendable, Hashable {
    /// As ARNs call it: `dynamodb`.
    package let service: String
    /// What stands before the name: `table/`.
    package let kind: String
    package let name: String

    package init(_ service: String, _ kind: String, _ name: String) {
        (self.service, self.kind, self.name) = (service, kind, name)
    }

    /// One whose ARN ends in its name alone, such as a queue.
    package init(_ service: String, _ name: String) { self.init(service, "", name) }

    /// What actions are done to that are for nothing by itself, such as to list.
    package static func all(of service: String) -> PolicyResource { PolicyResource(service, "", "*") }

    /// What the ARN ends in.
    var ending: [UInt8] { Array(kind.utf8) + Array(name.utf8) }

    package static func == (left: PolicyResource, right: PolicyResource) -> Bool {
        left.name == right.name && left.kind == right.kind && left.service == right.service
    }

    package func hash(into hasher: inout Hasher) {
        for part in [service, kind, name] { hasher.combine(ByteText(part)) }
    }
}

/// What a statement says of resources: `*`, or an ARN with `*` and `?`.
///
/// The region and the account of an ARN count for nothing: a policy that names those of a deployment means what is here. Before
/// them nothing may be left open, as in IAM.
package struct ResourcePattern: Sendable, Equatable {
    /// Nil: of every service.
    private let service: PolicyPattern?
    private let ending: PolicyPattern

    private static let parts = 6

    /// Nil: the text is neither, so it stands for nothing.
    package init?(_ text: String) {
        guard text != "*" else {
            (service, ending) = (nil, PolicyPattern("*"))
            return
        }
        let parts = text.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: Self.parts - 1, omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard let first = parts.first, first.utf8.elementsEqual("arn".utf8), parts.count > 2 else { return nil }
        service = PolicyPattern(parts[2])
        if parts.count == Self.parts {
            ending = PolicyPattern(Self.ending(parts[5], of: parts[2]))
        } else {
            // `arn:aws:sqs:*`
            guard parts.last?.utf8.last == UInt8(ascii: "*") else { return nil }
            ending = PolicyPattern("*")
        }
    }

    private static let suffixLetters = 6

    /// The letters that a deployment puts behind the name of a secret are others than those of the secret here.
    private static func ending(_ text: Substring, of service: Substring) -> String {
        let bytes = Array(text.utf8)
        guard service.utf8.elementsEqual("secretsmanager".utf8), let dash = bytes.lastIndex(of: UInt8(ascii: "-")),
            bytes.count - dash - 1 == suffixLetters,
            bytes[(dash + 1)...].allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            })
        else { return String(text) }
        return String(decoding: bytes[...dash], as: UTF8.self) + String(repeating: "?", count: suffixLetters)
    }

    func matches(_ service: [UInt8], _ ending: [UInt8], for identity: String? = nil) -> Bool {
        guard let pattern = self.service else { return true }
        return pattern.matches(service) && self.ending.matches(ending, for: identity)
    }

    /// Returns whether all that it stands for begins so.
    func isBelow(_ start: [UInt8]) -> Bool { service != nil && ending.begins(with: start) }
}
