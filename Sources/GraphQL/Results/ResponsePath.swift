import JSON

/// The way to a value in a response: response names and list indexes.
package struct ResponsePath: Sendable, Hashable {
    /// One step of the way.
    package enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// Writes the path as JSON: `["listTodos","items",3]`.
    package func write(to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "["))
        for (index, step) in steps.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            switch step {
            case .name(let name): JSONWriter.writeString(name, to: &buffer)
            case .index(let index): JSONWriter.writeInteger(Int64(index), to: &buffer)
            }
        }
        buffer.append(UInt8(ascii: "]"))
    }
}

extension ResponsePath: CustomStringConvertible {
    /// As messages write it: `/listTodos/items[3]/name`.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .name(let name): text += "/\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
