extension BenchDocument {
    /// Documents that are made to take long to validate. Each must be validated or refused in well under 50 ms.
    static let bombs: [BenchDocument] = [
        BenchDocument(name: "aliases", text: "{" + (0..<3_700).map { "a\($0): getPost(id: 1) { id } " }.joined() + "}"),
        BenchDocument(
            name: "fields", text: "{ getPost(id: 1) { " + String(repeating: "id ", count: 10_000) + "} }"),
        BenchDocument(
            name: "objects", text: "{" + String(repeating: "getPost(id: 1) { blog { id } } ", count: 1_200) + "}"),
        BenchDocument(
            name: "fragment-maze",
            text: "{ getPost(id: 1) { ...F0 ...G0 } } "
                + (0..<60).map { step in
                    "fragment F\(step) on Post { blog { posts { items { ...F\(step + 1) ...G\(step + 1) } } } } "
                        + "fragment G\(step) on Post { blog { posts { items { ...G\(step + 1) ...F\(step + 1) } } } } "
                }.joined() + "fragment F60 on Post { id } fragment G60 on Post { id }"),
        BenchDocument(
            name: "fragment-everybody",
            text: "{ getPost(id: 1) { ...F0 } } "
                + (0..<80).map { step in
                    "fragment F\(step) on Post { blog { posts { items { \((0..<80).map { "...F\($0) " }.joined()) } } } } "
                }.joined()),
        BenchDocument(
            name: "fragment-everywhere",
            text: "{" + (0..<1_000).map { "a\($0): getPost(id: 1) { ...F id } " }.joined() + "} fragment F on Post { "
                + (0..<900).map { "x\($0): id " }.joined() + "}"),
    ]
}
