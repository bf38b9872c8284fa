import Engine
import GraphQL
import JSON

/// Writes an event as a subscription selects it: `{"data":{…}}`, with `"errors"` behind it where a field that must not be
/// null is.
enum EventWriter {
    /// The response to one event; nil when it is longer than `bytesMax`. It is not written to its end then: a selection may
    /// have a long value thousands of times.
    static func response(to event: MutationEvent, _ plan: ValuePlan, bytesMax: Int) -> [UInt8]? {
        // What errors take is known in the end only: they are written in a form of their own.
        var writer = ResponseWriter(bytesMax: bytesMax, countsErrors: false)
        writer.beginResponse(expecting: 256)
        var values = ValueWriter()
        do throws(ResponseTooLong) {
            _ = try values.complete(event.root, plan, of: "", in: &writer)
        } catch {
            return nil
        }
        let response = writer.takeResponse(writingErrors: write)
        return response.count <= bytesMax ? response : nil
    }

    /// As AppSync's frames have them: message and path.
    private static func write(_ errors: [GraphQLError], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, error) in errors.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "{"))
            if let type = error.resolver?.errorType {
                JSONWriter.writeKey("errorType", to: &output)
                JSONWriter.writeString(type, to: &output)
                output.append(UInt8(ascii: ","))
            }
            JSONWriter.writeKey("message", to: &output)
            JSONWriter.writeString(error.message, to: &output)
            output.append(contentsOf: #","path":"#.utf8)
            (error.path ?? ResponsePath()).write(to: &output)
            output.append(UInt8(ascii: "}"))
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension MutationEvent {
    fileprivate static let rootMember = "value"
    fileprivate static let typeMember = "type"

    /// What the mutation gave as a member of a value, of which a subscription selects it.
    fileprivate var root: JSONValue {
        .object(JSONObject([(Self.rootMember, value), (Self.typeMember, .string(typeName))]))
    }

    /// What is selected of where an interface or a union stands has its type with it; of the root that is known where the mutation
    /// gives an object type.
    fileprivate static func typed(_ value: JSONValue, _ root: JSONObject, among types: Set<ByteText>) -> JSONValue {
        guard let type = root[typeMember], let name = type.string, types.contains(ByteText(name)) else { return value }
        func typed(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let elements): return .array(elements.map(typed))
            case .object(var object) where object["__typename"] == nil:
                object.set("__typename", to: type)
                return .object(object)
            default: return value
            }
        }
        return typed(value)
    }
}

extension EventSelection {
    /// How the value of the field is written.
    var fieldPlan: ValuePlan { root.valuePlan }

    /// The selection as values are written.
    var plan: ValuePlan {
        let field = ValueField(
            MutationEvent.rootMember, as: root.responseName, root.type, of: rootTypeName, root.source(atRoot: true))
        return ValuePlan(
            TypeUse(named: root.type.named), named: rootTypeName,
            .object(ValueSelection(typeName: rootTypeName, fields: [field])))
    }
}

extension EventSelection.Field {
    fileprivate func valueField(of parent: String) -> ValueField {
        ValueField(name, as: responseName, type, of: parent, source())
    }

    fileprivate var valuePlan: ValuePlan {
        let form: ValuePlan.Form =
            switch content {
            case .hidden, .typeName, .leaf: .written
            case .object(let object): .object(object.plan)
            case .abstract(let objects): .abstract(objects.mapValues(\.plan))
            }
        return ValuePlan(type, named: typeName, form)
    }

    fileprivate func source(atRoot: Bool = false) -> ValueField.Source {
        switch content {
        case .hidden: return .hidden
        case .typeName: return .typename
        case .leaf, .object, .abstract: break
        }
        let plan = valuePlan
        if atRoot, case .abstract(let objects) = content {
            let types = Set(objects.keys)
            return .guarded(plan) { MutationEvent.typed($0, $1, among: types) }
        }
        guard !guards.isEmpty else { return .member(plan) }
        return .guarded(plan) { [guards] value, object in guards.reduce(value) { $1.shown($0, of: object) } }
    }
}

extension EventSelection.ObjectSelection {
    fileprivate var plan: ValueSelection {
        ValueSelection(typeName: typeName, fields: fields.map { $0.valueField(of: typeName) })
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
