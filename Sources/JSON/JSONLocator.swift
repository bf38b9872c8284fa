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

    /// The members whose key stands in their object before, in the order of the text: readers keep only the last one.
    package var repeatedKeys: [(path: JSONPath, position: JSONPosition)] {
        text.withUnsafeBytes { bytes in
            var parser = JSONParser(bytes, limits: limits)
            parser.skipByteOrderMark()
            var found: [(path: JSONPath, offset: Int)] = []
            // What is no JSON has no keys: reading says so.
            try? parser.collectRepeatedKeys(at: JSONPath(), into: &found)
            return found.map { ($0.path, JSONPosition(offset: $0.offset, in: bytes)) }
        }
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

    /// Goes over a value. No deeper than a value may nest: the text is read as a whole before.
    fileprivate mutating func collectRepeatedKeys(
        at path: JSONPath, into found: inout [(path: JSONPath, offset: Int)], depth: Int = 0
    ) throws(JSONError) {
        skipSpace()
        guard depth < limits.nestingMax else { return _ = try value() }
        switch current {
        case UInt8(ascii: "{"):
            index += 1
            var seen: Set<[UInt8]> = []
            skipSpace()
            if skip(UInt8(ascii: "}")) { return }
            repeat {
                skipSpace()
                let start = index
                let key = try key()
                if !seen.insert(Array(key.utf8)).inserted { found.append((path.appending(key), start)) }
                try collectRepeatedKeys(at: path.appending(key), into: &found, depth: depth + 1)
                skipSpace()
            } while skip(UInt8(ascii: ","))
            _ = skip(UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            index += 1
            skipSpace()
            if skip(UInt8(ascii: "]")) { return }
            var number = 0
            repeat {
                try collectRepeatedKeys(at: path.appending(number), into: &found, depth: depth + 1)
                number += 1
                skipSpace()
            } while skip(UInt8(ascii: ","))
            _ = skip(UInt8(ascii: "]"))
        default: _ = try value()
        }
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
