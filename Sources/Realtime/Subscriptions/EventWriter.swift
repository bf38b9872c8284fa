import Engine
import GraphQL
import JSON

/// Writes an event as a subscription selects it: `{"data":{…}}`, with `"errors"` behind it where a field that must not be
/// null is. Specification: section 6.4.3, CompleteValue().
///
/// Hot path: straight into bytes. A null that breaks a type rewinds to the nearest place that may be null; its siblings
/// are looked at all the same, since AppSync names every one of them.
struct EventWriter {
    private var output: [UInt8] = []
    private var errors: [EventError] = []
    private var path = ResponsePath()
    /// The type whose fields are written now.
    private var parentName = ""
    private let bytesMax: Int
    private var errorBytes = 0
    /// Whether there was more than that, whatever was taken back later.
    private var isTooLong = false

    private struct EventError {
        let message: String
        let path: ResponsePath
        var errorType: String?
    }

    /// Whether a value may stand where it was written.
    private enum Outcome {
        case fine
        /// It is null and must not be; an error says so already.
        case nullified
    }

    private init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The response to one event; nil when it is longer than `bytesMax`. It is not written to its end then: a selection may
    /// have a long value thousands of times.
    static func response(to event: MutationEvent, _ selection: EventSelection, bytesMax: Int) -> [UInt8]? {
        var writer = EventWriter(bytesMax: bytesMax)
        writer.output.reserveCapacity(256)
        writer.output.append(contentsOf: #"{"data":"#.utf8)
        let start = writer.output.count
        writer.output.append(UInt8(ascii: "{"))
        JSONWriter.writeKey(selection.root.responseName, to: &writer.output)
        writer.parentName = selection.rootTypeName
        let outcome = writer.write(
            .object(event.value), selection.root, of: selection.rootTypeName, knownType: event.typeName)
        writer.output.append(UInt8(ascii: "}"))
        if outcome == .nullified {
            writer.output.removeSubrange(start...)
            JSONWriter.writeNull(to: &writer.output)
        }
        if writer.isFull { return nil }
        writer.writeErrors()
        writer.output.append(UInt8(ascii: "}"))
        return writer.output.count <= bytesMax ? writer.output : nil
    }

    /// Whether there is no room for anything more.
    private var isFull: Bool {
        mutating get {
            isTooLong = isTooLong || output.count + errorBytes > bytesMax
            return isTooLong
        }
    }

    private mutating func add(_ message: String, _ errorType: String? = nil) {
        errors.append(EventError(message: message, path: path, errorType: errorType))
        // At least. The length of the whole is looked at in the end.
        errorBytes += message.utf8.count
        for case .name(let name) in path.steps { errorBytes += name.utf8.count }
    }

    /// As AppSync's frames have them: message and path.
    private mutating func writeErrors() {
        guard !errors.isEmpty else { return }
        output.append(contentsOf: #","errors":["#.utf8)
        for (index, error) in errors.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "{"))
            if let type = error.errorType {
                JSONWriter.writeKey("errorType", to: &output)
                JSONWriter.writeString(type, to: &output)
                output.append(UInt8(ascii: ","))
            }
            JSONWriter.writeKey("message", to: &output)
            JSONWriter.writeString(error.message, to: &output)
            output.append(contentsOf: #","path":"#.utf8)
            error.path.write(to: &output)
            output.append(UInt8(ascii: "}"))
        }
        output.append(UInt8(ascii: "]"))
    }

    // MARK: Values

    /// Writes the value of a field.
    private mutating func write(
        _ value: JSONValue, _ field: EventSelection.Field, of parent: String, knownType: String? = nil
    ) -> Outcome {
        path.steps.append(.name(field.responseName))
        defer { path.steps.removeLast() }
        if case .hidden = field.content { return hide(field, of: parent) }
        return complete(value, as: field.type, field, of: parent, knownType: knownType)
    }

