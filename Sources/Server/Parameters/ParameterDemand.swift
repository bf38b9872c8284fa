import Access
import JSON

/// The rights that calls of Systems Manager and of Secrets Manager need, in IAM's names.
enum ParameterDemand {
    private static let parameters = "ssm"
    private static let secrets = "secretsmanager"

    static func demands(_ operation: String, isParameter: Bool, _ input: JSONValue?) -> [RightsDemand] {
        isParameter ? demands(parameter: operation, input) : demands(secret: operation, input)
    }

    private static func demands(parameter operation: String, _ input: JSONValue?) -> [RightsDemand] {
        let action = "\(parameters):\(operation)"
        switch operation {
        case "GetParameters", "DeleteParameters":
            let names = (input?["Names"]?.array ?? []).prefix(ParameterLimits.namesMax).compactMap(\.string).eachOnce()
            return names.isEmpty
                ? [RightsDemand(action, .all(of: parameters))] : names.map { RightsDemand(action, parameter($0)) }
        case "GetParametersByPath":
            guard let path = input?["Path"]?.string else { return [RightsDemand(action, .all(of: parameters))] }
            // A policy may name the path, or all that is below it.
            return [RightsDemand(action, oneOf: [parameter(path), parameter(path.hasSuffix("/") ? path : path + "/")])]
        default:
            let name = input?["Name"]?.string
            return [RightsDemand(action, name.map(parameter) ?? .all(of: parameters))]
        }
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

    private static func demands(secret operation: String, _ input: JSONValue?) -> [RightsDemand] {
        let action = "\(secrets):\(operation)"
        guard let said = input?["SecretId"]?.string ?? input?["Name"]?.string else {
            return [RightsDemand(action, .all(of: secrets))]
        }
        guard said.utf8.starts(with: "arn:".utf8), let start = said.range(ofBytesOf: ":secret:") else {
            return [RightsDemand(action, oneOf: names(of: said))]
        }
        let rest = String(said[start.upperBound...])
        guard let dash = rest.utf8.lastIndex(of: UInt8(ascii: "-")) else {
            return [RightsDemand(action, oneOf: names(of: rest))]
        }
        // It may be found under either.
        return [
            RightsDemand(action, oneOf: names(of: String(rest[..<dash])) + [PolicyResource(secrets, "secret:", rest)])
        ]
    }

    /// The letters that AWS puts behind the name in an ARN are known to policies as six of any.
    private static func names(of name: String) -> [PolicyResource] {
        ["\(name)-AAAAAA", name].map { PolicyResource(secrets, "secret:", $0) }
    }
}
