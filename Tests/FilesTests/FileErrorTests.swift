import Testing

@testable import Files

@Suite("Refusals of files")
struct FileErrorTests {
    @Test("carry what they are about, and why for the log alone")
    func carriesDetails() {
        let error = FileError.noSuchKey.with("Key", "a/b").because("no record")
        #expect(error.status.code == 404)
        #expect(error.details == [.init(name: "Key", value: "a/b")])
        #expect(error.reason == "no record")
        #expect(!error.message.contains("record"))
    }
}
