import Cloud
import JSON

/// The tags of parameters.
extension ParameterCalls {
    func listTags(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let names = try Self.tagged(input)
        let found = try await store.found(.parameter, names)
        guard let parameter = names.lazy.compactMap({ found[$0] }).first else { throw Self.noResource }
        return JSONObject([("TagList", parameter["Tags"] ?? [])])
    }

    func addTags(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let added = input.list("Tags") ?? []
        return try await changeTags(input) { parameter throws(CloudError) in
            parameter = try Self.tagged(parameter, with: added)
        }
    }

    func removeTags(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let keys = Set(texts: input.texts("TagKeys") ?? [])
        return try await changeTags(input) { parameter throws(CloudError) in
            let left = (parameter["Tags"]?.array ?? []).filter { tag in
                tag["Key"]?.string.map { !keys.contains($0) } ?? true
            }
            parameter.set("Tags", to: .array(left))
        }
    }

    private func changeTags(
        _ input: CallInput, _ body: @escaping @Sendable (inout JSONObject) throws(CloudError) -> Void
    ) async throws(CloudError) -> JSONObject {
        let names = try Self.tagged(input)
        return try await store.change(.parameter) { entries throws(CloudError) in
            guard let name = names.first(where: { entries[$0] != nil }), var parameter = entries[name] else {
                throw Self.noResource
            }
            try body(&parameter)
            entries[name] = parameter
            return JSONObject()
        }
    }

    /// A parameter with more tags, or others under the same keys.
    static func tagged(_ parameter: JSONObject, with added: [JSONValue]) throws(CloudError) -> JSONObject {
        guard !added.isEmpty else { return parameter }
        let keys = Set(texts: added.compactMap { $0["Key"]?.string })
        guard !keys.contains(where: { $0.string.utf8.starts(with: "aws:".utf8) }) else {
            throw .invalid("Tag keys can't begin with aws:, which is reserved.")
        }
        let kept = (parameter["Tags"]?.array ?? []).filter { tag in
            tag["Key"]?.string.map { !keys.contains($0) } ?? true
        }
        guard kept.count + added.count <= ParameterLimits.tagsMax else {
            throw CloudError("TooManyTagsError", "A parameter has \(ParameterLimits.tagsMax) tags at most.")
        }
        var tagged = parameter
        tagged.set("Tags", to: .array(kept + added))
        return tagged
    }

    private static let noResource = CloudError(
        "InvalidResourceId", "The resource ID is not valid. Verify that you entered the correct ID and try again.")

    /// The kinds of things that have tags with Systems Manager.
    private static let kinds = [
        "Document", "ManagedInstance", "MaintenanceWindow", "Parameter", "PatchBaseline", "OpsItem", "OpsMetadata",
        "Automation", "Association",
    ]

    /// The names under which the parameter may be kept that a call is about.
    private static func tagged(_ input: CallInput) throws(CloudError) -> [String] {
        let kind = input.demanded("ResourceType")
        guard kinds.contains(kind) else {
            throw CloudError("InvalidResourceType", "The resource type is not valid: \(kind).")
        }
        guard ByteText(kind) == ByteText("Parameter") else { throw noResource }
        return candidates(input.demanded("ResourceId"))
    }
}
