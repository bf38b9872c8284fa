import Blueprint
import JSON
import Project
import Script

/// The options of `new DynamoEventSource(table, {...})`, `new EventSourceMapping(scope, id, {...})` and `addEventSourceMapping`,
/// which have the same names but for one.
struct EventSourceOptions {
    let options: ScriptObject

    /// - Parameter value: nil where there are none.
    init?(_ value: ProgramValue?) {
        guard case .object(let options)? = value, !options.isOpaque else { return nil }
        self.options = options
    }

    private static let filtersMax = 10
    private static let depthMax = 16
    private static let membersMax = 200

    func write(to events: inout TableEvents) {
        events.batchSize = whole("batchSize")
        events.beginsWithOldest = name("startingPosition") == "TRIM_HORIZON"
        events.retryAttempts = whole("retryAttempts")
        events.bisects = flag("bisectBatchOnError")
        events.reportsItemFailures = flag("reportBatchItemFailures") ?? false
        let written = value("filters")?.elements ?? []
        events.filters = written.prefix(Self.filtersMax).compactMap(Self.pattern)
        events.hasUnreadFilters = events.filters.count < written.count
    }

    private func value(_ name: String) -> ProgramValue? { try? options.get(name) }

    private func whole(_ name: String) -> Int? { value(name)?.whole }

    private func flag(_ name: String) -> Bool? { value(name)?.flag }

    /// The last part of `StartingPosition.LATEST`, or a text.
    private func name(_ name: String) -> String? {
        switch value(name) {
        case .text(let text)?: text.string
        case .object(let object)?:
            (object as? OpaqueObject)?.origin.split(separator: ".").last.map(String.init)
        default: nil
        }
    }

    // MARK: Filters

    /// `FilterCriteria.filter({...})`, or an object with a pattern as a text, as CloudFormation has it.
    private static func pattern(_ value: ProgramValue) -> String? {
        guard case .object(let object) = value else { return nil }
        if let opaque = object as? OpaqueObject {
            guard opaque.origin.contains(bytesOf: "FilterCriteria.filter"), let written = given(opaque)?.first,
                let json = json(written, depth: 0)
            else { return nil }
            return String(decoding: JSONWriter.bytes(of: json), as: UTF8.self)
        }
        guard case .text(let text)? = try? object.get("pattern") else { return nil }
        return text.string
    }

    private static func given(_ opaque: OpaqueObject) -> [ProgramValue]? {
        guard case .call(let given) = opaque.making else { return nil }
        return given
    }

    private static func json(_ value: ProgramValue, depth: Int) -> JSONValue? {
        guard depth < depthMax else { return nil }
        switch value {
        case .text(let text): return .string(text.string)
        case .boolean(let flag): return .bool(flag)
        case .number(let number): return Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .null: return .null
        case .object(let object):
            if let opaque = object as? OpaqueObject { return rule(opaque, depth: depth) }
            if let list = object as? ScriptArray {
                var elements: [JSONValue] = []
                for element in ((try? list.values()) ?? []).prefix(membersMax) {
                    guard let element = json(element, depth: depth + 1) else { return nil }
                    elements.append(element)
                }
                return .array(elements)
            }
            var members = JSONObject()
            for key in ((try? object.enumerableKeys()) ?? []).prefix(membersMax) {
                guard let value = try? object.get(key), let member = json(value, depth: depth + 1) else { return nil }
                members.set(object.realm.describe(key), to: member)
            }
            return .object(members)
        default: return nil
        }
    }

    /// `FilterRule.isEqual('INSERT')` and the like, as the list of rules that they stand for.
    private static func rule(_ opaque: OpaqueObject, depth: Int) -> JSONValue? {
        let call = opaque.origin.split(separator: ".").last ?? ""
        let name = call.prefix { $0 != "(" }
        let given = given(opaque) ?? []
        var values: [JSONValue] = []
        for value in given {
            guard let value = json(value, depth: depth + 1) else { return nil }
            values.append(value)
        }
        // What `or` is given are lists themselves.
        let flat = values.flatMap { $0.array ?? [$0] }
        switch name {
        case "isEqual":
            guard let first = values.first else { return nil }
            switch first {
            case .integer, .double: return [["numeric": ["=", first]]]
            default: return [first]
            }
        case "notEquals": return values.first.map { [["anything-but": [$0]]] }
        case "null": return [.null]
        case "empty": return [""]
        case "exists": return [["exists": true]]
        case "notExists": return [["exists": false]]
        case "beginsWith": return values.first.map { [["prefix": $0]] }
        case "between":
            guard values.count > 1 else { return nil }
            return [["numeric": [">", values[0], "<=", values[1]]]]
        case "or": return .array(flat)
        default: return nil
        }
    }
}
