import Testing

@testable import Files

@Suite("Contents that are kept")
struct KeptContentsTests {
    private func file(_ number: Int64) -> FileNumber { FileNumber(number) }

    @Test("are those of the files, and no more bytes than may be")
    func bounded() {
        var contents = KeptContents(bytesMax: 1_000)
        for number in 0..<1_000 {
            contents.keep([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100), of: file(Int64(number)))
            #expect(contents.byteCount <= 1_000)
        }
        #expect(contents.content(of: file(999)) == [UInt8](repeating: UInt8(truncatingIfNeeded: 999), count: 100))
        #expect(contents.content(of: file(0)) == nil)
    }

    @Test("stay while they are asked for")
    func asked() {
        var contents = KeptContents(bytesMax: 1_000)
        contents.keep([1, 2, 3], of: file(1))
        for number in 2..<200 {
            contents.keep([UInt8](repeating: 0, count: 100), of: file(Int64(number)))
            #expect(contents.content(of: file(1)) == [1, 2, 3])
        }
        #expect(contents.byteCount <= 1_000)
    }

    @Test("a content that is larger than a half of them is none of them")
    func large() {
        var contents = KeptContents(bytesMax: 1_000)
        contents.keep([UInt8](repeating: 0, count: 501), of: file(1))
        #expect(contents.byteCount == 0)
        #expect(contents.content(of: file(1)) == nil)
    }

    @Test("what is kept twice counts once")
    func twice() {
        var contents = KeptContents(bytesMax: 1_000)
        for _ in 0..<3 { contents.keep([UInt8](repeating: 0, count: 400), of: file(1)) }
        contents.keep([UInt8](repeating: 0, count: 400), of: file(2))
        contents.keep([UInt8](repeating: 0, count: 400), of: file(1))
        #expect(contents.byteCount == 800)
    }
}
