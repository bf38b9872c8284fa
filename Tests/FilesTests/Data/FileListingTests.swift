import Network
import Store
import TestSupport
import Testing

@testable import Files

@Suite("Lists of keys")
struct FileListingTests {
    /// Keys that lie close to each other: letters around the delimiter, and above all others.
    private static func keys(_ count: Int, using random: inout some RandomNumberGenerator) -> [String] {
        let letters = ["a", "b", "/", "0", "ü", "\u{10FFFF}", "-"]
        return Array(
            Set(
                (0..<count).map { _ in
                    (1...Int.random(in: 1...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a"
                    }.joined()
                }))
    }

    /// A page as S3 describes it, computed in the plainest way.
    private static func plain(_ keys: [String], _ listing: FileListing) -> (keys: [String], prefixes: [String]) {
        var (shown, prefixes): ([String], [String]) = ([], [])
        for key in keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard key.utf8.starts(with: listing.prefix.utf8) else { continue }
            if let folded = FileListing.folded(key, listing.prefix, listing.delimiter) {
                guard listing.after.utf8.lexicographicallyPrecedes(folded.utf8), prefixes.last != folded else {
                    continue
                }
                prefixes.append(folded)
            } else if listing.after.utf8.lexicographicallyPrecedes(key.utf8) {
                shown.append(key)
            }
        }
        return (shown, prefixes)
    }

    @Test("pages show every key once, in the order of bytes, and each folded prefix once")
    func pages() async throws {
        var random = SeededRandom(test: "FileListingTests")
        let files = try await TestFiles()
        let keys = Self.keys(200, using: &random)
        try await files.service.makeReady(on: files.loop)
        try await files.service.write { writing throws(FileError) in
            for (number, key) in keys.enumerated() {
                let object = StoredObject(
                    file: FileNumber(Int64(number) + 1), size: 1, tag: "t", modified: 0, content: ObjectContent(),
                    checksum: nil, sum: 0)
                _ = try writing.put(object, TestFiles.bucket, key, if: { _ in })
            }
            return ((), [])
        }
        let reader = try files.store.readerBeside()
        for prefix in ["", "a", "a/", "b-", "\u{10FFFF}", "ü", "zzz"] {
            for delimiter in [nil, "/", "-", "b/"] {
                for max in [1, 3, 1_000] {
                    var listing = FileListing(bucket: TestFiles.bucket, prefix: prefix)
                    (listing.delimiter, listing.max) = (delimiter, max)
                    let expected = Self.plain(keys, listing)
                    var (shown, prefixes): ([String], [String]) = ([], [])
                    for _ in 0...keys.count {
                        let page = try listing.page(from: reader)
                        #expect(page.entries.count + page.prefixes.count <= max)
                        shown += page.entries.map(\.key)
                        prefixes += page.prefixes
                        guard let last = page.last else { break }
                        listing.after = last
                    }
                    #expect(shown == expected.keys, "\(prefix) \(delimiter ?? "-") \(max)")
                    #expect(prefixes == expected.prefixes, "\(prefix) \(delimiter ?? "-") \(max)")
                }
            }
        }
        try await files.stop()
    }

    @Test("a page of another bucket shows nothing of this one")
    func buckets() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        try client.call("PUT", "/public/a", body: [1])
        #expect(try client.call("PUT", "", bucket: "another").status == 200)
        let list = try client.call("GET", "?list-type=2", bucket: "another")
        #expect(list.status == 200 && list.element("KeyCount") == "0")
        try await files.stop()
    }
}
