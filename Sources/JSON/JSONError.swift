/// Why a text was refused: where, what was expected there, and what was found.
package struct JSONError: Error, Sendable, Equatable {
    /// The kind of error: the text is wrong, or it is only too long or too deep.
    package enum Kind: Sendable, Equatable {
        /// The text is not JSON.
        case syntax
        /// The text may be JSON, but goes beyond a limit.
        case limit
    }

    package let kind: Kind
    package let position: JSONPosition
    package let expected: String
    package let found: String
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        "line \(position.line), column \(position.column): expected \(expected), found \(found)"
    }
}

/// A place in a text, as an editor shows it.
package struct JSONPosition: Sendable, Equatable {
    /// Bytes before it.
    package let offset: Int
    /// Its line, from 1.
    package let line: Int
    /// Its column in Unicode scalars, from 1. A byte order mark is not counted.
    package let column: Int

    /// The position of the byte at that offset. It reads the text up to there, so it is for messages only.
    package init(offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var lineStart = bytes.starts(with: JSONParser.byteOrderMark) ? JSONParser.byteOrderMark.count : 0
        let end = min(offset, bytes.count)
        for index in 0..<end where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
        }
        let before = bytes[min(lineStart, end)..<end]
        self.offset = offset
        self.line = line
        self.column = 1 + before.count { $0 & 0xC0 != 0x80 }
    }
}
