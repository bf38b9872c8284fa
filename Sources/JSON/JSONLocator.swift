/// Finds where a value stands in a text.
///
/// For messages about files that people write: the text is read again for each question, so that reading itself
/// pays nothing for it.
package struct JSONLocator: Sendable {
    private let text: [UInt8]
    private let limits: JSONLimits

    package init(_ text: [UInt8], limits: JSONLimits = .standard) {
        self.text = text
        self.limits = limits
    }

    /// Where the value at that path starts, or nil when the text has none.
    package func position(of path: JSONPath) -> JSONPosition? {
        place(of: path)?.value
    }

    /// Where the key of the member at that path starts, or nil when the text has none, or the path ends in an index.
    package func positionOfKey(_ path: JSONPath) -> JSONPosition? {
        place(of: path)?.key
    }

    private struct Place {
        var key: JSONPosition?
        var value: JSONPosition
    }

    private func place(of path: JSONPath) -> Place? {
        text.withUnsafeBytes { bytes in
            var parser = JSONParser(bytes, limits: limits)
            parser.skipByteOrderMark()
            parser.skipSpace()
            var key: Int?
            for step in path.steps {
                let found: Int?
                switch step {
                case .key(let name):
                    found = try? parser.locate(key: name)
                    key = found
                case .index(let index):
                    found = try? parser.locate(index: index)
                    key = nil
                }
                guard found != nil else { return nil }
                parser.skipSpace()
            }
            return Place(
                key: key.map { JSONPosition(offset: $0, in: bytes) },
                value: JSONPosition(offset: parser.index, in: bytes))
        }
    }
}

extension JSONParser {
    /// Moves from an object to the value of its last member of that name; the answer is where that member's key starts.
    fileprivate mutating func locate(key name: String) throws(JSONError) -> Int? {
        guard skip(UInt8(ascii: "{")) else { return nil }
        var found: (key: Int, value: Int)?
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { break }
            let start = index
            if try key() == name { found = (start, index) }
            _ = try value()
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard let found else { return nil }
        index = found.value
        return found.key
    }

    /// Moves from an array to its element of that index; the answer is where the element starts.
    fileprivate mutating func locate(index wanted: Int) throws(JSONError) -> Int? {
        guard skip(UInt8(ascii: "[")) else { return nil }
        for _ in 0..<max(wanted, 0) {
            _ = try value()
            skipSpace()
            guard skip(UInt8(ascii: ",")) else { return nil }
        }
        skipSpace()
        return current == UInt8(ascii: "]") ? nil : index
    }
}
