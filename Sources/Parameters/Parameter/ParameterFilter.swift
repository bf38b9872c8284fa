import Cloud
import JSON

/// A filter of parameters: `{"Key": "Type", "Option": "Equals", "Values": ["String"]}`.
struct ParameterFilter {
    /// The call that has the filters: each takes other keys.
    enum Place {
        case path, descriptions

        var keys: String {
            switch self {
            case .path: "[Type, KeyId, Label]"
            case .descriptions: "[Path, Name, Type, KeyId, Tier, DataType]"
            }
        }
    }

    private enum Key: Equatable {
        case type, keyID, label, name, path, tier, dataType
        case tag(ByteText)

        init?(_ name: String, in place: Place) {
            switch (name, place) {
            case ("Type", _): self = .type
            case ("KeyId", _): self = .keyID
            case ("Label", .path): self = .label
            case ("Name", .descriptions): self = .name
            case ("Path", .descriptions): self = .path
            case ("Tier", .descriptions): self = .tier
            case ("DataType", .descriptions): self = .dataType
            case (_, .descriptions) where name.utf8.starts(with: ParameterFilter.tagStart.utf8):
                self = .tag(ByteText(String(Substring(name.utf8.dropFirst(ParameterFilter.tagStart.utf8.count)))))
            default: return nil
            }
        }

        /// The first is the usual one.
        var options: [Option] {
            switch self {
            case .label, .dataType: [.equals]
            case .name: [.equals, .beginsWith, .contains]
            case .path: [.oneLevel, .recursive]
            case .type, .keyID, .tier, .tag: [.equals, .beginsWith]
            }
        }

        /// The only values that there are.
        var choices: [String]? {
            switch self {
            case .type: ParameterCalls.types
            case .tier: ["Standard", "Advanced", "Intelligent-Tiering"]
            default: nil
            }
        }
    }

    private enum Option: String {
        case equals = "Equals"
        case beginsWith = "BeginsWith"
        case contains = "Contains"
        case oneLevel = "OneLevel"
        case recursive = "Recursive"
    }

    private let key: Key
    private let option: Option
    private let values: [String]

    private static let tagStart = "tag:"
    /// The key that AWS has for whoever names none: nothing is encrypted here, and clients are told that name.
    static let usualKey = "alias/aws/ssm"
    static let keyForm = MemberPattern("tag:.+|Name|Type|KeyId|Path|Label|Tier|DataType") { text in
        ["Name", "Type", "KeyId", "Path", "Label", "Tier", "DataType"].contains(text)
            || (text.utf8.starts(with: tagStart.utf8) && text.utf8.count > tagStart.utf8.count)
    }

    /// Those of a call, all of which a parameter must pass.
    static func filters(of list: [JSONValue]?, _ place: Place) throws(CloudError) -> [ParameterFilter] {
        var filters: [ParameterFilter] = []
        for element in list ?? [] {
            let filter = try ParameterFilter(element, place)
            guard place == .path || !filters.contains(where: { $0.key == filter.key }) else {
                throw .invalid(
                    "The following filter is duplicated in the request: \(element["Key"]?.string ?? ""). A request can contain only one "
                        + "occurrence of a specific filter.")
            }
            filters.append(filter)
        }
        return filters
    }

    private init(_ value: JSONValue, _ place: Place) throws(CloudError) {
        let name = value["Key"]?.string ?? ""
        guard let key = Key(name, in: place) else {
            throw CloudError(
                "InvalidFilterKey",
                "The following filter key is not valid: \(name). Valid filter keys include: \(place.keys).")
        }
        self.key = key
        let values = value["Values"]?.array?.compactMap(\.string) ?? []
        // A tag is enough, whatever its value.
        guard !values.isEmpty || name.utf8.starts(with: Self.tagStart.utf8) else {
            throw CloudError(
                "InvalidFilterValue", "The following filter values are missing : null for filter key \(name)")
        }
        let said = value["Option"]?.string
        guard
            let option = said.map({ text in key.options.first { $0.rawValue.utf8.elementsEqual(text.utf8) } })
                ?? key.options.first
        else {
            let others = key == .path ? "Recursive, OneLevel" : "BeginsWith, Equals"
            throw CloudError(
                "InvalidFilterOption",
                "The following filter option is not valid: \(said ?? ""). Valid options include: [\(others)].")
        }
        self.option = option
        if option == .equals, let choices = key.choices, let wrong = values.first(where: { !choices.contains($0) }) {
            throw CloudError(
                "InvalidFilterValue",
                "The following filter value is not valid: \(wrong). Valid values include: [\(choices.joined(separator: ", "))]"
            )
        }
        if key == .path { for value in values { try Self.checkPath(value) } }
        self.values = values
    }

