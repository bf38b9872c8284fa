import Access
import Glibc
import JSON

/// Takes a form with a file (`multipart/form-data`, RFC 7578) apart. It gives the fields first, and then hands on the file.
///
///     boundary ─▶ lines of a part ─▶ value ─▶ boundary ─▶ … ─▶ lines of the file ─▶ its bytes ─▶ boundary ─▶ nothing more
///
/// The file is the last part; what is behind it is not looked at.
package final class FormBody: BodyMachine {
    private enum State {
        /// The boundary that the form begins with.
        case beginning
        case line
        case value
        case file
        /// Behind the boundary that ends a value, or the file.
        case boundaryEnd
        case ended
    }

    /// The fields, as soon as the file begins.
    package private(set) var fields: FormFields?

    /// What ends a value: a line's end and the boundary.
    private let delimiter: [UInt8]
    var failure: FileError?
    private var state = State.beginning
    private var line = LineBuffer()
    /// How much of the delimiter the last bytes were.
    private var matched = 0
    /// What has come behind a boundary.
    private var ending: [UInt8] = []
    private var part = FormPart()
    private var lineCount = 0
    private var value: [UInt8] = []
    private var collected: [FormFields.Field] = []
    private var names: Set<ByteText> = []
    private var fieldBytes = 0

    /// - Parameter contentType: the value of the field, which names the boundary.
    package init(contentType: String) throws(FileError) {
        guard let type = FormParameters(contentType), type.value.inLowerCaseASCII == "multipart/form-data",
            let boundary = type["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), boundary.utf8.last != UInt8(ascii: " ")
        else { throw Self.malformed("it names no boundary") }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    static let cutOff = "the form ended before its file did"

    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    func step(
        _ bytes: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> Bool {
        switch state {
        case .beginning:
            guard let line = try takeLine(&bytes, max: delimiter.count) else { return false }
            guard line == delimiter.dropFirst(2) else { throw Self.malformed("it does not begin with its boundary") }
            beginPart()
        case .line:
            guard let line = try takeLine(&bytes, max: FileLimits.formLineBytesMax) else { return false }
            try takePartLine(line)
        case .value:
            let isEnded = try takeContent(&bytes) { piece throws(FileError) in
                value.append(contentsOf: piece)
                fieldBytes += piece.count
                guard value.count <= FileLimits.formFieldBytesMax else { throw Self.tooMuch }
                guard fieldBytes <= FileLimits.formBytesMax else { throw Self.tooMuch }
            }
            guard isEnded else { return false }
            try endField()
        case .file:
            guard try takeContent(&bytes, take) else { return false }
            state = .boundaryEnd
        case .boundaryEnd:
            guard !bytes.isEmpty else { return false }
            ending.append(bytes[0])
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            try endBoundary()
        case .ended:
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return false
        }
        return true
    }

    // MARK: Parts

    private static let close = Array("--".utf8)
    private static let lineEnd = Array("\r\n".utf8)
    private static let noFile = FileError.invalidArgument("POST requires exactly one file upload per request.")
        .with("ArgumentName", "file")
    private static let tooMuch = FileError(
        400, "MaxPostPreDataLengthExceeded", "Your POST request fields preceding the upload file were too large.")

    private static func malformed(_ what: String) -> FileError {
        FileError(
            400, "MalformedPOSTRequest",
            "The body of your POST request is not well-formed multipart/form-data: \(what).")
    }

    private func beginPart() {
        part = FormPart()
        lineCount = 0
        state = .line
    }

    private func takePartLine(_ line: ArraySlice<UInt8>) throws(FileError) {
        lineCount += 1
        fieldBytes += line.count
        guard lineCount <= FileLimits.formLinesMax, fieldBytes <= FileLimits.formBytesMax else { throw Self.tooMuch }
        guard line.isEmpty else {
            guard let text = String(validating: line, as: UTF8.self), let colon = text.utf8.firstIndex(of: 0x3A) else {
                throw Self.malformed("a part has a line that is no field")
            }
            return try takePartField(
                String(text[..<colon]).inLowerCaseASCII, String(text[text.utf8.index(after: colon)...]))
        }
        guard let name = part.name else { throw Self.malformed("a part has no name") }
        guard names.add(name) else { throw .invalidArgument("The form has the field '\(name)' more than once.") }
        guard name == "file" else {
            guard collected.count < FileLimits.formFieldsMax else { throw Self.tooMuch }
            state = .value
            return
        }
        fields = FormFields(collected, fileName: part.fileName, fileType: part.type)
        state = .file
    }

    private func takePartField(_ name: String, _ value: String) throws(FileError) {
        switch name {
        case "content-disposition":
            guard part.name == nil, let disposition = FormParameters(value),
                disposition.value.inLowerCaseASCII == "form-data", let name = disposition["name"]
            else { throw Self.malformed("a part is no field of a form") }
            part.name = name.inLowerCaseASCII
            part.fileName = disposition["filename"]
        case "content-type":
            guard part.type == nil else { throw Self.malformed("a part has two types") }
            part.type = value.trimmingBlanks
        default: break
        }
    }

    private func endField() throws(FileError) {
        let name = part.name ?? ""
        guard let text = String(validating: value, as: UTF8.self) else {
            throw Self.malformed("the field '\(name)' is not UTF-8")
        }
        collected.append(FormFields.Field(name: name, value: text))
        value.removeAll()
        state = .boundaryEnd
    }

    /// Behind a boundary comes another part, or the form's end.
    private func endBoundary() throws(FileError) {
        guard ending.count == 2 else { return }
        defer { ending.removeAll() }
        guard ending == Self.close || ending == Self.lineEnd else { throw Self.malformed("a boundary does not end") }
        if fields != nil {
            state = .ended
        } else if ending == Self.close {
            throw Self.noFile
        } else {
            beginPart()
        }
    }

    // MARK: Bytes

    /// A line without its end; nil when more bytes are needed.
    private func takeLine(_ bytes: inout UnsafeRawBufferPointer, max: Int) throws(FileError) -> ArraySlice<UInt8>? {
        switch line.take(&bytes, max: max) {
        case .needMore: return nil
        case .tooLong: throw Self.malformed("a line has more than \(max) bytes")
        case .line(let line):
            guard line.suffix(2).elementsEqual(Self.lineEnd) else { throw Self.malformed("a line feed stands alone") }
            return line.dropLast(2)
        }
    }

    /// Hands on what stands before the delimiter; whether it has come to that. Hot path: what is no delimiter is found by the
    /// carriage return that one begins with, which it has nowhere else.
    private func takeContent(
        _ bytes: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> Bool {
        /// What of the delimiter was in the pieces before this one.
        var carried = matched
        var index = 0
        while index < bytes.count {
            if matched == 0 {
                guard let start = bytes.baseAddress,
                    let place = memchr(start + index, Int32(delimiter[0]), bytes.count - index)
                else { break }
                index = start.distance(to: place) + 1
                matched = 1
            } else if bytes[index] == delimiter[matched] {
                index += 1
                matched += 1
                guard matched == delimiter.count else { continue }
                try hand(on: bytes[..<(index - matched + carried)], take)
                matched = 0
                bytes = UnsafeRawBufferPointer(rebasing: bytes[index...])
                return true
            } else {
                if carried > 0 {
                    try delimiter[..<carried].withUnsafeBufferPointer { start throws(FileError) in
                        try take(UnsafeRawBufferPointer(start))
                    }
                    carried = 0
                }
                matched = 0
            }
        }
        try hand(on: bytes.dropLast(matched - carried), take)
        bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        return false
    }

    private func hand(
        on bytes: Slice<UnsafeRawBufferPointer>, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        if !bytes.isEmpty { try take(UnsafeRawBufferPointer(rebasing: bytes)) }
    }
}

/// What the lines of a form's part say.
private struct FormPart {
    /// In lower case.
    var name: String?
    var fileName: String?
    var type: String?
}
