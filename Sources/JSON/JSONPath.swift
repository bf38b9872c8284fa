/// The way to a value inside another one: `auth.apiKeys[0].key`.
package struct JSONPath: Sendable, Equatable {
    /// One step of the way.
    package enum Step: Sendable, Equatable {
        case key(String)
        case index(Int)
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) {
        self.steps = steps
    }

    package func appending(_ key: String) -> JSONPath { JSONPath(steps + [.key(key)]) }
    package func appending(_ index: Int) -> JSONPath { JSONPath(steps + [.index(index)]) }
}

extension JSONPath: CustomStringConvertible {
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
