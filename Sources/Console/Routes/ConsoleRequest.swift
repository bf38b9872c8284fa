import JSON
import Network

/// A request to the console's API that was let in, with what can be asked of it.
package struct ConsoleRequest: Sendable {
    package let request: HTTPRequest
    package let visit: ConsoleVisit
    /// The parts of the path behind the version, decoded.
    package let path: [String]
    package let body: [UInt8]
    /// Who asks, for the audit log.
    package let who: String

    package var loop: EventLoop { request.loop }
    package var head: HTTPRequestHead { request.head }

    /// A parameter of the query.
    package func parameter(_ name: String) -> String? {
        HTTPPercentCoding.parameters(of: request.head.query)
            .first { ByteText($0.name) == ByteText(name) }?.value
    }

    /// A parameter that is a number of a range.
    package func number(_ name: String, default standard: Int, _ range: ClosedRange<Int>) throws(ConsoleError) -> Int {
        guard let text = parameter(name), !text.isEmpty else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest("\(name) is a number from \(range.lowerBound) to \(range.upperBound).", place: name)
        }
        return number
    }

    /// The body's members. None where there is no body.
    package func members() throws(ConsoleError) -> ConsoleInput {
        guard !body.isEmpty else { return ConsoleInput(JSONObject()) }
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.value(of: body) } catch {
            throw .badRequest("The body is no JSON: \(error).")
        }
        guard let object = value.object else { throw .badRequest("The body is an object of JSON.") }
        return ConsoleInput(object)
    }
}

/// The members of a body, taken out with a message where they are something else.
package struct ConsoleInput: Sendable {
    package let object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// The value; nil where there is none, or null.
    package subscript(name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    package func text(_ name: String) throws(ConsoleError) -> String {
        guard let value = try optionalText(name) else { throw .badRequest("\(name) is missing.", place: name) }
        return value
    }

    package func optionalText(_ name: String) throws(ConsoleError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw .badRequest("\(name) is a text, not \(value.kind).", place: name) }
        return text
    }

    package func flag(_ name: String, default standard: Bool = false) throws(ConsoleError) -> Bool {
        guard let value = self[name] else { return standard }
        guard let flag = value.bool else { throw .badRequest("\(name) is true or false.", place: name) }
        return flag
    }

    package func number(
        _ name: String, default standard: Int, _ range: ClosedRange<Int>
    ) throws(ConsoleError) -> Int {
        guard let value = self[name] else { return standard }
        guard let integer = value.integer, let number = Int(exactly: integer), range.contains(number) else {
            throw .badRequest("\(name) is a number from \(range.lowerBound) to \(range.upperBound).", place: name)
        }
        return number
    }

    package func objectMember(_ name: String) throws(ConsoleError) -> JSONObject {
        guard let value = self[name] else { throw .badRequest("\(name) is missing.", place: name) }
        guard let object = value.object else { throw .badRequest("\(name) is an object.", place: name) }
        return object
    }

    package func list(_ name: String, max: Int) throws(ConsoleError) -> [JSONValue]? {
        guard let value = self[name] else { return nil }
        guard let list = value.array else { throw .badRequest("\(name) is a list.", place: name) }
        guard list.count <= max else { throw .badRequest("\(name) has \(max) elements at most.", place: name) }
        return list
    }

    package func texts(_ name: String, max: Int) throws(ConsoleError) -> [String]? {
        guard let list = try list(name, max: max) else { return nil }
        let texts = list.compactMap(\.string)
        guard texts.count == list.count else { throw .badRequest("\(name) is a list of texts.", place: name) }
        return texts
    }
}
