import Testing

@testable import Files

@Suite("Where copies come from")
struct CopySourceTests {
    @Test(
        "is a bucket and a key, however a client escapes them",
        arguments: [
            ("app/a/b.txt", "app", "a/b.txt"), ("/app/a/b.txt", "app", "a/b.txt"), ("app/a%20b%2Bc", "app", "a b+c"),
            ("app%2Fa%2Fb", "app", "a/b"), ("%2Fapp%2Fa", "app", "a"), ("/app%2Fa", "app", "a"),
            ("app/a%2Fb", "app", "a/b"),
            ("app/a+b", "app", "a+b"), ("app/100%.txt", "app", "100%.txt"), ("app/ü", "app", "ü"),
            ("app/%C3%BC", "app", "ü"), ("app/%FF", "app", "%FF"), ("app/a?versionId=null", "app", "a"),
            ("app/a?b", "app", "a?b"), ("app//a", "app", "/a"), ("app/../b", "app", "../b"),
        ])
    func isABucketAndAKey(text: String, bucket: String, key: String) {
        let source = CopySource(text)
        #expect(source?.bucket == bucket)
        #expect(source?.key == key)
    }

    @Test(
        "is nothing without both",
        arguments: ["", "/", "app", "/app", "app/", "/app/", "//a", "%2F", "app%2F", "app/a%00"])
    func isNothing(text: String) {
        #expect(CopySource(text) == nil)
    }
}
