import Testing

@testable import Files

/// A form, and what has to become of it.
struct FormCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Equatable {
        case taken([FormFields.Field], [UInt8])
        case refused(String)
    }

    let name: String
    let bytes: [UInt8]
    let boundary: String
    var fields: [FormFields.Field] = []
    var file: [UInt8] = []
    var code = ""
    /// How many bytes stand behind the first one that says that the file has ended.
    var behind = 0

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], boundary: String) {
        (self.name, self.bytes, self.boundary) = (name, bytes, boundary)
    }

    func outcome(cutting pieces: [ArraySlice<UInt8>]) -> Outcome {
        var file: [UInt8] = []
        do throws(FileError) {
            let form = try FormBody(contentType: "multipart/form-data; boundary=\"\(boundary)\"")
            for piece in pieces { try form.read(Array(piece)) { file.append(contentsOf: $0) } }
            try form.finish()
            return .taken(form.fields?.all ?? [], file)
        } catch {
            return .refused(error.code)
        }
    }

    private static func taken(
        _ name: String, _ text: String, _ fields: [(String, String)], _ file: String, behind: Int = 2
    ) -> FormCase {
        var form = FormCase(name, Array(text.utf8), boundary: "B")
        form.fields = fields.map { .init(name: $0.0, value: $0.1) }
        form.file = Array(file.utf8)
        form.behind = behind
        return form
    }

    private static func refused(_ name: String, _ text: String, _ code: String = "MalformedPOSTRequest") -> FormCase {
        var form = FormCase(name, Array(text.utf8), boundary: "B")
        form.code = code
        return form
    }

    private static func field(_ name: String, _ value: String) -> String {
        "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }

    private static func file(_ content: String = "hello") -> String {
        "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n\(content)\r\n"
    }

    static let accepted: [FormCase] = [
        taken("a field and a file", field("key", "a") + file() + "--B--\r\n", [("key", "a")], "hello"),
        taken("no line end at the end", field("key", "a") + file() + "--B--", [("key", "a")], "hello", behind: 0),
        taken("a file alone", file() + "--B--\r\n", [], "hello"),
        taken("an empty file", field("key", "a") + file("") + "--B--\r\n", [("key", "a")], ""),
        taken("an empty value", field("key", "") + file() + "--B--\r\n", [("key", "")], "hello"),
        taken(
            "line ends and boundaries in a value",
            field("key", "a\r\n--A\r\r\n--\r\n") + file("\r\n--C--\r\n\r") + "--B--\r\n",
            [("key", "a\r\n--A\r\r\n--\r\n")], "\r\n--C--\r\n\r"),
        taken(
            "names in any case", "--B\r\nCONTENT-DISPOSITION: Form-Data; NAME=KeY\r\n\r\na\r\n" + file() + "--B--\r\n",
            [("key", "a")], "hello"),
        taken(
            "a quote in a name", field("x-amz-meta-\\\"", "a") + file() + "--B--\r\n", [("x-amz-meta-\"", "a")], "hello"
        ),
        taken("letters beyond ASCII", field("key", "日本/ä") + file("ü") + "--B--\r\n", [("key", "日本/ä")], "ü"),
        taken(
            "more lines of a part",
            "--B\r\nContent-Type: text/plain\r\nX-A: b\r\nContent-Disposition: form-data; name=key\r\n\r\na\r\n"
                + file() + "--B--\r\n",
            [("key", "a")], "hello"),
        taken(
            "fields behind the file, which do not count",
            field("key", "a") + file() + field("submit", "x") + "--B--\r\n",
            [("key", "a")], "hello", behind: (field("submit", "x") + "--B--\r\n").utf8.count - 5),
    ]

    static let refused: [FormCase] = [
        refused("something before the boundary", "x--B\r\n"),
        refused("another boundary", "--A\r\n" + String(field("key", "a").dropFirst(4))),
        refused("no lines of a part", "--B\r\n\r\na\r\n--B--\r\n"),
        refused("no name", "--B\r\nContent-Disposition: form-data\r\n\r\na\r\n--B--\r\n"),
        refused("no field of a form", "--B\r\nContent-Disposition: attachment; name=a\r\n\r\na\r\n--B--\r\n"),
        refused(
            "two dispositions",
            "--B\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\na\r\n--B--\r\n"
        ),
        refused(
            "a name twice in one line", "--B\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\na\r\n--B--\r\n"),
        refused("a quote that does not end", "--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\na\r\n--B--\r\n"),
        refused("something behind a quote", "--B\r\nContent-Disposition: form-data; name=\"a\"b\r\n\r\na\r\n--B--\r\n"),
        refused("a line without a colon", "--B\r\nContent-Disposition\r\n\r\na\r\n--B--\r\n"),
        refused("a line feed alone", "--B\nContent-Disposition: form-data; name=a\r\n\r\na\r\n--B--\r\n"),
        refused("a boundary that goes on", "--B\r\nContent-Disposition: form-data; name=a\r\n\r\na\r\n--Bx\r\n"),
        refused("a boundary that goes on behind the file", file() + "--B-x"),
        refused("the end without a file", field("key", "a") + "--B--\r\n", "InvalidArgument"),
        refused("a field twice", field("key", "a") + field("key", "a"), "InvalidArgument"),
        refused("a field twice in another case", field("key", "a") + field("KEY", "b"), "InvalidArgument"),
        refused(
            "a value that is too long", field("key", String(repeating: "a", count: FileLimits.formFieldBytesMax + 1)),
            "MaxPostPreDataLengthExceeded"),
        refused(
            "values that are too long together",
            (0...20).map { field("x\($0)", String(repeating: "a", count: FileLimits.formFieldBytesMax)) }.joined(),
            "MaxPostPreDataLengthExceeded"),
        refused(
            "too many fields", (0...FileLimits.formFieldsMax).map { field("x\($0)", "") }.joined(),
            "MaxPostPreDataLengthExceeded"),
        refused(
            "too many lines", "--B\r\n" + String(repeating: "a: b\r\n", count: FileLimits.formLinesMax + 1),
            "MaxPostPreDataLengthExceeded"),
        refused("a line that is too long", "--B\r\n" + String(repeating: "a", count: FileLimits.formLineBytesMax + 1)),
        binary("a name that is no UTF-8", Array("--B\r\nContent-Disposition: form-data; name=".utf8) + [0xFF, 13, 10]),
        binary(
            "a value that is no UTF-8",
            Array("--B\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8) + [0xFF]
                + Array("\r\n--B\r\n".utf8)),
    ]

    private static func binary(_ name: String, _ bytes: [UInt8]) -> FormCase {
        var form = FormCase(name, bytes, boundary: "B")
        form.code = "MalformedPOSTRequest"
        return form
    }
}
