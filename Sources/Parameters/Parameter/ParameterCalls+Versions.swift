import Cloud
import JSON

/// Former versions of parameters, and the labels of versions.
extension ParameterCalls {
    // MARK: Keeping

    /// Keeps a parameter as a former version. The oldest version goes where there are too many.
    static func keep(
        _ old: JSONObject?, before version: Int64, of name: String, in entries: inout ParameterEntries
    ) throws(CloudError) {
        guard var old else { return }
        let oldest = version - ParameterLimits.parameterVersionsMax
        guard !labels(of: old).contains(where: { $0.version == oldest }) else {
            throw CloudError(
                "ParameterMaxVersionLimitExceeded",
                "You attempted to create a new version of \(name) by calling the PutParameter API with the overwrite flag. Version "
                    + "\(oldest), the oldest version, can't be deleted because it has a label associated with it. Move the label to "
                    + "another version of the parameter, and try again.")
        }
        if oldest > 0 { entries.keep(nil, asVersion: oldest, of: name) }
        old.remove("Labels")
        old.remove("Tags")
        entries.keep(old, asVersion: ParameterSelection.version(of: old), of: name)
    }

    /// Removes a parameter with its former versions.
    static func remove(_ name: String, from entries: inout ParameterEntries) {
        guard let present = entries[name] else { return }
        let version = ParameterSelection.version(of: present)
        for former in max(1, version - ParameterLimits.parameterVersionsMax)..<max(1, version) {
            entries.keep(nil, asVersion: former, of: name)
        }
        entries[name] = nil
    }

    /// Those of the selected versions that are former ones.
    func formerVersions(
        _ selections: [ParameterSelection]
    ) async throws(CloudError) -> [ByteText: JSONObject] {
        let names = selections.filter { !$0.isPresent }.map(\.versionName)
        return names.isEmpty ? [:] : try await store.found(.version, names)
    }

    // MARK: History

    func history(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let said = input.demanded("Name")
        let entries = try await store.found(.parameter, Self.candidates(said))
        guard let selection = try selection(said, entries), selection.selector == nil else { throw Self.notFound(said) }
        let after = try NameToken.name(
            of: input.text("NextToken"),
            orElse: CloudError("InvalidNextToken", "The specified token isn't valid."))
        var versions = try await store.versions(of: selection.name)
        versions[selection.versionName] = selection.present
        let left = versions.keys.sorted().filter { name in after.map { $0 < name } ?? true }
        let page = left.prefix(Int(input.integer("MaxResults") ?? ParameterLimits.describedMax))
        let isDecrypted = input.flag("WithDecryption") == true
        let labels = Self.labels(of: selection.present)
        let shown = page.map { name in
            let parameter = versions[name] ?? JSONObject()
            let version = ParameterSelection.version(of: parameter)
            var shown = JSONObject([
                ("Name", .string(selection.name)), ("Type", parameter["Type"] ?? "String"),
                ("LastModifiedDate", parameter["LastModifiedDate"] ?? .double(0)),
                ("LastModifiedUser", lastUser),
                ("Value", Self.value(of: parameter, isDecrypted: isDecrypted)), ("Version", .integer(version)),
                ("Labels", .array(labels.filter { $0.version == version }.map { .string($0.label) })),
                ("Tier", parameter["Tier"] ?? "Standard"), ("Policies", []),
                ("DataType", parameter["DataType"] ?? "text"),
            ])
            if let description = parameter["Description"] { shown.set("Description", to: description) }
            if let key = Self.key(of: parameter) { shown.set("KeyId", to: key) }
            return JSONValue.object(shown)
        }
        var answer = JSONObject([("Parameters", .array(shown))])
        if left.count > page.count, let last = page.last { answer.set("NextToken", to: NameToken.text(behind: last)) }
        return answer
    }

    // MARK: Labels

    private static func labels(of parameter: JSONObject) -> [(label: String, version: Int64)] {
        (parameter["Labels"]?.object ?? JSONObject()).members.compactMap { member in
            member.value.integer.map { (member.key, $0) }
        }
    }

    private static let form = MemberPattern("", lettersAnd: "_.-")

    /// Returns whether a text may be a label.
    private static func isLabel(_ text: String) -> Bool {
        let lowered = text.lowercased().utf8
        return form.admits(text) && !(text.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
            && !lowered.starts(with: "aws".utf8) && !lowered.starts(with: "ssm".utf8)
    }

    func label(_ input: CallInput) async throws(CloudError) -> JSONObject {
        try await change(input) { labels, present, asked throws(CloudError) in
            let version = input.integer("ParameterVersion") ?? present
            let wrong = asked.filter { !Self.isLabel($0) }
            for label in asked where Self.isLabel(label) { labels.set(label, to: .integer(version)) }
            guard labels.members.count(where: { $0.value.integer == version }) <= ParameterLimits.labelsMax else {
                throw CloudError(
                    "ParameterVersionLabelLimitExceeded",
                    "A parameter version can have maximum \(ParameterLimits.labelsMax) labels.Move one or more labels to another "
                        + "version and try again.")
            }
            return JSONObject([
                ("InvalidLabels", .array(wrong.map(JSONValue.string))), ("ParameterVersion", .integer(version)),
            ])
        }
    }

    func unlabel(_ input: CallInput) async throws(CloudError) -> JSONObject {
        try await change(input) { labels, present, asked throws(CloudError) in
            let version = input.integer("ParameterVersion") ?? present
            let removed = asked.filter { labels[$0]?.integer == version }
            for label in removed { labels.remove(label) }
            let wrong = asked.filter { label in !removed.contains { ByteText($0) == ByteText(label) } }
            return JSONObject([
                ("RemovedLabels", .array(removed.map(JSONValue.string))),
                ("InvalidLabels", .array(wrong.map(JSONValue.string))),
            ])
        }
    }

    /// Changes the labels of a parameter.
    private func change(
        _ input: CallInput,
        _ body:
            @escaping @Sendable (
                _ labels: inout JSONObject, _ present: Int64, _ asked: [String]
            ) throws(CloudError) -> JSONObject
    ) async throws(CloudError) -> JSONObject {
        let names = Self.candidates(input.demanded("Name"))
        let asked = (input.texts("Labels") ?? []).eachOnce()
        return try await store.change(.parameter) { entries throws(CloudError) in
            guard let name = names.first(where: { entries[$0] != nil }), var parameter = entries[name] else {
                throw Self.notFound(input.demanded("Name"))
            }
            let present = ParameterSelection.version(of: parameter)
            if let version = input.integer("ParameterVersion"), version != present,
                entries.version(version, of: name) == nil
            {
                throw ParameterSelection.notFound(version, of: name)
            }
            var labels = parameter["Labels"]?.object ?? JSONObject()
            let answer = try body(&labels, present, asked)
            if labels.isEmpty { parameter.remove("Labels") } else { parameter.set("Labels", to: .object(labels)) }
            entries[name] = parameter
            return answer
        }
    }
}
