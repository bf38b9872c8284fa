import Testing

@testable import Crypto

@Suite("UUIDs")
struct UUIDTextTests {
    @Test("random ones have the version 4 and its variant, and differ")
    func random() {
        let all = (0..<100).map { _ in UUIDText.random() }
        for text in all {
            let bytes = Array(text.utf8)
            #expect(UUIDText.isOne(text) && bytes[14] == UInt8(ascii: "4"), "\(text)")
            #expect("89ab".utf8.contains(bytes[19]), "\(text)")
        }
        #expect(Set(all.map { Array($0.utf8) }).count == 100)
    }

    @Test(
        "texts of another form are none",
        arguments: [
            "", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-00000000000G",
            "00000000-0000-4000-8000-00000000000A", "00000000-00004-000-8000-000000000000",
            "00000000-0000-4000-8000-000000000000-",
        ])
    func others(text: String) { #expect(!UUIDText.isOne(text)) }
}
