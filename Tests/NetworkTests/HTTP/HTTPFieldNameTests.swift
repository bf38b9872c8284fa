import Testing

@testable import Network

@Suite("Names of fields")
struct HTTPFieldNameTests {
    private static func fields(_ names: [String]) throws -> HTTPFields {
        var bytes = Array((names.map { "\($0): of \($0)\r\n" }.joined() + "\r\n").utf8)
        let entries = try HTTPFieldParser.parse(&bytes, from: 0, fieldsMax: names.count)
        return HTTPFields(storage: bytes, entries: entries)
    }

    /// More names than there are bits, so that several share one.
    private static let names = (0..<150).map { "x-\(String(repeating: "a", count: $0 / 30))\($0)" }

    @Test("each of many fields is found by its name, and none by another")
    func finds() throws {
        let (there, missing) = (
            Self.names.filter { $0.utf8.count % 2 == 0 }, Self.names.filter { $0.utf8.count % 2 == 1 }
        )
        let fields = try Self.fields(there)
        for name in there {
            #expect(fields.values(of: name) == ["of \(name)"])
            var found: [String] = []
            Array(name.utf8).withUnsafeBytes {
                fields.forEachText(of: $0) { found.append(String(decoding: $0, as: UTF8.self)) }
            }
            #expect(found == ["of \(name)"])
        }
        for name in missing { #expect(fields.values(of: name).isEmpty) }
    }

    @Test("what one field has is told by each question")
    func answers() throws {
        let fields = try Self.fields(["Accept"])
        #expect(
            fields.contains("accept") && fields["accept"] == "of Accept"
                && fields.values(of: "accept" as StaticString).count == 1)
        #expect(
            fields.contains(UInt8(ascii: "f"), inValuesOf: "accept") && fields.list("accept", contains: "of accept"))
        // The same length, first and last letter.
        #expect(!fields.contains("axxxxt") && fields["axxxxt"] == nil && !fields.list("axxxxt", contains: "of accept"))
        #expect(!HTTPFields().contains("accept"))
    }

    @Test(
        "digits are those of the number, with zeros before them where they are to be more",
        arguments: [
            (0 as UInt64, 1, "0"), (9, 1, "9"), (10, 1, "10"), (7, 3, "007"), (1_234, 3, "1234"),
            (.max, 1, "18446744073709551615"),
        ])
    func digits(number: UInt64, digits: Int, text: String) {
        var bytes = Array("<".utf8)
        bytes.append(piecesOf: BytePieces.decimalMax) { $0.append(decimal: number, digits: digits) }
        #expect(bytes == Array("<\(text)".utf8))
    }
}
