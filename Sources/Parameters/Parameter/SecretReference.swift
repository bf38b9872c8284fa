import Cloud
import JSON

/// A secret of Secrets Manager, read as a parameter: `/aws/reference/secretsmanager/NAME`, with `:LABEL` or `:VERSION` behind it or without.
struct SecretReference {
    static let start = "/aws/reference/secretsmanager/"

    /// As the call names the secret, without its version.
    let name: String
    /// A label or the name of a version.
    let selector: String?

    /// Nil: a name of a parameter.
    init?(_ said: String) {
        guard said.utf8.starts(with: Self.start.utf8) else { return nil }
        let rest = said.utf8.dropFirst(Self.start.utf8.count)
        let colon = rest.lastIndex(of: UInt8(ascii: ":"))
        name = String(Substring(rest[..<(colon ?? rest.endIndex)]))
        selector = colon.map { String(Substring(rest[rest.index(after: $0)...])) }
    }

    static func demandDecryption(_ input: CallInput) throws(CloudError) {
        guard input.flag("WithDecryption") == true else {
            throw .invalid("WithDecryption flag must be True for retrieving a Secret Manager secret.")
        }
    }

    var notFound: CloudError {
        CloudError(
            "ParameterNotFound",
            "An error occurred (ParameterNotFound) when referencing Secrets Manager: Secret \(Self.start)\(name) not found."
        )
    }
}

extension ParameterCalls {
    /// The secret of a reference, as a parameter shows it.
    func shown(_ reference: SecretReference) async throws(CloudError) -> JSONObject {
        let secrets = SecretCalls(store: store, given: given, region: region, accountID: accountID)
        let found = try await store.found(.secret, [reference.name])
        let entry: (name: String, secret: JSONObject)
        do throws(CloudError) {
            entry = try secrets.secret(reference.name, in: { found[$0] })
        } catch {
            throw error == .secretNotFound ? reference.notFound : error
        }
        let isVersion = reference.selector.map { entry.secret["versions"]?[$0] != nil } ?? false
        let source: JSONObject
        do throws(CloudError) {
            source = try secrets.value(
                of: entry.name, entry.secret, isVersion ? reference.selector : nil, isVersion ? nil : reference.selector
            )
        } catch {
            throw CloudError("ParameterVersionNotFound", error.message)
        }
        // The members of the secret are called as in the other languages of the SDK.
        let told = JSONObject(
            source.members.map { member in
                (
                    member.key == "ARN" ? member.key : member.key.prefix(1).lowercased() + member.key.dropFirst(),
                    member.value
                )
            })
        return JSONObject([
            ("ARN", source["ARN"] ?? ""), ("DataType", "text"),
            ("LastModifiedDate", source["CreatedDate"] ?? .double(0)),
            ("Name", .string(SecretReference.start + entry.name)), ("Type", .string(Self.givenType)),
            ("Value", source["SecretString"] ?? source["SecretBinary"] ?? ""), ("Version", 0),
            ("SourceResult", .string(JSONWriter.text(of: .object(told)))),
        ])
    }
}
