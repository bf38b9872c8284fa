import Cloud
import JSON

/// A filter of the parameters below a path: `{"Key": "Type", "Option": "Equals", "Values": ["String"]}`.
struct ParameterFilter {
    private enum Key {
        case type, keyID, label, name
    }

    private let key: Key
    private let begins: Bool
    private let values: [String]

    /// The key that AWS has for whoever names none: nothing is encrypted here, and clients are told that name.
    static let usualKey = "alias/aws/ssm"

    /// Those of a call, all of which a parameter must pass.
    ///
    /// - Parameter withNames: whether they may ask for names.
    static func filters(of list: [JSONValue]?, withNames: Bool = false) throws(CloudError) -> [ParameterFilter] {
        var filters: [ParameterFilter] = []
        for element in list ?? [] { filters.append(try ParameterFilter(element, withNames: withNames)) }
        return filters
    }

    private init(_ value: JSONValue, withNames: Bool) throws(CloudError) {
        let name = value["Key"]?.string ?? ""
        switch name {
        case "Type": key = .type
        case "KeyId": key = .keyID
        case "Label": key = .label
        case "Name" where withNames: key = .name
        default:
            throw CloudError(
                "InvalidFilterKey",
                "The following filter key is not valid: \(name). Valid filter keys include: [Type, KeyId, Label].")
        }
        let option = value["Option"] ?? .null
        switch option.isNull ? "Equals" : option.string ?? "" {
        case "Equals": begins = false
        case "BeginsWith" where key != .label: begins = true
        case let other:
            throw CloudError(
                "InvalidFilterOption",
                "The following filter option is not valid: \(other). Valid options include: [BeginsWith, Equals].")
        }
        let values = value["Values"]?.array?.compactMap(\.string) ?? []
        guard (1...ParameterLimits.filterValuesMax).contains(values.count) else {
            throw CloudError(
                "InvalidFilterValue", "A filter has 1 to \(ParameterLimits.filterValuesMax) values, which are texts.")
        }
        self.values = values
    }

    /// - Parameters:
    ///   - type: the type of the parameter; its key is the usual one where it is a secret.
    ///   - labels: its labels, with their versions.
    func passes(type: String, name: String = "", labels: JSONValue? = nil) -> Bool {
        switch key {
        case .name: matches(name)
        case .type: matches(type)
        case .keyID: ByteText(type) == "SecureString" && matches(Self.usualKey)
        case .label: version(in: labels) != nil
        }
    }

    /// The version with the label that is asked for.
    func version(in labels: JSONValue?) -> (label: String, version: Int64)? {
        guard key == .label else { return nil }
        for label in values { if let version = labels?[label]?.integer { return (label, version) } }
        return nil
    }

    private func matches(_ text: String) -> Bool {
        values.contains { begins ? text.utf8.starts(with: $0.utf8) : ByteText(text) == ByteText($0) }
    }
}
