import Testing

@testable import Moving

@Suite("The name of a table")
struct AmplifyTableTests {
    static let cases: [(name: String, model: String?)] = [
        ("Post-abcdefghijklmnopqrstuvwxyz-dev", "Post"),
        ("My-Post-abcdefghijklmnopqrstuvwx12-NONE", "My-Post"),
        ("AmplifyDataStore-abcdefghijklmnopqrstuvwxyz-dev", "AmplifyDataStore"),
        ("Post", nil), ("Post-dev", nil), ("Post-abc-dev", nil), ("-abcdefghijklmnopqrstuvwxyz-dev", nil),
        ("Post-ABCDEFGHIJKLMNOPQRSTUVWXYZ-dev", nil),
    ]

    @Test("says its model", arguments: cases)
    func model(name: String, model: String?) {
        #expect(AmplifyTable(name)?.model == model)
    }

    @Test("is found in a path: the last part that is one")
    func path() {
        let name = "Post-abcdefghijklmnopqrstuvwxyz-dev"
        #expect(AmplifyTable.found(in: "/a/\(name)/data/0001.json") == name)
        #expect(AmplifyTable.found(in: "/a/\(name).json.gz") == name)
        #expect(AmplifyTable.found(in: "/a/scan.json") == nil)
    }
}
