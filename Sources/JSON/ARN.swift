/// The name of a resource in the cloud: `arn:aws:sqs:us-east-1:123456789012:orders`. It is in this room because every room that writes or
/// reads such names imports it.
package struct ARN: Sendable, CustomStringConvertible {
    package let service: String
    package let region: String
    package let account: String
    /// The rest, which a service reads as it likes: `orders`, `stateMachine:orders`, `rule/orders`.
    package let resource: String

    package init(_ service: String, region: String, account: String, _ resource: String) {
        (self.service, self.region, self.account, self.resource) = (service, region, account, resource)
    }

    /// A bucket, or what is in it: no region and no account are in its name.
    package static func file(_ path: String) -> ARN { ARN("s3", region: "", account: "", path) }

    /// A pattern of policies: whatever has such a resource in any region and account.
    package static func anywhere(_ service: String, _ resource: String) -> ARN {
        ARN(service, region: "*", account: "*", resource)
    }

    /// Nil: the text is no such name, or one of another service.
    package init?(_ text: String, of service: String) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: Self.partsBefore, omittingEmptySubsequences: false)
        guard parts.count > Self.partsBefore, parts[0].elementsEqual("arn".utf8), parts[1].elementsEqual("aws".utf8),
            parts[2].elementsEqual(service.utf8)
        else { return nil }
        self.init(
            service, region: String(Substring(parts[3])), account: String(Substring(parts[4])),
            String(Substring(parts[5])))
    }

    private static let partsBefore = 5

    /// The parts of the resource between colons.
    package var parts: [String] { resource.parts(separatedBy: ":") }

    /// The name behind the kind of the resource: `rule/` of `rule/orders` gives `orders`. Nil: it is of another kind.
    package func name(behind kind: String) -> String? {
        resource.utf8.starts(with: kind.utf8) ? String(Substring(resource.utf8.dropFirst(kind.utf8.count))) : nil
    }

    package var description: String { "arn:aws:\(service):\(region):\(account):\(resource)" }
}
