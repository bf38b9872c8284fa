import JSON

/// The elements of the lists in a JSON document, one by one: a page that AWS's command line has joined may be larger than the memory.
///
///     {"Items": [{…}, {…}], "Count": 2}        two elements of `Items`, and `Count` beside
///
/// A file may hold several documents, one behind the other. Only the lists of the outermost object are looked into.
package struct SourceElements: ~Copyable {
    private let file: SourceFile
    private var buffer: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    /// Bytes before the buffer.
    private var offset = 0
    private var state = State.between
    /// The elements that came.
    package private(set) var count = 0
    /// The members of the last document beside its lists.
    package private(set) var others = JSONObject()

    private enum State {
        /// Before a document.
        case between
        /// Within its object, before a name or the end.
        case members
        /// Within a list, before an element or the end. A list that is a document by itself has no name.
        case list(String?)
    }

    package init(_ file: SourceFile) {
        self.file = file
    }

    /// Hands the next element to the closure, with the name of its list: empty for a list, or an object with no list, that is the document
    /// itself. False at the end.
    package mutating func next(
        _ body: (String, UnsafeRawBufferPointer) throws(MovingFault) -> Void
    ) throws(MovingFault) -> Bool {
        while true {
            switch state {
            case .between:
                guard let byte = try peek() else { return false }
                index += 1
                others = JSONObject()
                switch byte {
                case UInt8(ascii: "{"): state = .members
                case UInt8(ascii: "["): state = .list(nil)
                case 0xEF where offset == 0 && index == 1: try take(0xBB); try take(0xBF)
                default: throw unexpected("a JSON object or list")
                }
            case .members: try readMember()
            case .list(let name):
                guard let byte = try peek() else { throw unexpected("an element") }
                if byte == UInt8(ascii: ",") {
                    index += 1
                } else if byte == UInt8(ascii: "]") {
                    index += 1
                    state = name == nil ? .between : .members
                } else {
                    let range = try value()
                    count += 1
                    index = range.upperBound
                    try buffer.span.withUnsafeBytes { bytes throws(MovingFault) in
                        try body(name ?? "", UnsafeRawBufferPointer(rebasing: bytes[range]))
                    }
                    return true
                }
            }
        }
    }

    /// Where the next element stands, for messages.
    package var place: String { "\(file.path), element \(count)" }

    private mutating func readMember() throws(MovingFault) {
        guard let byte = try peek() else { throw unexpected("a name or }") }
        switch byte {
        case UInt8(ascii: ","): index += 1
        case UInt8(ascii: "}"):
            index += 1
            state = .between
        case UInt8(ascii: "\""):
            let nameRange = try value()
            guard let name = json(nameRange)?.string else { throw unexpected("a name") }
            index = nameRange.upperBound
            try take(UInt8(ascii: ":"))
            if try peek() == UInt8(ascii: "[") {
                index += 1
                state = .list(name)
                return
            }
            let range = try value()
            guard range.count <= MovingLimits.memberBytesMax else {
                throw MovingFault(
                    file.path, "the value of \(name) has more than \(MovingLimits.memberBytesMax) bytes")
            }
            guard let value = json(range) else { throw unexpected("a value of \(name)") }
            index = range.upperBound
            others.set(name, to: value)
        default: throw unexpected("a name or }")
        }
    }

    private func json(_ range: Range<Int>) -> JSONValue? { try? JSONReader.value(of: buffer.span.extracting(range)) }

    private mutating func take(_ byte: UInt8) throws(MovingFault) {
        guard try peek() == byte else { throw unexpected("\(Unicode.Scalar(byte))") }
        index += 1
    }

    private func unexpected(_ what: String) -> MovingFault {
        let found = index < buffer.count ? "found something else" : "found the end"
        return MovingFault(
            isAtEnd && index >= buffer.count ? .unreadable : .unexpected, file.path,
            "byte \(offset + index + 1): expected \(what), \(found)")
    }

    /// The next byte that is no white space; nil at the end.
    private mutating func peek() throws(MovingFault) -> UInt8? {
        while true {
            while index < buffer.count {
                let byte = buffer[index]
                guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
                index += 1
            }
            guard try readMore() else { return nil }
        }
    }

    /// False at the end.
    private mutating func readMore() throws(MovingFault) -> Bool {
        guard !isAtEnd else { return false }
        buffer.removeFirst(index)
        offset += index
        index = 0
        guard buffer.count <= MovingLimits.elementBytesMax else {
            throw MovingFault(
                file.path,
                "byte \(offset + 1): an element has at most \(MovingLimits.elementBytesMax) bytes")
        }
        isAtEnd = try !file.read(into: &buffer)
        return !isAtEnd || index < buffer.count
    }

    /// Where the next value lies, all of it in the buffer. What is within it is checked by its reader.
    private mutating func value() throws(MovingFault) -> Range<Int> {
        guard try peek() != nil else { throw unexpected("a value") }
        var scan = ValueScan()
        // Counted from the value's first byte, since reading on moves the buffer.
        var length = 0
        while true {
            let end = buffer.span.withUnsafeBytes { bytes in
                scan.end(of: UnsafeRawBufferPointer(rebasing: bytes[(index + length)...]))
            }
            if let end {
                guard length + end > 0 else { throw unexpected("a value") }
                return index..<(index + length + end)
            }
            length = buffer.count - index
            guard try readMore() else {
                guard scan.isScalar else { throw unexpected("the end of a value") }
                return index..<buffer.count
            }
        }
    }
}

/// Finds the end of a JSON value in bytes that come piece by piece.
private struct ValueScan {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var isBegun = false
    /// True for a number or word so far, which the end of the file ends too.
    private(set) var isScalar = false

    /// How many of these bytes belong to the value; nil where all of them do and more may.
    mutating func end(of bytes: UnsafeRawBufferPointer) -> Int? {
        for (place, byte) in bytes.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    if depth == 0 { return place + 1 }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                if isScalar { return place }
                isInText = true
                isBegun = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isBegun = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0, isBegun { return place }
            default:
                if depth == 0 { isScalar = true }
                isBegun = true
            }
        }
        return nil
    }
}
