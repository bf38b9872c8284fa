import Cloud
import JSON
import Patterns

/// Parameters are put and deleted, each by a name that may be one.
extension ParameterCalls {
    static let types = ["String", "StringList", "SecureString"]
    private static let dataTypes = ["text", "aws:ec2:image", "aws:ssm:integration"]

    func put(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let name = input.demanded("Name")
        try Self.check(name)
        let value = input.demanded("Value")
        let tier = input.text("Tier") ?? "Standard"
        let bytesMax = tier == "Standard" ? ParameterLimits.standardBytesMax : ParameterLimits.parameterBytesMax
        guard value.utf8.count <= bytesMax else {
            throw .invalid(
                tier == "Standard"
                    ? "Standard tier parameters support a maximum parameter value of \(bytesMax) characters. To create a larger "
                        + "parameter value, upgrade the parameter to use the advanced-parameter tier."
                    : "The parameter value has \(bytesMax) characters at most.")
        }
        let (type, dataType) = (input.text("Type"), input.text("DataType") ?? "text")
        let overwrites = input.flag("Overwrite") == true
        let tagged = try Self.tagged(input, type, dataType, overwrites)
        let said = ["Description", Self.pattern, "KeyId"].map { ($0, input.value($0)) }
        let spellings = Self.spellings(of: name)
        let isGiven = given.value(of: name) != nil
        let pattern = input.value(Self.pattern)
        // A match takes its time, which is neither the loop's nor the writer's.
        try await store.judge(.parameter, spellings) { found in
            let kept = spellings.lazy.compactMap { found[$0] }.first
            guard let pattern = (pattern ?? kept?[Self.pattern])?.string, !pattern.isEmpty else { return nil }
            return Self.fault(of: value, by: pattern)
        }
        let now = Self.seconds()
        let version = try await store.change(.parameter) { entries throws(CloudError) -> Int64 in
            let name = spellings.first { entries[$0] != nil } ?? name
            let old = entries[name]
            guard overwrites || (old == nil && !isGiven) else {
                throw CloudError(
                    "ParameterAlreadyExists",
                    "The parameter already exists. To overwrite this value, set the overwrite option in the request to true."
                )
            }
            guard old != nil || entries.count < ParameterLimits.countMax else {
                throw CloudError(
                    "ParameterLimitExceeded", "You have exceeded the number of parameters for this account.")
            }
            guard let type = type ?? old?["Type"]?.string ?? (isGiven ? Self.givenType : nil) else {
                throw .invalid("A parameter type is required when you create a parameter.")
            }
            let (version, isTooFar) = (old?["Version"]?.integer ?? (isGiven ? 1 : 0)).addingReportingOverflow(1)
            guard !isTooFar else { throw .invalid("The parameter has too many versions.") }
            var parameter = JSONObject([
                ("Type", .string(type)), ("Value", .string(value)), ("Version", .integer(version)),
                ("DataType", .string(dataType)), ("Tier", .string(tier)), ("LastModifiedDate", now),
            ])
            for (member, value) in said {
                if let value = value ?? old?[member] { parameter.set(member, to: value) }
            }
            if let tags = old?["Tags"] ?? tagged["Tags"] { parameter.set("Tags", to: tags) }
            try Self.keep(old, before: version, of: name, in: &entries)
            if let labels = old?["Labels"] { parameter.set("Labels", to: labels) }
            entries[name] = parameter
            return version
        }
        return JSONObject([("Tier", .string(tier)), ("Version", .integer(version))])
    }

    private static let pattern = "AllowedPattern"

