import GraphQL
import JSON

/// Whether values are what a schema's types say, and the form in which records keep them.
///
/// Values are those of records, not those of requests: AWSJSON is the value itself and not a text that holds it, and
/// a list is a list.
package struct ValueCheck: Sendable {
    private let blueprint: Blueprint

    package init(_ blueprint: Blueprint) {
        self.blueprint = blueprint
    }

    /// The value as a record keeps it. Recursion goes as deep as the value, which JSON's reader bounds.
    package func stored(_ value: JSONValue, as type: StoredType) throws(ValueProblem) -> JSONValue {
        try stored(value, type.reference.name.text, type.reference.wrapping)
    }

    private func stored(
        _ value: JSONValue, _ typeName: String, _ wrapping: TypeWrapping
    ) throws(ValueProblem) -> JSONValue {
        if value.isNull {
            guard !wrapping.isNonNull else { throw ValueProblem("a value is required, found null") }
            return .null
        }
        if wrapping.isList {
            guard case .array(let elements) = value else { throw ValueProblem("expected a list, found \(value.kind)") }
            var checked: [JSONValue] = []
            checked.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                do throws(ValueProblem) {
                    checked.append(try stored(element, typeName, wrapping.item))
                } catch { throw error.inside("[\(index)]") }
            }
            return .array(checked)
        }
        if ScalarKind.isScalar(typeName) { return try scalar(value, typeName) }
        guard let type = blueprint.type(named: typeName) else { return value }
        switch type.kind {
        case .enumeration: return try enumeration(value, type)
        case .object: return try object(value, type)
        case .interface, .union, .input, .scalar: return value
        }
    }

    private func scalar(_ value: JSONValue, _ name: String) throws(ValueProblem) -> JSONValue {
        switch name {
        case "AWSJSON": return value
        case "BigInt":
            guard case .integer = value else { throw ValueProblem("expected an integer, found \(value.kind)") }
            return value
        default: break
        }
        guard let coercion = Scalars.all[name == "Double" ? "Float" : name] else { return value }
        do throws(ScalarError) {
            return try coercion.parseValue(value)
        } catch {
            throw ValueProblem(error.message)
        }
    }

    private func enumeration(_ value: JSONValue, _ type: CustomType) throws(ValueProblem) -> JSONValue {
        guard case .string(let name) = value else {
            throw ValueProblem("expected a value of the enum \(type.name), found \(value.kind)")
        }
        guard !type.values.contains(where: { $0.name.text == name }) else { return value }
        throw ValueProblem(
            "\"\(name)\" is no value of the enum \(type.name)."
                + Suggestions.didYouMean(name, among: type.values.map(\.name.text)))
    }

    private func object(_ value: JSONValue, _ type: CustomType) throws(ValueProblem) -> JSONValue {
        guard case .object(let members) = value else {
            throw ValueProblem("expected an object of \(type.name), found \(value.kind)")
        }
        var checked = JSONObject()
        for member in members {
            guard let field = type.fields.first(where: { $0.name == member.key }) else {
                throw ValueProblem(
                    "\(type.name) has no field \"\(member.key)\"."
                        + Suggestions.didYouMean(member.key, among: type.fields.map(\.name)))
            }
            do throws(ValueProblem) {
                checked.set(member.key, to: try stored(member.value, field.typeName, field.type.wrapping))
            } catch { throw error.inside(".\(field.name)") }
        }
        for field in type.fields where field.isRequired && field.resolver == nil && members[field.name] == nil {
            throw ValueProblem("a value is required, found none").inside(".\(field.name)")
        }
        return .object(checked)
    }
}

/// Why a value is not one of a type.
package struct ValueProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in the value: `.lines[2].text`; empty for the whole.
    package let place: String
    /// What was expected and what was found.
    package let message: String

    package init(_ message: String, place: String = "") {
        self.message = message
        self.place = place
    }

    fileprivate func inside(_ step: String) -> ValueProblem { ValueProblem(message, place: step + place) }

    package var description: String { place.isEmpty ? message : "\(place): \(message)" }

    /// `Did you mean "title"?` with a space before it, or nothing.
    package static func suggestion(for name: String, among names: some Sequence<String>) -> String {
        Suggestions.didYouMean(name, among: names)
    }
}
