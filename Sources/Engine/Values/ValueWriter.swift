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
struct ValueWriter {
    /// Whether the caller may see a field.
    typealias Permission = (ValueField) -> Bool

    private let variables: VariableValues
    private let outcomes: [ResponsePath: FieldOutcome]
    private let permits: Permission?
    private var path: ResponsePath
    private let bytesMax: Int
    private(set) var buffer: [UInt8]
    private(set) var errors: [GraphQLError]
    private var errorBytes = 0

    /// Writes the value of the field at a path to the end of a buffer, once the computed fields below it have come out;
    /// answers false when it is null and must not be, and nothing was written then. `parentName` is the type that the
    /// field is one of. Throws when the buffer
    /// has more than `bytesMax` then, the errors included.
    ///
    /// `isExplained` says that there is an error for the field already: a null that must not be needs no other.
    static func write(
        _ value: JSONValue, _ plan: ValuePlan, of parentName: String, at path: ResponsePath,
        _ variables: VariableValues, outcomes: [ResponsePath: FieldOutcome] = [:], isExplained: Bool = false,
        permits: Permission? = nil, bytesMax: Int, to buffer: inout [UInt8], errors: inout [GraphQLError]
    ) throws(ResponseTooLong) -> Bool {
        try run(variables, outcomes, permits, path, bytesMax, &buffer, &errors) { writer throws(ResponseTooLong) in
            try writer.write(value, plan.type, plan, of: parentName, isExplained: isExplained)
        }
    }

    /// The same for what came of a computed field: its errors come along.
    static func write(
        _ outcome: FieldOutcome, _ plan: ValuePlan, of parentName: String, at path: ResponsePath,
        _ variables: VariableValues, outcomes: [ResponsePath: FieldOutcome] = [:], permits: Permission? = nil,
        bytesMax: Int, to buffer: inout [UInt8], errors: inout [GraphQLError]
    ) throws(ResponseTooLong) -> Bool {
        try run(variables, outcomes, permits, path, bytesMax, &buffer, &errors) { writer throws(ResponseTooLong) in
            try writer.write(outcome, plan, of: parentName)
        }
    }

    private static func run(
        _ variables: VariableValues, _ outcomes: [ResponsePath: FieldOutcome], _ permits: Permission?,
        _ path: ResponsePath, _ bytesMax: Int, _ buffer: inout [UInt8], _ errors: inout [GraphQLError],
        _ body: (inout ValueWriter) throws(ResponseTooLong) -> Bool
    ) throws(ResponseTooLong) -> Bool {
        var writer = ValueWriter(
            variables, outcomes, permits, path, bytesMax: bytesMax, buffer: buffer)
        // The writer has the only reference, so that it appends in place.
        buffer = []
        defer {
            buffer = writer.buffer
            errors.append(contentsOf: writer.errors)
        }
        let isWritten = try body(&writer)
        guard writer.buffer.count + writer.errorBytes <= bytesMax else { throw ResponseTooLong() }
        return isWritten
    }

    private init(
        _ variables: VariableValues, _ outcomes: [ResponsePath: FieldOutcome], _ permits: Permission?,
        _ path: ResponsePath, bytesMax: Int, buffer: consuming [UInt8]
    ) {
        self.variables = variables
        self.outcomes = outcomes
        self.permits = permits
        self.path = path
        self.bytesMax = bytesMax
        self.buffer = buffer
        errors = []
    }

    private mutating func write(
        _ value: JSONValue, _ type: TypeUse, _ plan: ValuePlan, of parentName: String, isExplained: Bool = false
    ) throws(ResponseTooLong) -> Bool {
        guard buffer.count + errorBytes <= bytesMax else { throw ResponseTooLong() }
        if value.isNull {
            guard type.isNonNull else {
                JSONWriter.writeNull(to: &buffer)
                return true
            }
            if !isExplained {
                let name = type.isList ? "null" : plan.typeName
                report("Cannot return null for non-nullable type: '\(name)' within parent '\(parentName)' (\(path))")
            }
            return false
        }
        let start = buffer.count
        if try type.isList ? writeList(value, type, plan, of: parentName) : writeNamed(value, plan, of: parentName) {
            return true
        }
        buffer.removeLast(buffer.count - start)
        if !type.isNonNull { JSONWriter.writeNull(to: &buffer) }
        return !type.isNonNull
    }