    private mutating func hide(_ field: EventSelection.Field, of parent: String) -> Outcome {
        let refusal = RealtimeRefusal.field(field.name, of: parent)
        add(refusal.message, refusal.errorType)
        JSONWriter.writeNull(to: &output)
        return field.type.isNonNull ? .nullified : .fine
    }

    /// CompleteValue(): lists and non-null marks from the outside in.
    private mutating func complete(
        _ value: JSONValue, as type: TypeUse, _ field: EventSelection.Field, of parent: String, knownType: String?
    ) -> Outcome {
        let start = output.count
        let errorsBefore = errors.count
        if !value.isNull, completed(value, as: type.nullable, field, knownType: knownType) == .fine { return .fine }
        output.removeSubrange(start...)
        JSONWriter.writeNull(to: &output)
        guard type.isNonNull else { return .fine }
        if errors.count == errorsBefore {
            // A list has no name in AppSync's text.
            let name = type.isList ? "null" : field.typeName
            add("Cannot return null for non-nullable type: '\(name)' within parent '\(parent)' (\(path))")
        }
        return .nullified
    }

    private mutating func completed(
        _ value: JSONValue, as type: TypeUse, _ field: EventSelection.Field, knownType: String?
    ) -> Outcome {
        guard type.isList else { return object(value, field, knownType: knownType) }
        guard case .array(let elements) = value else { return mismatch("LIST") }
        var outcome = Outcome.fine
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if isFull { break }
            if index > 0 { output.append(UInt8(ascii: ",")) }
            path.steps.append(.index(index))
            // The parent of an element is the type that has the field: it is named in the text of an error.
            let element = complete(element, as: type.item, field, of: parentName, knownType: nil)
            path.steps.removeLast()
            if element == .nullified { outcome = .nullified }
        }
        output.append(UInt8(ascii: "]"))
        return outcome
    }

    private mutating func object(
        _ value: JSONValue, _ field: EventSelection.Field, knownType: String?
    ) -> Outcome {
        let selection: EventSelection.ObjectSelection
        switch field.content {
        case .leaf, .typeName, .hidden:
            JSONWriter.write(value, to: &output)
            return .fine
        case .object(let object):
            selection = object
        case .abstract(let selections):
            guard let name = value["__typename"]?.string ?? knownType, let object = selections[name] else {
                return mismatch("OBJECT")
            }
            selection = object
        }
        guard case .object(let object) = value else { return mismatch("OBJECT") }
        let outerParent = parentName
        parentName = selection.typeName
        defer { parentName = outerParent }
        var outcome = Outcome.fine
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for field in selection.fields {
            if isFull { break }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.writeKey(field.responseName, to: &output)
            if case .typeName = field.content {
                JSONWriter.writeString(selection.typeName, to: &output)
                continue
            }
            let value = object[field.name] ?? .null
            let shown = field.guards.isEmpty ? value : field.guards.reduce(value) { $1.shown($0, of: object) }
            if write(shown, field, of: selection.typeName) == .nullified {
                outcome = .nullified
            }
        }
        output.append(UInt8(ascii: "}"))
        return outcome
    }

    private mutating func mismatch(_ expected: String) -> Outcome {
        add("Can't resolve value (\(path)) : type mismatch error, expected type \(expected)")
        return .nullified
    }
}

extension FieldGuard {
    /// What is shown of the value of a field of an object.
    fileprivate func shown(_ value: JSONValue, of object: JSONObject) -> JSONValue {
        switch self {
        case .nothing: return .null
        case .ofObjects(let filter): return filter.matches(object) ? value : .null
        case .ofRecords(let filter, isMany: false):
            guard case .object(let record) = value else { return .null }
            return filter.matches(record) ? value : .null
        case .ofRecords(let filter, isMany: true):
            guard case .object(var connection) = value else { return .null }
            let items = connection["items"]?.array ?? []
            connection["items"] = .array(items.filter { $0.object.map(filter.matches) ?? false })
            return .object(connection)
        }
    }
}
