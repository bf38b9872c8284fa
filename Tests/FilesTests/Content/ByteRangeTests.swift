import Testing

@testable import Files

@Suite("Ranges of objects")
struct ByteRangeTests {
    @Test(
        "are what the field says",
        arguments: [
            ("bytes=0-4", 10, ByteRange.part(0..<5)), ("bytes=9-9", 10, .part(9..<10)), ("bytes=3-", 10, .part(3..<10)),
            ("bytes=-3", 10, .part(7..<10)), ("bytes=-99", 10, .part(0..<10)), ("bytes=5-99", 10, .part(5..<10)),
            ("BYTES=0-0", 10, .part(0..<1)), ("bytes=0-99999999999999999999999", 10, .part(0..<10)),
            ("bytes=-99999999999999999999999", 10, .part(0..<10)), ("bytes=0-9223372036854775807", 10, .part(0..<10)),
            ("bytes=10-", 10, .unsatisfiable), ("bytes=10-20", 10, .unsatisfiable), ("bytes=-0", 10, .unsatisfiable),
            ("bytes=99999999999999999999999-", 10, .unsatisfiable), ("bytes=0-", 0, .unsatisfiable),
            ("bytes=-1", 0, .unsatisfiable), ("bytes=0-0", 0, .unsatisfiable),
            ("bytes=5-4", 10, .whole), ("bytes=", 10, .whole), ("bytes=-", 10, .whole), ("bytes=a-b", 10, .whole),
            ("bytes=+1-2", 10, .whole), ("bytes=1 - 2", 10, .whole), ("bytes=1", 10, .whole), ("bytes", 10, .whole),
            ("bytes=1-2-3", 10, .whole), ("bytes=--1", 10, .whole), ("lines=0-4", 10, .whole), ("", 10, .whole),
            ("bytes=0-1,3-4", 10, .whole), ("bytes=0-1,", 10, .whole), ("bytes=١-٢", 10, .whole),
        ])
    func areRead(text: String, size: Int, range: ByteRange) {
        #expect(ByteRange(text, size: size) == range)
    }

    @Test("of a copy's source name both ends")
    func ofSource() throws {
        #expect(try ByteRange.ofSource("bytes=0-9", size: 10) == 0..<10)
        #expect(try ByteRange.ofSource("bytes=9-9", size: 10) == 9..<10)
        for text in [
            "bytes=0-10", "bytes=10-10", "bytes=5-4", "bytes=0-", "bytes=-5", "0-4", "bytes=0-4,5-6", "bytes=a-b", "",
        ] {
            #expect(throws: FileError.self, "\(text)") { try ByteRange.ofSource(text, size: 10) }
        }
    }
}
