import Crypto
import JSON

/// Parameters, as Systems Manager answers for them (`AmazonSSM.…`).
struct ParameterCalls: Sendable {
    let store: ParameterStore
    let given: GivenSecrets
    let region: String
    let accountID: String

    private static let types = ["String", "StringList", "SecureString"]

    private static let table:
        [(name: String, answer: @Sendable (ParameterCalls, ParameterInput) throws(ParameterFault) -> JSONObject)] = [
            ("GetParameter", { calls, input throws(ParameterFault) in try calls.get(input) }),
            ("GetParameters", { calls, input throws(ParameterFault) in try calls.getSeveral(input) }),
            ("GetParametersByPath", { calls, input throws(ParameterFault) in try calls.getByPath(input) }),
            ("PutParameter", { calls, input throws(ParameterFault) in try calls.put(input) }),
            ("DeleteParameter", { calls, input throws(ParameterFault) in try calls.delete(input) }),
            ("DeleteParameters", { calls, input throws(ParameterFault) in try calls.deleteSeveral(input) }),
            ("DescribeParameters", { calls, input throws(ParameterFault) in try calls.describe(input) }),
        ]

    /// The names of the operations that are served.
    static var operations: [String] { table.map(\.name) }

    /// Nil where the service has no such operation here.
    func answer(_ operation: String, _ input: ParameterInput) throws(ParameterFault) -> JSONObject? {
        try Self.table.first { $0.name.utf8.elementsEqual(operation.utf8) }?.answer(self, input)
    }

    // MARK: Reading

    private func get(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let name = try input.demanded("Name")
        guard let found = try parameter(name, isDecrypted: input.flag("WithDecryption"), try store.read()) else {
            throw .parameterNotFound(name)
        }
        return JSONObject([("Parameter", .object(found))])
    }

    private func getSeveral(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        guard let names = try input.texts("Names"), !names.isEmpty, names.count <= ParameterLimits.namesMax else {
            throw .invalid(
                "1 validation error detected: Value at 'names' failed to satisfy constraint: Member must have length less than or "
                    + "equal to \(ParameterLimits.namesMax) and greater than or equal to 1")
        }
        let (content, isDecrypted) = (try store.read(), try input.flag("WithDecryption"))
        var found: [JSONValue] = []
        var missing: [JSONValue] = []
        var seen: Set<ByteText> = []
        for name in names where seen.insert(ByteText(name)).inserted {
            if let parameter = try parameter(name, isDecrypted: isDecrypted, content) {
                found.append(.object(parameter))
            } else {
                missing.append(.string(name))
            }
        }
        return JSONObject([("Parameters", .array(found)), ("InvalidParameters", .array(missing))])
    }

