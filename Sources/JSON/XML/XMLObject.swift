/// XML as JSON, as AppSync makes it (`util.xml.toMap`, the answers of `@http`):
///
///     <posts><post id="1">a</post><post>2</post></posts>
///     {"posts":{"post":[{"id":1,"content":"a"},2]}}
///
/// Attributes and child elements are members, several of one name an array, text beside them is `content`; an element
/// that is only text is that text. What looks like a number, a boolean or null becomes one, but in `<![CDATA[ ]]>`.
package enum XMLObject {
    /// An element whose end has not come yet.
    private struct Open {
        let name: String
        var members = JSONObject()
    }

    /// The elements of a document; none: it has none.
    ///
    /// - Parameters:
    ///   - depthMax: how often elements may contain each other.
    ///   - failing: words a fault.
    ///   - counting: is called for each element, attribute and text.
    package static func value<Failure: Error>(
        of bytes: [UInt8], depthMax: Int, failing: (XMLFault) -> Failure, counting: () throws(Failure) -> Void
    ) throws(Failure) -> JSONObject {
        var result = JSONObject()
        var open: [Open] = []
        var reader: XMLEventReader
        do throws(XMLFault) {
            reader = try XMLEventReader(bytes, XMLEventReader.Rules(.lenient, depthMax: depthMax))
        } catch { throw failing(error) }
        while true {
            let event: XMLEvent?
            do throws(XMLFault) { event = try reader.next() } catch { throw failing(error) }
            guard let event else { return result }
            try counting()
            switch event {
            case .start(let name): open.append(Open(name: name))
            case .attribute(let name, let text): add(value(of: text), as: name, to: &open, else: &result)
            case .text(let text, let isLiteral):
                add(isLiteral ? .string(text) : value(of: text), as: "content", to: &open, else: &result)
            case .end:
                guard let element = open.popLast() else { break }
                add(value(of: element), as: element.name, to: &open, else: &result)
            }
        }
    }

    /// A complete element.
    private static func value(of element: Open) -> JSONValue {
        guard !element.members.isEmpty else { return "" }
        if element.members.count == 1, let content = element.members["content"] { return content }
        return .object(element.members)
    }

    /// Makes a value a member of the innermost open element, or of the document; of several with one name an array.
    private static func add(
        _ value: JSONValue, as name: String, to open: inout [Open], else result: inout JSONObject
    ) {
        if open.isEmpty {
            accumulate(value, as: name, in: &result)
        } else {
            accumulate(value, as: name, in: &open[open.count - 1].members)
        }
    }

    private static func accumulate(_ value: JSONValue, as name: String, in object: inout JSONObject) {
        switch object[name] {
        case nil: object.set(name, to: value)
        case .array(var elements)?:
            // Taken out while it grows, so that it is not copied for each element.
            object.set(name, to: .null)
            elements.append(value)
            object.set(name, to: .array(elements))
        case let first?: object.set(name, to: .array([first, value]))
        }
    }

    /// A text as the value that it looks like. Digits are a number unless a zero is before them.
    private static func value(of text: String) -> JSONValue {
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        case "null": return .null
        default: break
        }
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isDigit,
            let value = try? JSONReader.value(of: text), value.number != nil
        else { return .string(text) }
        return value
    }
}
