import JSON

extension EventFilter {
    /// What it asks for, for people: `postID = "p-1" and level > 3`.
    var text: String {
        switch self {
        case .all(let parts):
            parts.isEmpty ? "it has no filter" : parts.map(\.part).joined(separator: " and ")
        case .any(let parts):
            parts.isEmpty ? "nothing meets it" : parts.map(\.part).joined(separator: " or ")
        case .condition(let condition): condition.text
        }
    }

    private var part: String {
        switch self {
        case .all(let parts) where parts.count > 1, .any(let parts) where parts.count > 1: "(\(text))"
        default: text
        }
    }

    /// The smallest part that an event does not meet; nil where it meets all.
    func unmet(by event: JSONObject) -> EventFilter? {
        switch self {
        case .all(let parts): parts.lazy.compactMap { $0.unmet(by: event) }.first
        case .any, .condition: matches(event) ? nil : self
        }
    }
}

extension FilterCondition {
    fileprivate var text: String {
        let word =
            switch `operator` {
            case .eq: "="
            case .ne: "\u{2260}"
            case .le: "\u{2264}"
            case .lt: "<"
            case .ge: "\u{2265}"
            case .gt: ">"
            default: `operator`.rawValue
            }
        let shown = values.prefix(Self.shownMax).map(\.text).joined(separator: ", ")
        let rest = values.count > Self.shownMax ? ", \u{2026}" : ""
        return "\(path.joined(separator: ".")) \(word) \(shown)\(rest)"
    }

    private static let shownMax = 5
}

extension FilterValue {
    fileprivate var text: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .text(let text): JSONWriter.text(of: .string(String(text.string.prefix(100))))
        case .structure(let bytes): String(decoding: bytes.prefix(100), as: UTF8.self)
        }
    }
}
