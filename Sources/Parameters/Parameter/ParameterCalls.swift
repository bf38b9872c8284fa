import Cloud
import Crypto
import JSON

/// Parameters, as Systems Manager answers for them (`AmazonSSM.…`).
package struct ParameterCalls: Sendable {
    let store: ParameterStore
    let given: any GivenSecrets
    let region: String
    let accountID: String

    package init(store: ParameterStore, given: any GivenSecrets, region: String, accountID: String) {
        (self.store, self.given, self.region, self.accountID) = (store, given, region, accountID)
    }

    // MARK: The table

    private typealias Member = MemberShape.Member

    private static let said = MemberShape.text(1...ParameterLimits.saidNameMax)
    private static let name = Member("Name", said, isRequired: true)
    private static let names = Member(
        "Names", .list(said, min: 1, max: ParameterLimits.namesMax), isRequired: true)
    private static let decryption = Member("WithDecryption", .boolean)
    private static let token = Member("NextToken", .text(0...ParameterLimits.saidNameMax))
    private static let values = MemberShape.list(.text(1...1_024), max: ParameterLimits.filterValuesMax)
    private static let filters = Member(
        "ParameterFilters",
        .list(
            .object([
                Member("Key", .text(1...132, ParameterFilter.keyForm), isRequired: true),
                Member("Option", .text(1...10)), Member("Values", values),
            ]), max: ParameterLimits.filtersMax))
    /// The older form.
    private static let formerFilters = Member(
        "Filters",
        .list(
            .object([
                Member("Key", .choice(["Name", "Type", "KeyId"]), isRequired: true),
                Member("Values", values, isRequired: true),
            ]), max: ParameterLimits.filtersMax))
    private static let tags = MemberShape.list(
        .object([
            Member("Key", .text(1...ParameterLimits.tagKeyMax), isRequired: true),
            Member("Value", .text(0...ParameterLimits.tagValueMax), isRequired: true),
        ]), max: 1_000)
    private static let tagged = [
        Member("ResourceType", .text(1...100), isRequired: true), Member("ResourceId", said, isRequired: true),
    ]

    private static let labels = Member(
        "Labels", .list(.text(1...ParameterLimits.labelBytesMax), min: 1, max: ParameterLimits.labelsMax),
        isRequired: true)

    private static func count(_ max: Int64) -> Member { Member("MaxResults", .integer(1...max)) }

    package var table: ServiceTable {
        let words = ServiceWords(hasCapitalMessage: true)
        let (ofName, ofNames) = (ParameterRights.name, ParameterRights.names)
        return ServiceTable(
            "Systems Manager", service: ParameterRights.parameters, sdk: "Ssm", target: "AmazonSSM", json: "1.1",
            .parameters, words,
            [
                CloudOperation("GetParameter", [Self.name, Self.decryption], rights: ofName, of: get),
                CloudOperation("GetParameters", [Self.names, Self.decryption], rights: ofNames, of: getSeveral),
                CloudOperation(
                    "GetParametersByPath",
                    [
                        Member("Path", Self.said, isRequired: true), Member("Recursive", .boolean), Self.decryption,
                        Self.filters, Self.count(ParameterLimits.pageMax), Self.token,
                    ], rights: ParameterRights.path, of: getByPath),
                CloudOperation(
                    "PutParameter",
                    [
                        Self.name,
                        Member("Value", .text(1...ParameterLimits.bodyBytesMax, isSecret: true), isRequired: true),
                        Member("Type", .text(1...ParameterLimits.tagKeyMax)),
                        Member("Description", .text(0...ParameterLimits.parameterDescriptionMax)),
                        Member("Overwrite", .boolean), Member("KeyId", .text(1...256)),
                        Member("AllowedPattern", .text(0...1_024)), Member("Policies", .text(1...4_096)),
                        Member("Tags", Self.tags),
                        Member("Tier", .choice(["Standard", "Advanced", "Intelligent-Tiering"])),
                        Member("DataType", .text(0...128)),
                    ], rights: ofName, of: put),
                CloudOperation(
                    "GetParameterHistory",
                    [Self.name, Self.decryption, Self.count(ParameterLimits.describedMax), Self.token], rights: ofName,
                    of: history),
                CloudOperation(
                    "LabelParameterVersion", [Self.name, Member("ParameterVersion", .anyInteger), Self.labels],
                    rights: ofName, of: label),
                CloudOperation(
                    "UnlabelParameterVersion",
                    [Self.name, Member("ParameterVersion", .anyInteger, isRequired: true), Self.labels], rights: ofName,
                    of: unlabel),
                CloudOperation("DeleteParameter", [Self.name], rights: ofName, of: delete),
                CloudOperation("DeleteParameters", [Self.names], rights: ofNames, of: deleteSeveral),
                CloudOperation(
                    "DescribeParameters",
                    [
                        Self.formerFilters, Self.filters,
                        Self.count(ParameterLimits.describedMax), Self.token, Member("Shared", .boolean),
                    ], of: describe),
                CloudOperation("ListTagsForResource", Self.tagged, rights: ParameterRights.resource, of: listTags),
                CloudOperation(
                    "AddTagsToResource", Self.tagged + [Member("Tags", Self.tags, isRequired: true)],
                    rights: ParameterRights.resource, of: addTags),
                CloudOperation(
                    "RemoveTagsFromResource",
                    Self.tagged + [
                        Member("TagKeys", .list(.text(1...ParameterLimits.tagKeyMax), max: 1_000), isRequired: true)
                    ], rights: ParameterRights.resource, of: removeTags),
            ])
    }

    // MARK: Reading

    private func get(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let name = input.demanded("Name")
        if let reference = SecretReference(name) {
            try SecretReference.demandDecryption(input)
            return JSONObject([("Parameter", .object(try await shown(reference)))])
        }
        let entries = try await store.found(.parameter, Self.candidates(name))
        guard let selection = try selection(name, entries) else { throw Self.notFound(name) }
        let former = try await formerVersions([selection])
        guard let found = shown(selection, former, isDecrypted: input.flag("WithDecryption") == true) else {
            throw selection.notFound
        }
        return JSONObject([("Parameter", .object(found))])
    }

    static func notFound(_ name: String) -> CloudError {
        CloudError("ParameterNotFound", "Parameter \(name) not found.")
    }

    private func getSeveral(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let names = (input.texts("Names") ?? []).eachOnce()
        let entries = try await store.found(.parameter, names.flatMap(Self.candidates))
        let isDecrypted = input.flag("WithDecryption") == true
        if names.contains(where: { SecretReference($0) != nil }) { try SecretReference.demandDecryption(input) }
        let selections = names.map { name in (name, (try? selection(name, entries)) ?? nil) }
        let former = try await formerVersions(selections.compactMap(\.1))
        var (found, missing): ([JSONValue], [JSONValue]) = ([], [])
        for (name, selection) in selections {
            if let reference = SecretReference(name) {
                if let parameter = try? await shown(reference) {
                    found.append(.object(parameter))
                } else {
                    missing.append(.string(name))
                }
            } else if let selection, let parameter = shown(selection, former, isDecrypted: isDecrypted) {
                found.append(.object(parameter))
            } else {
                missing.append(.string(name))
            }
        }
        return JSONObject([("Parameters", .array(found)), ("InvalidParameters", .array(missing))])
    }

    private func getByPath(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let path = input.demanded("Path")
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .invalid(
                "The parameter doesn't meet the parameter name requirements. The parameter name must begin with a forward slash \"/\"."
            )
        }
        let (isRecursive, isDecrypted) = (input.flag("Recursive") == true, input.flag("WithDecryption") == true)
        let filters = try ParameterFilter.filters(of: input.list("ParameterFilters"), .path)
        return try await page(input, ParameterLimits.pageMax) { entries throws(CloudError) in
            (
                { name in
                    ParameterFilter.isBelow(path, name.string, isRecursive)
                        && filters.allSatisfy { $0.passes(name.string, Self.shown(entries[name])) }
                },
                { name, former throws(CloudError) in
                    guard let selection = try self.selection(name.string, entries) else { return nil }
                    return self.shown(selection.labelled(by: filters), former, isDecrypted: isDecrypted)
                },
                { name in (try? self.selection(name.string, entries))??.labelled(by: filters) }
            )
        }
    }

    /// A page of a list of all parameters, those of the file among them.
    ///
    /// - Parameter list: which of them it has, and how it shows one.
    private func page(
        _ input: CallInput, _ usual: Int64,
        _ list: (_ entries: [ByteText: JSONObject]) throws(CloudError) -> (
            has: (ByteText) -> Bool,
            shown: (ByteText, _ former: [ByteText: JSONObject]) throws(CloudError) -> JSONObject?,
            selection: (ByteText) -> ParameterSelection?
        )
    ) async throws(CloudError) -> JSONObject {
        let limit = Int(input.integer("MaxResults") ?? usual)
        let after = try NameToken.name(
            of: input.text("NextToken"),
            orElse: CloudError("InvalidNextToken", "The specified token isn't valid."))
        let entries = try await store.all(.parameter)
        let (has, shown, selection) = try list(entries)
        var names = Set(entries.keys)
        for line in given.listed { names.insert(ByteText(line.name)) }
        let left = names.sorted().filter { name in (after.map { $0 < name } ?? true) && has(name) }
        let former = try await formerVersions(left.prefix(limit).compactMap(selection))
        var found: [JSONValue] = []
        for name in left.prefix(limit) {
            if let parameter = try shown(name, former) { found.append(.object(parameter)) }
        }
        var answer = JSONObject([("Parameters", .array(found))])
        if left.count > limit, let last = left.prefix(limit).last {
            answer.set("NextToken", to: NameToken.text(behind: last))
        }
        return answer
    }

    /// The descriptions of parameters, without their values.
    private func describe(_ input: CallInput) async throws(CloudError) -> JSONObject {
        guard input.value("Filters") == nil || input.value("ParameterFilters") == nil else {
            throw .invalid("You can use either Filters or ParameterFilters in a single request.")
        }
        let filters = try ParameterFilter.filters(
            of: input.list("ParameterFilters") ?? input.list("Filters"), .descriptions)
        return try await page(input, ParameterLimits.describedUsual) { entries throws(CloudError) in
            (
                { name in filters.allSatisfy { $0.passes(name.string, Self.shown(entries[name])) } },
                { name, _ throws(CloudError) in self.description(name.string, entries) }, { _ in nil }
            )
        }
    }

    private func description(_ name: String, _ entries: [ByteText: JSONObject]) -> JSONObject? {
        guard let parameter = entries[name] ?? given.value(of: name).map(Self.given) else { return nil }
        var shown = JSONObject([
            ("ARN", .string(arn(of: name))), ("DataType", parameter["DataType"] ?? "text"),
            ("LastModifiedDate", parameter["LastModifiedDate"] ?? .double(0)), ("Name", .string(name)),
            ("Policies", []), ("Tier", parameter["Tier"] ?? "Standard"), ("Type", parameter["Type"] ?? "String"),
            ("LastModifiedUser", lastUser), ("Version", parameter["Version"] ?? 1),
        ])
        for member in ["Description", "AllowedPattern"] {
            if let value = parameter[member] { shown.set(member, to: value) }
        }
        if let key = Self.key(of: parameter) { shown.set("KeyId", to: key) }
        return shown
    }

    var lastUser: JSONValue { .string(ARN("iam", region: "", account: accountID, "root").description) }

    /// The key that is shown for a secret.
    static func key(of parameter: JSONObject) -> JSONValue? {
        parameter["Type"]?.string == givenType ? parameter["KeyId"] ?? .string(ParameterFilter.usualKey) : nil
    }

    // MARK: Which one

    private static let resource = ":parameter/"

    /// The names under which a parameter may be kept that a call names by its name, its ARN, or either with a version.
    static func candidates(_ said: String) -> [String] {
        let name = parts(of: said).name
        guard let start = start(of: name) else { return spellings(of: name) }
        // A name without a path has lost its slash there.
        return [String(name[start...]), "/\(name[start...])"]
    }

    /// A name that is no path means the same parameter with a slash before it and without one.
    static func spellings(of name: String) -> [String] {
        let slash = UInt8(ascii: "/")
        let hasSlash = name.utf8.first == slash
        let bare = String(Substring(name.utf8.dropFirst(hasSlash ? 1 : 0)))
        return bare.utf8.contains(slash) ? [name] : [name, hasSlash ? bare : "/\(bare)"]
    }

    /// Where the name begins in an ARN; nil: it is none.
    private static func start(of said: String) -> String.Index? {
        said.utf8.starts(with: "arn:".utf8) ? said.range(ofBytesOf: resource)?.upperBound : nil
    }

    /// A name or an ARN, and the version behind it.
    private static func parts(of said: String) -> (name: String, version: String?) {
        let begin = start(of: said) ?? said.startIndex
        guard let colon = said.utf8[begin...].lastIndex(of: UInt8(ascii: ":")) else { return (said, nil) }
        return (String(said[..<colon]), String(said[said.utf8.index(after: colon)...]))
    }

    /// The parameter that a call names, and the version of it; nil: there is no such parameter.
    func selection(
        _ said: String, _ entries: [ByteText: JSONObject]
    ) throws(CloudError) -> ParameterSelection? {
        let (whole, selector) = Self.parts(of: said)
        var name = whole
        if whole.utf8.starts(with: "arn:".utf8) {
            guard let start = Self.start(of: whole) else { return nil }
            let rest = String(whole[start...])
            let isBare =
                entries[rest] != nil || given.value(of: rest) != nil && !rest.utf8.contains(UInt8(ascii: "/"))
            name = isBare ? rest : "/\(rest)"
        } else {
            name = Self.spellings(of: whole).first { entries[$0] != nil } ?? whole
        }
        guard let entry = entries[name] ?? given.value(of: name).map(Self.given) else { return nil }
        let isARN = whole.utf8.starts(with: "arn:".utf8)
        return try ParameterSelection(name, entry, selector: selector, said: isARN ? nil : whole)
    }

    /// A version of a parameter; nil: it is gone.
    private func shown(
        _ selection: ParameterSelection, _ former: [ByteText: JSONObject], isDecrypted: Bool
    ) -> JSONObject? {
        guard let parameter = selection.isPresent ? selection.present : former[selection.versionName] else {
            return nil
        }
        var answer = JSONObject([
            ("ARN", .string(arn(of: selection.name))), ("DataType", parameter["DataType"] ?? "text"),
            ("LastModifiedDate", parameter["LastModifiedDate"] ?? .double(0)), ("Name", .string(selection.said)),
            ("Type", parameter["Type"] ?? "String"), ("Value", Self.value(of: parameter, isDecrypted: isDecrypted)),
            ("Version", .integer(selection.version)),
        ])
        if let selector = selection.selector { answer.set("Selector", to: .string(":\(selector)")) }
        return answer
    }

    static func value(of parameter: JSONObject, isDecrypted: Bool) -> JSONValue {
        guard parameter["Type"]?.string == givenType, !isDecrypted else { return parameter["Value"] ?? "" }
        // What AWS would show is of no use to anybody either.
        return .string(Base64.text(of: RandomBytes.make(count: 32), .standard))
    }

    static let givenType = "SecureString"

    /// A parameter that is not in the database is a secret.
    private static func shown(_ entry: JSONObject?) -> JSONObject { entry ?? given("") }

    static func given(_ value: String) -> JSONObject {
        JSONObject([("Type", .string(givenType)), ("Value", .string(value)), ("Version", 1)])
    }

    private func arn(of name: String) -> String {
        let start = name.utf8.first == UInt8(ascii: "/") ? "parameter" : "parameter/"
        return ARN("ssm", region: region, account: accountID, start + name).description
    }

    /// Seconds since 1970, with what is beyond them.
    static func seconds() -> JSONValue { .double(Double(Timestamp.now.millisecondsSince1970) / 1_000) }
}

extension JSONLimits {
    /// The limits of a call's body.
    static let parameters = JSONLimits(
        bytesMax: ParameterLimits.bodyBytesMax, nestingMax: ParameterLimits.bodyNestingMax)
}

extension CloudError {
    static func invalid(_ message: String) -> CloudError { CloudError("ValidationException", message) }
}