    private mutating func writeList(
        _ value: JSONValue, _ type: TypeUse, _ plan: ValuePlan, of parentName: String
    ) throws(ResponseTooLong) -> Bool {
        guard case .array(let elements) = value else {
            report("Can't resolve value (\(path)) : type mismatch error, expected type LIST")
            return false
        }
        let item = type.item
        var isWhole = true
        buffer.append(UInt8(ascii: "["))
        path.steps.append(.index(0))
        defer { path.steps.removeLast() }
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            path.steps[path.steps.count - 1] = .index(index)
            if !(try write(element, item, plan, of: parentName)) { isWhole = false }
        }
        buffer.append(UInt8(ascii: "]"))
        return isWhole
    }

    private mutating func writeNamed(
        _ value: JSONValue, _ plan: ValuePlan, of parentName: String
    ) throws(ResponseTooLong) -> Bool {
        switch plan.form {
        case .scalar(let coercion):
            do throws(ScalarError) {
                JSONWriter.write(try coercion.serialize(value), to: &buffer)
                return true
            } catch {
                report("Can't serialize value (\(path)) : \(error.message)")
                return false
            }
        case .enumeration(let enumeration):
            guard case .string(let name) = value, enumeration.contains(name) else {
                let text = JavaText.text(of: value)
                report(
                    "Can't serialize value (\(path)) : Invalid input for Enum '\(enumeration.name)'. Unknown value '\(text)'"
                )
                return false
            }
            JSONWriter.writeString(name, to: &buffer)
            return true
        case .object(let selection):
            guard case .object(let object) = value else { return reportNoObject() }
            return try write(object, selection)
        case .abstract(let selections):
            guard case .object(let object) = value else { return reportNoObject() }
            guard let selection = selections[object["__typename"]?.string ?? ""] else {
                report(Self.unresolved(object["__typename"], plan, of: parentName, at: path))
                return false
            }
            return try write(object, selection)
        }
    }

    private mutating func reportNoObject() -> Bool {
        report("Can't resolve value (\(path)) : type mismatch error, expected type OBJECT")
        return false
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

    private mutating func write(_ object: JSONObject, _ selection: ObjectSelection) throws(ResponseTooLong) -> Bool {
        var isWhole = true
        var isFirst = true
        buffer.append(UInt8(ascii: "{"))
        for field in selection.fields where field.isMet(variables) {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.writeKey(field.responseName, to: &buffer)
            path.steps.append(.name(field.responseName))
            defer { path.steps.removeLast() }
            if !(try write(field, of: object)) { isWhole = false }
        }
        buffer.append(UInt8(ascii: "}"))
        return isWhole
    }

    private mutating func write(_ field: ValueField, of object: JSONObject) throws(ResponseTooLong) -> Bool {
        switch field.source {
        case .typename:
            JSONWriter.writeString(field.typeName, to: &buffer)
            return true
        case .member(let plan):
            guard permits?(field) ?? true else { return try refuse(field, plan) }
            return try write(object[field.name] ?? .null, plan.type, plan, of: field.typeName)
        case .computed(let computed):
            guard permits?(field) ?? true else { return try refuse(field, computed.plan) }
            return try write(outcomes[path] ?? .value(.null), computed.plan, of: field.typeName)
        }
    }

    private mutating func write(
        _ outcome: FieldOutcome, _ plan: ValuePlan, of parentName: String
    ) throws(ResponseTooLong) -> Bool {
        switch outcome {
        case .value(let value, let beside):
            for error in beside { add(error) }
            let isExplained = beside.contains { $0.path == path }
            return try write(value, plan.type, plan, of: parentName, isExplained: isExplained)
        case .written(let bytes, let beside):
            for error in beside { add(error) }
            guard let bytes else {
                if !plan.type.isNonNull { JSONWriter.writeNull(to: &buffer) }
                return !plan.type.isNonNull
            }
            buffer.append(contentsOf: bytes)
            return true
        }
    }

    private mutating func refuse(_ field: ValueField, _ plan: ValuePlan) throws(ResponseTooLong) -> Bool {
        add(
            GraphQLError(
                Refusals.message(field: field.name, type: field.typeName), type: Refusals.errorType, at: path,
                locations: field.locations))
        return try write(.null, plan.type, plan, of: field.typeName, isExplained: true)
    }

    // MARK: Errors

    /// An error of the engine itself: it has a path and no place in the document.
    private mutating func report(_ message: String) {
        add(GraphQLError(message, path: path))
    }

    private mutating func add(_ error: GraphQLError) {
        if errors.count < ValueLimits.errorsMax - 1 {
            errors.append(error)
            errorBytes += error.byteCount
        } else if errors.count == ValueLimits.errorsMax - 1 {
            errors.append(GraphQLError("There are more errors than \(ValueLimits.errorsMax): no others are listed"))
        }
    }
}
