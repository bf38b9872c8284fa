import Access
import Cloud
import JSON

/// The rights that callers of Secrets Manager need, in IAM's names.
enum SecretRights {
    static let secrets = "secretsmanager"

    @Sendable static func secret(_ action: String, _ input: CallInput) -> [RightsDemand] {
        guard let said = input.text("SecretId") ?? input.text("Name") else {
            return [RightsDemand(action, .all(of: secrets))]
        }
        return [demand(action, said)]
    }

    static func value(of said: String) -> RightsDemand { demand("\(secrets):GetSecretValue", said) }

    /// A secret by its name or its ARN.
    private static func demand(_ action: String, _ said: String) -> RightsDemand {
        guard said.utf8.starts(with: "arn:".utf8), let start = said.range(ofBytesOf: ":secret:") else {
            return RightsDemand(action, oneOf: names(of: said))
        }
        let rest = String(said[start.upperBound...])
        guard let dash = rest.utf8.lastIndex(of: UInt8(ascii: "-")) else {
            return RightsDemand(action, oneOf: names(of: rest))
        }
        // It may be found under either.
        return RightsDemand(
            action, oneOf: names(of: String(rest[..<dash])) + [PolicyResource(secrets, "secret:", rest)])
    }

    /// The call itself, and the value of each secret; of all where filters choose them.
    @Sendable static func batch(_ action: String, _ input: CallInput) -> [RightsDemand] {
        let value = "\(secrets):GetSecretValue"
        let call = RightsDemand(action, .all(of: secrets))
        guard input.value("Filters") == nil, let names = input.texts("SecretIdList"), !names.isEmpty else {
            return [call] + ["\(secrets):ListSecrets", value].map { RightsDemand($0, .all(of: secrets)) }
        }
        return [call] + names.prefix(ParameterLimits.batchMax).map(\.self).eachOnce().map { demand(value, $0) }
    }

    /// The letters that AWS puts behind the name in an ARN are known to policies as six of any.
    private static func names(of name: String) -> [PolicyResource] {
        ["\(name)-AAAAAA", name].map { PolicyResource(secrets, "secret:", $0) }
    }
}