    /// The tags of a new parameter. Throws where its types are none, or where there are tags for one that is overwritten.
    private static func tagged(
        _ input: CallInput, _ type: String?, _ dataType: String, _ overwrites: Bool
    ) throws(CloudError) -> JSONObject {
        if let type, !types.contains(type) {
            throw .invalid(
                "1 validation error detected: Value '\(type)' at 'type' failed to satisfy constraint: Member must satisfy enum value "
                    + "set: [SecureString, StringList, String]")
        }
        guard dataTypes.contains(dataType) else {
            throw .invalid(
                "The following data type is not supported: \(dataType) (Data type names are all lowercase.)")
        }
        let tags = input.list("Tags") ?? []
        guard !overwrites || tags.isEmpty else {
            throw .invalid(
                "Invalid request: tags and overwrite can't be used together. To create a parameter with tags, please remove overwrite "
                    + "flag. To update tags for an existing parameter, please use AddTagsToResource or RemoveTagsFromResource."
            )
        }
        return try tagged(JSONObject(), with: tags)
    }

    func delete(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let name = input.demanded("Name")
        let isGiven = given.value(of: name) != nil
        let spellings = Self.spellings(of: name)
        return try await store.change(.parameter) { entries throws(CloudError) in
            if let kept = spellings.first(where: { entries[$0] != nil }) {
                Self.remove(kept, from: &entries)
                return JSONObject()
            }
            throw isGiven
                ? .invalid(
                    "\(name) is not a parameter that was put: take its line out of the file secrets, or its variable away."
                ) : Self.notFound(name)
        }
    }

    func deleteSeveral(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let names = (input.texts("Names") ?? []).eachOnce()
        return try await store.change(.parameter) { entries throws(CloudError) in
            var (deleted, absent): ([JSONValue], [JSONValue]) = ([], [])
            for name in names {
                if let kept = Self.spellings(of: name).first(where: { entries[$0] != nil }) {
                    deleted.append(.string(name))
                    Self.remove(kept, from: &entries)
                } else {
                    absent.append(.string(name))
                }
            }
            return JSONObject([("DeletedParameters", .array(deleted)), ("InvalidParameters", .array(absent))])
        }
    }

    private static let nameForm = MemberPattern("", lettersAnd: "_.-/")
    private static let nameWords =
        "Parameter name: can't be prefixed with \"ssm\" (case-insensitive). If formed as a path, it can consist of sub-paths divided by "
        + "slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_"

    /// The refusal of a value that its pattern does not admit.
    private static func fault(of value: String, by pattern: String) -> CloudError? {
        guard let compiled = try? Pattern(pattern) else {
            return CloudError(
                "InvalidAllowedPatternException", "The request does not meet the regular expression requirement.")
        }
        guard compiled.outcome(of: value, stepsMax: ParameterLimits.patternStepsMax) == .matches else {
            return CloudError(
                "ParameterPatternMismatchException",
                "Parameter value, cannot be validated against allowedPattern: \(pattern)")
        }
        return nil
    }

    private static func check(_ name: String) throws(CloudError) {
        guard nameForm.admits(name), name.utf8.count <= ParameterLimits.parameterNameBytesMax else {
            throw .invalid(Self.nameWords)
        }
        guard name.utf8.first == UInt8(ascii: "/") || !name.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalid("Parameter name must be a fully qualified name.")
        }
        guard name.range(ofBytesOf: "//") == nil, name.utf8.last != UInt8(ascii: "/") else {
            throw .invalid("Parameter name: each sub-path must have at least one character.")
        }
        let first = name.lowercased().utf8.drop { $0 == UInt8(ascii: "/") }
        let isPath = name.utf8.first == UInt8(ascii: "/")
        if first.starts(with: "aws".utf8), isPath {
            throw CloudError("AccessDeniedException", "No access to reserved parameter name: \(name).")
        }
        if first.starts(with: "ssm".utf8), isPath { throw .invalid(Self.nameWords) }
        guard !first.starts(with: "aws".utf8), !first.starts(with: "ssm".utf8) else {
            throw .invalid("Parameter name: can't be prefixed with \"aws\" or \"ssm\" (case-insensitive).")
        }
        guard name.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= ParameterLimits.parameterLevelsMax else {
            throw CloudError(
                "HierarchyLevelLimitExceededException",
                "A hierarchy can have a maximum of \(ParameterLimits.parameterLevelsMax) levels.")
        }
    }
}
