import Access
import GraphQL
import JSON

/// Writes values into a response. Specification: section 6.4.3, CompleteValue().
///
/// A value that its type does not allow becomes null, with an error at its path. Where null is not allowed either, it
/// rises: what was written of the object or list around it is taken back, up to the nearest place that may be null. The
/// fields beside it are still looked at, since each that is wrong has an error of its own.
///
/// Hot path: bytes are written as the value is walked, and the path is one array that grows and shrinks.
package struct ValueWriter {
    /// Whether the caller may see a field.
    package typealias Permission = (ValueField) -> Bool

    private let variables: VariableValues
    private let outcomes: [ResponsePath: FieldOutcome]
    private let permits: Permission?
    /// How many errors it has added.
    private var errorCount = 0

    /// `outcomes` are those of the computed fields in the values that are written.
    init(
        _ variables: VariableValues, outcomes: [ResponsePath: FieldOutcome] = [:], permits: Permission? = nil
    ) {
        self.variables = variables
        self.outcomes = outcomes
        self.permits = permits
    }

    /// For values of which nothing is computed, and whose plan says what of them is seen.
    package init() { self.init(.none) }

    /// Writes the value of the field at the writer's path, of the type `parent`. Throws when the response has no room for it;
    /// what was written of it is of no use then, and there is no error of it.
    ///
    /// `isExplained` says that there is an error for the field already: a null that must not be needs no other.
    package mutating func complete(
        _ value: JSONValue, _ plan: ValuePlan, of parent: String, isExplained: Bool = false,
        in writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        let errorsBefore = writer.errors.count
        do throws(ResponseTooLong) {
            let completion = try complete(value, plan.type, plan, of: parent, isExplained: isExplained, &writer)
            guard !writer.isTooLong else { throw ResponseTooLong() }
            return completion
        } catch {
            writer.forgetErrors(behind: errorsBefore)
            throw error
        }
    }

    /// The same for what came of a computed field: its errors come along.
    mutating func complete(
        _ outcome: FieldOutcome, _ plan: ValuePlan, of parent: String, in writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        switch outcome {
        case .value(let value, let beside):
            for error in beside { add(error, &writer) }
            let isExplained = beside.contains { $0.path == writer.path }
            return try complete(value, plan.type, plan, of: parent, isExplained: isExplained, &writer)
        case .written(let bytes, let beside):
            for error in beside { add(error, &writer) }
            guard let bytes else { return writer.completeFailure(plan.type) }
            writer.bytes.append(contentsOf: bytes)
            return .written
        }
    }

    private mutating func complete(
        _ value: JSONValue, _ type: TypeUse, _ plan: ValuePlan, of parent: String, isExplained: Bool = false,
        _ writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        guard !writer.isTooLong else { throw ResponseTooLong() }
        guard !value.isNull else {
            return writer.completeNull(type, named: plan.typeName, in: parent, isExplained: isExplained)
        }
        let start = writer.bytes.count
        let inside =
            type.isList
            ? try completeList(value, type, plan, of: parent, &writer)
            : try completeNamed(value, plan, of: parent, &writer)
        return writer.complete(type, inside, from: start)
    }

    private mutating func completeList(
        _ value: JSONValue, _ type: TypeUse, _ plan: ValuePlan, of parent: String, _ writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        guard case .array(let elements) = value else { return mismatch("LIST", &writer) }
        let item = type.item
        var completion = Completion.written
        writer.bytes.append(UInt8(ascii: "["))
        writer.enterList()
        defer { writer.leave() }
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.bytes.append(UInt8(ascii: ",")) }
            writer.move(to: index)
            if try complete(element, item, plan, of: parent, &writer).isBroken { completion = .broken }
        }
        writer.bytes.append(UInt8(ascii: "]"))
        return completion
    }

    private mutating func completeNamed(
        _ value: JSONValue, _ plan: ValuePlan, of parent: String, _ writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        switch plan.form {
        case .written: JSONWriter.write(value, to: &writer.bytes)
        case .scalar(let coercion):
            do throws(ScalarError) {
                JSONWriter.write(try coercion.serialize(value), to: &writer.bytes)
            } catch {
                return report("Can't serialize value (\(writer.path)) : \(error.message)", &writer)
            }
        case .enumeration(let enumeration):
            guard case .string(let name) = value, enumeration.contains(name) else {
                return report(
                    "Can't serialize value (\(writer.path)) : Invalid input for Enum '\(enumeration.name)'. "
                        + "Unknown value '\(JavaText.text(of: value))'", &writer)
            }
            JSONWriter.writeString(name, to: &writer.bytes)
        case .object(let selection):
            guard case .object(let object) = value else { return mismatch("OBJECT", &writer) }
            return try complete(object, selection, &writer)
        case .abstract(let selections):
            guard case .object(let object) = value else { return mismatch("OBJECT", &writer) }
            guard let selection = selections[object["__typename"]?.string ?? ""] else {
                return report(Self.unresolved(object["__typename"], plan, of: parent, at: writer.path), &writer)
            }
            return try complete(object, selection, &writer)
        }
        return .written
    }

    private static func unresolved(
        _ name: JSONValue?, _ plan: ValuePlan, of parentName: String, at path: ResponsePath
    ) -> String {
        let field = path.steps.reversed().lazy.compactMap { step in
            if case .name(let name) = step { name } else { nil }
        }.first
        let reason =
            name?.string.map { "Runtime Object type '\($0)' is not a possible type for '\(plan.typeName)'." }
            ?? "Could not determine the exact type of '\(plan.typeName)'"
        return "Can't resolve '\(path)'. Abstract type '\(plan.typeName)' must resolve to an Object type at runtime "
            + "for field '\(parentName).\(field ?? "")'. \(reason)"
    }

    private mutating func complete(
        _ object: JSONObject, _ selection: ValueSelection, _ writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        var completion = Completion.written
        let start = writer.bytes.count
        for field in selection.fields where field.isMet(variables) {
            writer.bytes.append(contentsOf: field.key)
            writer.enter(field.responseName)
            defer { writer.leave() }
            if try complete(field, of: object, &writer).isBroken { completion = .broken }
        }
        writer.endObject(from: start)
        return completion
    }

    private mutating func complete(
        _ field: ValueField, of object: JSONObject, _ writer: inout ResponseWriter
    ) throws(ResponseTooLong) -> Completion {
        if case .typename = field.source {
            JSONWriter.writeString(field.typeName, to: &writer.bytes)
            return .written
        }
        guard permits?(field) ?? true else { return refuse(field, &writer) }
        switch field.source {
        case .typename, .hidden: return refuse(field, &writer)
        case .member(let plan):
            return try complete(object[field.name] ?? .null, plan.type, plan, of: field.typeName, &writer)
        case .guarded(let plan, let shown):
            let value = shown(object[field.name] ?? .null, object)
            return try complete(value, plan.type, plan, of: field.typeName, &writer)
        case .computed(let computed):
            let outcome = outcomes[writer.path] ?? .value(.null)
            return try complete(outcome, computed.plan, of: field.typeName, in: &writer)
        }
    }

    // MARK: Errors

    private mutating func refuse(_ field: ValueField, _ writer: inout ResponseWriter) -> Completion {
        add(
            GraphQLError(
                Refusals.message(field: field.name, type: field.typeName), type: Refusals.errorType, at: writer.path,
                locations: field.locations), &writer)
        return writer.completeFailure(field.type)
    }

    private mutating func mismatch(_ expected: String, _ writer: inout ResponseWriter) -> Completion {
        report("Can't resolve value (\(writer.path)) : type mismatch error, expected type \(expected)", &writer)
    }

    private mutating func report(_ message: String, _ writer: inout ResponseWriter) -> Completion {
        add(GraphQLError(message, path: writer.path), &writer)
        return .broken
    }

    private mutating func add(_ error: GraphQLError, _ writer: inout ResponseWriter) {
        errorCount += 1
        if errorCount < ValueLimits.errorsMax {
            writer.add(error)
        } else if errorCount == ValueLimits.errorsMax {
            writer.add(GraphQLError("There are more errors than \(ValueLimits.errorsMax): no others are listed"))
        }
    }
}
