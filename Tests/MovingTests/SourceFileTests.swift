import Foundation
import Network
import TestSupport
import Testing

@testable import Moving

@Suite("A file of another backend")
struct SourceFileTests {
    private let folder = TemporaryFolder()

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        var deflater = try Deflater(.gzip, level: 9)
        var output: [UInt8] = []
        try bytes.withUnsafeBytes { try deflater.deflate($0, ending: .finish, into: &output) }
        return output
    }

    private func lines(_ bytes: [UInt8]) throws -> [String] {
        let path = folder.file("file")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var lines = SourceLines(try SourceFile(path))
        var found: [String] = []
        while try lines.next({ bytes throws(MovingFault) in found.append(String(decoding: bytes, as: UTF8.self)) }) {}
        return found
    }

    @Test("and others are on the disk when they are settled, and what is not there is said")
    func settled() throws {
        let paths = ["a", "b", "below/c"].map { folder.file($0) }
        try WholeFile.makeFolder(folder.file("below"))
        for path in paths {
            let file = try PlainFile(path)
            try file.append(Array("bytes".utf8))
            try file.finish(isOnDisk: false)
        }
        try WholeFile.settle(paths)
        try WholeFile.settle([])
        #expect { try WholeFile.settle(paths + [folder.file("gone")]) } throws: { error in
            "\(error)".contains("gone")
        }
    }

    @Test("is read as it is, or as a gzip of one or several members")
    func forms() throws {
        #expect(try lines(Array("a\nb\n\nc".utf8)) == ["a", "b", "", "c"])
        #expect(try lines(try gzip(Array("a\nb\n".utf8)) + gzip(Array("c\n".utf8))) == ["a", "b", "c"])
        #expect(try lines([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == [])
        #expect(try lines([]) == [])
    }

    @Test("that is cut off, damaged or no file is refused")
    func faults() throws {
        let whole = try gzip(Array(String(repeating: "line\n", count: 10_000).utf8))
        #expect { try lines(Array(whole.dropLast(8))) } throws: { "\($0)".contains("the gzip is cut off after") }
        var damaged = whole
        damaged[damaged.count / 2] ^= 0xFF
        #expect(throws: MovingFault.self) { try lines(damaged) }
        #expect { try SourceFile("/nowhere") } throws: { "\($0)".contains("/nowhere: it cannot be read: No such file") }
        #expect { try SourceFile(folder.path) } throws: { "\($0)".contains("it is no file") }
        #expect { try FolderWalk.names(in: "/nowhere") } throws: { "\($0)".contains("/nowhere: it cannot be read") }
    }

    @Test("has lines of a bounded length, and a gzip becomes a bounded number of bytes")
    func limits() throws {
        let long = [UInt8](repeating: 0x61, count: MovingLimits.elementBytesMax + 2 * MovingLimits.pieceBytes)
        #expect { try lines(long).count } throws: { "\($0)".contains("file:1: a line has at most") }
        // A gzip of one letter is near to what DEFLATE can do at most.
        let bomb = try gzip([UInt8](repeating: 0x61, count: 6 << 20))
        #expect { try lines(bomb).count } throws: { "\($0)".contains("the gzip becomes more than") }
    }
}