    private func getByPath(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        var path = try input.demanded("Path")
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .invalid(
                "The parameter doesn't meet the parameter name requirements. The parameter name must begin with a forward slash \"/\"."
            )
        }
        if path.utf8.last != UInt8(ascii: "/") { path += "/" }
        let limit = Int(try input.number("MaxResults", from: 1...ParameterLimits.pageMax) ?? ParameterLimits.pageMax)
        let (isRecursive, isDecrypted) = (try input.flag("Recursive"), try input.flag("WithDecryption"))
        let after = try Self.place(input.text("NextToken"))
        let filters = try ParameterFilter.filters(of: input.value("ParameterFilters"))
        let content = try store.read()
        var names = Set(content.parameters.keys)
        for line in given.listed { names.insert(ByteText(line.name)) }
        let below = names.map(\.string).filter { name in
            guard name.utf8.starts(with: path.utf8) else { return false }
            return isRecursive || !name.utf8.dropFirst(path.utf8.count).contains(UInt8(ascii: "/"))
        }.map { ByteText($0) }.sorted().filter { name in
            guard after.map({ $0 < name }) ?? true else { return false }
            // What is in no file of ours is a secret.
            let type = content.parameters[name]?["Type"]?.string ?? Self.givenType
            return filters.allSatisfy { $0.passes(type: type) }
        }
        var found: [JSONValue] = []
        for name in below.prefix(limit) {
            if let parameter = try parameter(name.string, isDecrypted: isDecrypted, content) {
                found.append(.object(parameter))
            }
        }
        var answer = JSONObject([("Parameters", .array(found))])
        if below.count > limit, let last = below.prefix(limit).last {
            answer.set("NextToken", to: .string(Base64.text(of: Array(last.string.utf8), .standard)))
        }
        return answer
    }

    /// The descriptions of parameters, without their values.
    private func describe(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let most = ParameterLimits.describedMax
        let limit = Int(try input.number("MaxResults", from: 1...most) ?? most)
        let after = try Self.place(input.text("NextToken"))
        guard input.value("Filters") == nil else {
            throw .invalid("Filters are the older form: use ParameterFilters.")
        }
        let filters = try ParameterFilter.filters(of: input.value("ParameterFilters"), withNames: true)
        let content = try store.read()
        var names = Set(content.parameters.keys)
        for line in given.listed { names.insert(ByteText(line.name)) }
        func kept(_ name: ByteText) -> JSONObject? {
            content.parameters[name] ?? given.value(of: name.string).map(Self.given)
        }
        let left = names.sorted().filter { name in
            guard after.map({ $0 < name }) ?? true else { return false }
            let type = content.parameters[name]?["Type"]?.string ?? Self.givenType
            return filters.allSatisfy { $0.passes(type: type, name: name.string) }
        }
        let found = left.prefix(limit).compactMap { name -> JSONValue? in
            guard let parameter = kept(name) else { return nil }
            var shown = JSONObject([
                ("ARN", .string(arn(of: name.string))), ("DataType", parameter["DataType"] ?? "text"),
                ("LastModifiedDate", parameter["LastModifiedDate"] ?? .double(0)), ("Name", .string(name.string)),
                ("Policies", []), ("Tier", parameter["Tier"] ?? "Standard"), ("Type", parameter["Type"] ?? "String"),
                ("Version", parameter["Version"] ?? 1),
            ])
            if let description = parameter["Description"] { shown.set("Description", to: description) }
            if parameter["Type"]?.string == Self.givenType {
                shown.set("KeyId", to: .string(ParameterFilter.usualKey))
            }
            return .object(shown)
        }
        var answer = JSONObject([("Parameters", .array(found))])
        if left.count > limit, let last = left.prefix(limit).last {
            answer.set("NextToken", to: .string(Base64.text(of: Array(last.string.utf8), .standard)))
        }
        return answer
    }

    private static func place(_ token: String?) throws(ParameterFault) -> ByteText? {
        guard let token, !token.isEmpty else { return nil }
        guard let bytes = Base64.bytes(of: token.utf8, .standard), let name = String(validating: bytes, as: UTF8.self)
        else { throw ParameterFault("InvalidNextToken", "The specified token isn't valid.") }
        return ByteText(name)
    }

    /// The value of a parameter for a call: by its name, its ARN, or either with a version.
    private func parameter(
        _ said: String, isDecrypted: Bool, _ content: ParameterStore.Content
    ) throws(ParameterFault) -> JSONObject? {
        var name = said
        if said.utf8.starts(with: "arn:".utf8) {
            guard let start = said.range(ofBytesOf: ":parameter/") else { return nil }
            // A name without a path has lost its slash there.
            let rest = String(said[start.upperBound...])
            name =
                content.parameters[rest] != nil
                    || given.value(of: rest) != nil && !rest.utf8.contains(UInt8(ascii: "/")) ? rest : "/\(rest)"
        }
        var version: Int64?
        if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) {
            guard let number = Int64(name[name.utf8.index(after: colon)...]) else { return nil }
            version = number
            name = String(name[..<colon])
        }
        let kept = content.parameters[name] ?? given.value(of: name).map(Self.given)
        guard var parameter = kept else { return nil }
        let present = parameter["Version"]?.integer ?? 1
        guard version == nil || version == present else {
            throw ParameterFault(
                "ParameterVersionNotFound", "Systems Manager could not find version \(version ?? 0) of \(name).")
        }
        if parameter["Type"]?.string == "SecureString", !isDecrypted {
            // What AWS would show is of no use to anybody either.
            parameter.set("Value", to: .string(Base64.text(of: RandomBytes.make(count: 32), .standard)))
        }
        var answer = JSONObject([
            ("ARN", .string(arn(of: name))), ("DataType", parameter["DataType"] ?? "text"),
            ("LastModifiedDate", parameter["LastModifiedDate"] ?? .double(0)), ("Name", .string(name)),
            ("Type", parameter["Type"] ?? "String"), ("Value", parameter["Value"] ?? ""),
            ("Version", .integer(present)),
        ])
        if let version { answer.set("Selector", to: .string(":\(version)")) }
        return answer
    }

    private static let givenType = "SecureString"

    private static func given(_ value: String) -> JSONObject {
        JSONObject([("Type", .string(givenType)), ("Value", .string(value)), ("Version", 1)])
    }

    private func arn(of name: String) -> String {
        "arn:aws:ssm:\(region):\(accountID):parameter\(name.utf8.first == UInt8(ascii: "/") ? "" : "/")\(name)"
    }

    // MARK: Changing

    private func put(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let name = try input.demanded("Name")
        try Self.check(name)
        let value = try input.demanded("Value")
        let tier = try input.text("Tier") ?? "Standard"
        let bytesMax = tier == "Standard" ? ParameterLimits.standardBytesMax : ParameterLimits.parameterBytesMax
        guard value.utf8.count <= bytesMax else {
            throw .invalid(
                tier == "Standard"
                    ? "Standard tier parameters support a maximum parameter value of \(bytesMax) characters. To create a larger "
                        + "parameter value, upgrade the parameter to use the advanced-parameter tier."
                    : "The parameter value has \(bytesMax) characters at most.")
        }
        let type = try input.text("Type")
        if let type, !Self.types.contains(where: { ByteText($0) == ByteText(type) }) {
            throw ParameterFault("UnsupportedParameterType", "The parameter type isn't supported.")
        }
        let (description, dataType) = (try input.text("Description"), try input.text("DataType") ?? "text")
        guard (description?.utf8.count ?? 0) <= ParameterLimits.descriptionBytesMax else {
            throw .invalid("The description has \(ParameterLimits.descriptionBytesMax) bytes at most.")
        }
        let overwrites = try input.flag("Overwrite")
        let isGiven = given.value(of: name) != nil
        let now = Self.seconds()
        let version = try store.change { content throws(ParameterFault) -> Int64 in
            let old = content.parameters[name]
            guard overwrites || (old == nil && !isGiven) else {
                throw ParameterFault(
                    "ParameterAlreadyExists",
                    "The parameter already exists. To overwrite this value, set the overwrite option in the request to true."
                )
            }
            guard old != nil || content.parameters.count < ParameterLimits.countMax else {
                throw ParameterFault(
                    "ParameterLimitExceeded", "You have exceeded the number of parameters for this account.")
            }
            guard let type = type ?? old?["Type"]?.string ?? (isGiven ? "SecureString" : nil) else {
                throw .invalid("A parameter type is required when you create a parameter.")
            }
            let (version, isTooFar) = (old?["Version"]?.integer ?? (isGiven ? 1 : 0)).addingReportingOverflow(1)
            guard !isTooFar else { throw .invalid("The parameter has too many versions.") }
            var parameter = JSONObject([
                ("Type", .string(type)), ("Value", .string(value)), ("Version", .integer(version)),
                ("DataType", .string(dataType)), ("Tier", .string(tier)), ("LastModifiedDate", now),
            ])
            if let description { parameter.set("Description", to: .string(description)) }
            content.parameters[ByteText(name)] = parameter
            return version
        }
        return JSONObject([("Tier", .string(tier)), ("Version", .integer(version))])
    }

    private func delete(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let name = try input.demanded("Name")
        let isGiven = given.value(of: name) != nil
        try store.change { content throws(ParameterFault) in
            guard content.parameters.removeValue(forKey: ByteText(name)) == nil else { return }
            guard !isGiven else {
                throw .invalid(
                    "\(name) is not a parameter that was put: take its line out of the file secrets, or its variable away."
                )
            }
            throw .parameterNotFound(name)
        }
        return JSONObject()
    }

    private func deleteSeveral(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        guard let names = try input.texts("Names"), (1...ParameterLimits.namesMax).contains(names.count) else {
            throw .invalid(
                "1 validation error detected: Value at 'names' failed to satisfy constraint: Member must have length less than or "
                    + "equal to \(ParameterLimits.namesMax) and greater than or equal to 1")
        }
        return try store.change { content throws(ParameterFault) in
            var (deleted, absent): ([JSONValue], [JSONValue]) = ([], [])
            for name in names.eachOnce() {
                let isThere = content.parameters.removeValue(forKey: ByteText(name)) != nil
                if isThere { deleted.append(.string(name)) } else { absent.append(.string(name)) }
            }
            return JSONObject([("DeletedParameters", .array(deleted)), ("InvalidParameters", .array(absent))])
        }
    }

    private static func check(_ name: String) throws(ParameterFault) {
        let isNamed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/")].contains(byte)
        }
        guard isNamed, name.utf8.count <= ParameterLimits.parameterNameBytesMax else {
            throw .invalid(
                "Parameter name: can't be prefixed with \"ssm\" (case-insensitive). If formed as a path, it can consist of sub-paths "
                    + "divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_"
            )
        }
        guard name.utf8.first == UInt8(ascii: "/") || !name.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalid("Parameter name must be a fully qualified name.")
        }
        guard name.range(ofBytesOf: "//") == nil, name.utf8.last != UInt8(ascii: "/") else {
            throw .invalid("Parameter name: each sub-path must have at least one character.")
        }
        let first = name.lowercased().drop { $0 == "/" }
        guard !first.hasPrefix("aws"), !first.hasPrefix("ssm") else {
            throw .invalid("Parameter name: can't be prefixed with \"aws\" or \"ssm\" (case-insensitive).")
        }
        guard name.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= ParameterLimits.parameterLevelsMax else {
            throw ParameterFault(
                "HierarchyLevelLimitExceededException",
                "A hierarchy can have a maximum of \(ParameterLimits.parameterLevelsMax) levels.")
        }
    }

    /// Seconds since 1970, with what is beyond them.
    static func seconds() -> JSONValue { .double(Double(Timestamp.now.millisecondsSince1970) / 1_000) }
}
