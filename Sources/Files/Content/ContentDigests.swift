/// The checksums of a body while it comes: MD5, and those that are wanted. Not for several threads at once.
package final class ContentDigests {
    private let streams: [ChecksumStream]
    /// How many bytes have come.
    package private(set) var byteCount = 0

    /// Bytes that one checksum after the other takes, so that they are still in the processor's cache for the last one.
    private static let pieceBytes = 32 << 10

    package init(_ wanted: Set<Checksum> = []) {
        streams = Checksum.allCases.filter { $0 == .md5 || wanted.contains($0) }.map { ChecksumStream($0) }
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        var rest = bytes
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceBytes))
            for stream in streams { stream.update(piece) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        }
    }

    package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The checksums of everything that has come.
    package func finish() -> ContentSums { ContentSums(streams.map { ($0.checksum, $0.finish()) }) }
}

/// Checksums of the same bytes.
package struct ContentSums: Sendable {
    package let all: [(checksum: Checksum, bytes: [UInt8])]

    package init(_ all: [(checksum: Checksum, bytes: [UInt8])]) {
        self.all = all
    }

    package subscript(checksum: Checksum) -> [UInt8]? {
        all.first { $0.checksum == checksum }?.bytes
    }

    package var md5: [UInt8] { self[.md5] ?? [] }
}
