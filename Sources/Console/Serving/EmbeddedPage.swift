import CConsolePage
import Crypto
import Synchronization

/// The page as the program carries it. Nothing of it is touched before somebody looks.
///
/// The files have one hash together, which stands in their paths: a browser keeps them for as long as it likes.
final class EmbeddedPage: Sendable {
    private let made = Mutex<[String: Answered]>([:])
    /// The hash of all files.
    let hash: String

    /// A file as it is answered: compressed once, with the tag by which a browser asks whether it has changed.
    struct Answered: Sendable {
        let type: String
        let tag: String
        let bytes: [UInt8]
        /// The same as gzip has it; nil where it is no smaller.
        let compressed: [UInt8]?
    }

    /// Hexadecimal digits of the hash that stand in paths.
    private static let hashDigits = 16

    init() {
        var all: [UInt8] = []
        for file in Self.embedded {
            all += Array(file.name.utf8) + [0]
            all += Digest.sha256.of(Array(file.bytes))
        }
        hash = String(Hexadecimal.text(of: Digest.sha256.of(all)).prefix(Self.hashDigits))
    }

    /// A file of that name.
    func file(_ name: String, base: String) -> Answered? {
        made.withLock { made in
            if let known = made[name] { return known }
            guard let type = PageFile.type(of: name),
                let found = Self.embedded.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
            else { return nil }
            let bytes = PageBase.written(base, into: Array(found.bytes), of: name)
            let answered = Answered(
                type: type, tag: "\"\(Hexadecimal.text(of: Digest.sha256.of(bytes)).prefix(Self.hashDigits))\"",
                bytes: bytes, compressed: PageFile(name: name, bytes: bytes).compressed)
            made[name] = answered
            return answered
        }
    }

    private static var embedded: [(name: String, bytes: UnsafeBufferPointer<UInt8>)] {
        (0..<homeport_page_count).compactMap { place in
            guard let file = homeport_page_file_at(place), let name = file.pointee.name else { return nil }
            return (
                String(cString: name),
                UnsafeBufferPointer(start: file.pointee.bytes, count: Int(clamping: file.pointee.count))
            )
        }
    }
}
