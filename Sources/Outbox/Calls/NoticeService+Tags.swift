import Cloud
import JSON

/// Tags of topics.
extension NoticeService {
    private static let noResource = OutboxError("ResourceNotFound", "Resource does not exist", status: 404)

    static func tags(of input: CallInput) throws(OutboxError) -> [(name: String, value: String)] {
        var tags: [(name: String, value: String)] = []
        for entry in input.list("Tags") ?? [] {
            let name = entry["Key"]?.string ?? ""
            let value = entry["Value"]?.string ?? ""
            guard (1...OutboxLimits.tagKeyCharactersMax).contains(name.unicodeScalars.count),
                value.unicodeScalars.count <= OutboxLimits.tagValueCharactersMax, !name.lowercased().hasPrefix("aws:")
            else { throw invalid("Tags Reason: the tag \(name) is not valid") }
            guard !tags.contains(where: { $0.name == name }) else {
                throw invalid("Duplicated keys are not allowed.")
            }
            tags.append((name, value))
        }
        guard tags.count <= OutboxLimits.tagsMax else {
            throw OutboxError(
                "TagLimitExceeded", "Could not complete request: tag quota of per resource exceeded")
        }
        return tags
    }

    func tagResource(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let topic = try topic(input.demanded("ResourceArn"))
        guard try await outbox.tag(topic, try Self.tags(of: input)) else { throw Self.noResource }
        return JSONObject()
    }

    func untagResource(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let topic = try topic(input.demanded("ResourceArn"))
        guard try await outbox.untag(topic, input.texts("TagKeys") ?? []) else { throw Self.noResource }
        return JSONObject()
    }

    func listTags(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let topic = try topic(input.demanded("ResourceArn"))
        guard let details = try await outbox.details(of: topic) else { throw Self.noResource }
        return JSONObject([
            ("Tags", .array(details.tags.map { ["Key": .string($0.name), "Value": .string($0.value)] }))
        ])
    }
}
