/// A place in a file. Line and column count from 1, `offset` from 0; column and offset in UTF-16 units.
package struct Place: Equatable, Sendable {
    package var line: Int32
    package var column: Int32
    package var offset: Int32

    package init(line: Int32, column: Int32, offset: Int32) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    package static let start = Place(line: 1, column: 1, offset: 0)
}

/// A place, and the file that it is in.
package struct SourcePlace: Equatable, Sendable {
    package let file: String
    package let place: Place
}

/// A part of a file's text, for functions and classes that are asked for their text.
package struct PlaceRange: Sendable {
    package var start: Int32
    package var end: Int32

    package init(start: Int32, end: Int32) {
        self.start = start
        self.end = end
    }
}