    private static let pathForm = MemberPattern("", lettersAnd: "_.-/")

    private static func checkPath(_ path: String) throws(CloudError) {
        let lowered = path.lowercased().utf8
        guard !lowered.starts(with: "/aws".utf8), !lowered.starts(with: "/ssm".utf8) else {
            throw .invalid(
                "Filters for common parameters can't be prefixed with \"aws\" or \"ssm\" (case-insensitive). When using global "
                    + "parameters, please specify within a global namespace.")
        }
        guard path.utf8.first == UInt8(ascii: "/"), pathForm.admits(path), path.range(ofBytesOf: "//") == nil else {
            throw .invalid(
                "The parameter doesn't meet the parameter name requirements. The parameter name must begin with a forward slash \"/\". "
                    + "It can't be prefixed with \"aws\" or \"ssm\" (case-insensitive). It must use only letters, numbers, or the "
                    + "following symbols: . (period), - (hyphen), _ (underscore). Special characters are not allowed. All sub-paths, if "
                    + "specified, must use the forward slash symbol \"/\". Valid example: /get/parameters2-/by1./path0_."
            )
        }
    }

    func passes(_ name: String, _ parameter: JSONObject) -> Bool {
        switch key {
        case .name:
            // A name is found with a slash before it and without one.
            matches(name) || matches(name.utf8.first == UInt8(ascii: "/") ? Self.bare(name) : "/\(name)")
        case .path: values.contains { Self.isBelow($0, name, option == .recursive) }
        case .type: matches(parameter["Type"]?.string ?? "")
        case .tier: matches(parameter["Tier"]?.string ?? "Standard")
        case .dataType: matches(parameter["DataType"]?.string ?? "text")
        case .keyID: ParameterCalls.key(of: parameter)?.string.map(matches) ?? false
        case .label: version(in: parameter["Labels"]) != nil
        case .tag(let wanted):
            (parameter["Tags"]?.array ?? []).contains { tag in
                tag["Key"]?.string.map(ByteText.init) == wanted
                    && (values.isEmpty || matches(tag["Value"]?.string ?? ""))
            }
        }
    }

    /// Returns whether a parameter is below a path, also below a sub-path where that is wanted. A name without a path is below `/`.
    static func isBelow(_ path: String, _ name: String, _ isRecursive: Bool) -> Bool {
        let slash = UInt8(ascii: "/")
        let whole = name.utf8.first == slash ? name : "/\(name)"
        let start = path.utf8.last == slash ? path : "\(path)/"
        return whole.utf8.starts(with: start.utf8)
            && (isRecursive || !whole.utf8.dropFirst(start.utf8.count).contains(slash))
    }

    /// The version with the label that is asked for.
    func version(in labels: JSONValue?) -> (label: String, version: Int64)? {
        guard key == .label else { return nil }
        for label in values { if let version = labels?[label]?.integer { return (label, version) } }
        return nil
    }

    private static func bare(_ name: String) -> String { String(Substring(name.utf8.dropFirst())) }

    private func matches(_ text: String) -> Bool {
        values.contains { value in
            switch option {
            case .beginsWith: text.utf8.starts(with: value.utf8)
            case .contains: text.range(ofBytesOf: value) != nil
            default: ByteText(text) == ByteText(value)
            }
        }
    }
}
