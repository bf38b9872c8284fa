import Access
import Cloud
import JSON

/// The rights that callers of Systems Manager need, in IAM's names.
enum ParameterRights {
    static let parameters = "ssm"

    @Sendable static func name(_ action: String, _ input: CallInput) -> [RightsDemand] {
        input.text("Name").map { demands(action, $0) } ?? [RightsDemand(action, .all(of: parameters))]
    }

    /// A reference to a secret needs the right to the secret as well.
    private static func demands(_ action: String, _ said: String) -> [RightsDemand] {
        let demand = RightsDemand(action, parameter(said))
        return SecretReference(said).map { [demand, SecretRights.value(of: $0.name)] } ?? [demand]
    }

    /// The parameter of a call about tags; other kinds of things are none of this server.
    @Sendable static func resource(_ action: String, _ input: CallInput) -> [RightsDemand] {
        [RightsDemand(action, input.text("ResourceId").map(parameter) ?? .all(of: parameters))]
    }

    /// Each of the names.
    @Sendable static func names(_ action: String, _ input: CallInput) -> [RightsDemand] {
        let names = (input.texts("Names") ?? []).prefix(ParameterLimits.namesMax).map(\.self).eachOnce()
        return names.isEmpty
            ? [RightsDemand(action, .all(of: parameters))] : names.flatMap { demands(action, $0) }
    }

    /// A policy may name the path, or all that is below it.
    @Sendable static func path(_ action: String, _ input: CallInput) -> [RightsDemand] {
        guard let path = input.text("Path") else { return [RightsDemand(action, .all(of: parameters))] }
        return [RightsDemand(action, oneOf: [parameter(path), parameter(path.hasSuffix("/") ? path : path + "/")])]
    }

    /// A parameter by its name or its ARN, with a version or without.
    private static func parameter(_ said: String) -> PolicyResource {
        var name = said
        if said.utf8.starts(with: "arn:".utf8), let start = said.range(ofBytesOf: ":parameter/") {
            name = "/\(said[start.upperBound...])"
        }
        if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) { name = String(name[..<colon]) }
        return PolicyResource(parameters, "parameter", name.utf8.first == UInt8(ascii: "/") ? name : "/\(name)")
    }
}
