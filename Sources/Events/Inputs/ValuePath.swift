import JSON

/// A path to one value in another: `$.detail.items[0].name`, `$['a b']`.
package struct ValuePath: Sendable {
    private enum Step: Sendable {
        case member(String)
        case element(Int)
    }

    private let steps: [Step]

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "$") else { return nil }
        var steps: [Step] = []
        var place = 1
        while place < bytes.count {
            guard steps.count < EventLimits.pathStepsMax else { return nil }
            if bytes[place] == UInt8(ascii: ".") {
                let end =
                    bytes[(place + 1)...].firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
                    ?? bytes.count
                guard end > place + 1 else { return nil }
                steps.append(.member(String(decoding: bytes[(place + 1)..<end], as: UTF8.self)))
                place = end
            } else if bytes[place] == UInt8(ascii: "[") {
                guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
                let inner = bytes[(place + 1)..<end]
                if let quote = inner.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
                    guard inner.count > 2, inner.last == quote else { return nil }
                    steps.append(.member(String(decoding: inner.dropFirst().dropLast(), as: UTF8.self)))
                } else {
                    guard let number = Int(String(decoding: inner, as: UTF8.self)), number >= 0 else { return nil }
                    steps.append(.element(number))
                }
                place = end + 1
            } else {
                return nil
            }
        }
        self.steps = steps
    }

    /// Nil: there is none.
    package func value(in root: JSONValue) -> JSONValue? {
        var value = root
        for step in steps {
            let next: JSONValue? =
                switch step {
                case .member(let name): value[name]
                case .element(let number): value[number]
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
