import Cloud
import JSON

/// The input of a target, made from an event.
package enum EventInput: Sendable {
    case whole
    /// A part of it: `$.detail`.
    case part(ValuePath)
    /// The same each time.
    case fixed(String)
    case template(EventTemplate)

    /// Nil: the target gets nothing of the event.
    func told(of event: JSONValue, ruleARN: String, ruleName: String) -> String? {
        switch self {
        case .whole: JSONWriter.text(of: event)
        case .part(let path): JSONWriter.text(of: path.value(in: event) ?? .null)
        case .fixed(let text): text
        case .template(let template): template.told(of: event, ruleARN: ruleARN, ruleName: ruleName)
        }
    }
}

/// A text with values of the event in it: `{"order": <id>, "text": "Order <id> has come"}`.
package struct EventTemplate: Sendable {
    private enum Piece: Sendable {
        case text(String)
        /// True if it stands between quotes.
        case value(String, isQuoted: Bool)
    }

    private let pieces: [Piece]
    private let paths: [ByteText: ValuePath]
    /// True if the whole template is one text: `"Order <id> has come"`.
    private let isText: Bool

    package init(_ template: String, paths: [(name: String, path: String)]) throws(CloudError) {
        guard template.utf8.count <= EventLimits.templateBytesMax, paths.count <= EventLimits.pathsMax else {
            throw .invalid(
                "Invalid InputTemplate: it has at most \(EventLimits.templateBytesMax) bytes, and \(EventLimits.pathsMax) paths."
            )
        }
        var read: [ByteText: ValuePath] = [:]
        for (name, path) in paths {
            guard let path = ValuePath(path) else { throw .invalid("Invalid InputPathsMap: \(path) is no path.") }
            read[name] = path
        }
        self.paths = read
        var pieces: [Piece] = []
        var text: [UInt8] = []
        var (isQuoted, isEscaped) = (false, false)
        var rest = template.utf8[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
                let name = String(Substring(rest[rest.index(after: rest.startIndex)..<end]))
                if read[name] != nil || name.hasPrefix(Self.reserved) {
                    pieces.append(.text(String(decoding: text, as: UTF8.self)))
                    text = []
                    pieces.append(.value(name, isQuoted: isQuoted))
                    rest = rest[rest.index(after: end)...]
                    isEscaped = false
                    continue
                }
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            text.append(byte)
            rest = rest.dropFirst()
        }
        isText = template.utf8.first { $0 > 0x20 } == UInt8(ascii: "\"")
        self.pieces = pieces + [.text(String(decoding: text, as: UTF8.self))]
    }

    private static let reserved = "aws.events."

    /// Nil: an object or a list is in a text of an object, of which the service makes no input.
    func told(of event: JSONValue, ruleARN: String, ruleName: String) -> String? {
        var told = ""
        for piece in pieces {
            guard told.utf8.count <= EventLimits.toldBytesMax else { break }
            switch piece {
            case .text(let text): told += text
            case .value(let name, let isQuoted):
                let value = self.value(name, event, ruleARN, ruleName)
                guard isQuoted else {
                    // What is not there is an empty text.
                    told += JSONWriter.text(of: value ?? "")
                    continue
                }
                guard isText || (value?.object == nil && value?.array == nil) else { return nil }
                // As a part of a text that is written already: an object or a list has no quotes there, `{id:7,tags:[a,b]}`.
                let text = value.map { $0.string ?? Self.unquoted($0) } ?? ""
                told += JSONWriter.text(of: .string(text)).dropFirst().dropLast()
            }
        }
        return told
    }

    private static func unquoted(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(of: value).filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    /// The event without what it tells: `<aws.events.event>`.
    private static func envelope(of event: JSONValue) -> JSONValue {
        var envelope = JSONObject()
        for member in event.object ?? JSONObject() where member.key != "detail" {
            envelope.set(member.key == "detail-type" ? "detailType" : member.key, to: member.value)
        }
        return .object(envelope)
    }

    private func value(_ name: String, _ event: JSONValue, _ ruleARN: String, _ ruleName: String) -> JSONValue? {
        switch name {
        case "aws.events.rule-arn": .string(ruleARN)
        case "aws.events.rule-name": .string(ruleName)
        case "aws.events.event.ingestion-time": event["time"]
        case "aws.events.event": Self.envelope(of: event)
        case "aws.events.event.json": event
        default: paths[name]?.value(in: event)
        }
    }
}
