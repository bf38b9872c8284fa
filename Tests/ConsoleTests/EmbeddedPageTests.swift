import ConsolePage
import Foundation
import JSON
import Network
import TestSupport
import Testing

@testable import Console

/// The page in the program is the one that lies in the folder.
@Suite("The embedded page")
struct EmbeddedPageTests {
    private static let folder = repositoryFile("Sources/Console/Page")

    @Test("has the files of the folder and no others, as they are, compressed and not")
    func files() throws {
        let found = FileManager.default.enumerator(atPath: Self.folder)?.compactMap { $0 as? String } ?? []
        let names = found.filter { PageFile.type(of: $0) != nil }.sorted()
        #expect(names.count > 80 && ConsolePage.files.map(\.name).sorted() == names)
        let page = EmbeddedPage()
        for name in names {
            let file = try #require(page.file(name, base: "/x"), "\(name)")
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")))
            let written = PageBase.written("/x", into: bytes, of: name)
            #expect(file.plain() == written, "\(name)")
            guard let compressed = file.compressed else { continue }
            var inflater = try Inflater(.gzip)
            var (position, inflated) = (0, [UInt8]())
            try compressed.withUnsafeBytes {
                _ = try inflater.inflate($0, at: &position, into: &inflated, upTo: written.count + 1)
            }
            #expect(inflated == written, "\(name)")
        }
    }

    @Test("is small: what a browser is sent of all of it, and what the program carries")
    func size() {
        let page = EmbeddedPage()
        let sent = ConsolePage.files.compactMap { page.file($0.name, base: "")?.compressed?.count }.reduce(0, +)
        let carried = ConsolePage.files.reduce(0) { $0 + $1.packed.utf8CodeUnitCount }
        #expect(sent <= 200_000 && carried <= 300_000, "\(sent) sent, \(carried) carried")
    }

    @Test("has nothing of another name", arguments: ["", "nothing.js", "../Console.swift", "frame", "INDEX.HTML"])
    func unknown(name: String) {
        #expect(EmbeddedPage().file(name, base: "") == nil)
    }
}
