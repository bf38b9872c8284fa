import ConsolePage
import Crypto
import JSON
import Network
import Synchronization

/// The page as the program carries it: compressed. Nothing of it is touched before somebody looks.
///
/// The files have one hash together, which stands in their paths: a browser keeps them for as long as it likes.
final class EmbeddedPage: Sendable {
    private let made = Mutex<[ByteText: Answered]>([:])
    private let inflated = Mutex<[ByteText: [UInt8]]>([:])
    private let files: [ByteText: ConsolePage.File]
    /// The hash of all files.
    let hash: String

    /// A file as it is answered, with the tag by which a browser asks whether it has changed.
    struct Answered: Sendable {
        let type: String
        let tag: String
        /// As gzip has it; nil where it is no smaller.
        let compressed: [UInt8]?
        /// As it lies in the folder. Made once somebody asks who takes nothing compressed; nil where the program is damaged.
        let plain: @Sendable () -> [UInt8]?
    }

    /// Hexadecimal digits of the hash that stand in paths.
    private static let hashDigits = 16

    init() {
        var all: [UInt8] = []
        for file in ConsolePage.files {
            all += Array(file.name.utf8) + [0]
            all += file.packed.withUTF8Buffer { Digest.sha256.of(Array($0)) }
        }
        hash = String(Self.tag(of: all))
        files = Dictionary(ConsolePage.files.map { (ByteText($0.name), $0) }) { first, _ in first }
    }

    private static func tag(of bytes: [UInt8]) -> Substring {
        Hexadecimal.text(of: Digest.sha256.of(bytes)).prefix(hashDigits)
    }

    /// A file of that name.
    func file(_ name: String, base: String) -> Answered? {
        made.withLock { made in
            if let known = made[ByteText(name)] { return known }
            guard let type = PageFile.type(of: name), let file = files[ByteText(name)],
                let answered = PageBase.isNamed(in: name) ? index(file, type, base) : carried(file, type)
            else { return nil }
            made[ByteText(name)] = answered
            return answered
        }
    }

    /// A file that is sent as it is carried.
    private func carried(_ file: ConsolePage.File, _ type: String) -> Answered? {
        guard let kept = Self.bytes(of: file) else { return nil }
        return Answered(
            type: type, tag: "\"\(Self.tag(of: kept))\"", compressed: file.isCompressed ? kept : nil
        ) { [self] in plain(file) }
    }

    /// The one that names the folder, which has the hash in it.
    private func index(_ file: ConsolePage.File, _ type: String, _ base: String) -> Answered? {
        guard let bytes = plain(file) else { return nil }
        let written = PageBase.written(base, into: bytes, of: file.name)
        return Answered(
            type: type, tag: "\"\(Self.tag(of: written))\"",
            compressed: PageFile(name: file.name, bytes: written).compressed
        ) { written }
    }

    private func plain(_ file: ConsolePage.File) -> [UInt8]? {
        inflated.withLock { inflated in
            if let known = inflated[ByteText(file.name)] { return known }
            guard let kept = Self.bytes(of: file) else { return nil }
            let plain = file.isCompressed ? Self.inflated(kept, count: file.count) : kept
            inflated[ByteText(file.name)] = plain
            return plain
        }
    }

    private static func bytes(of file: ConsolePage.File) -> [UInt8]? {
        file.packed.withUTF8Buffer { Base64.bytes(of: $0, .standard) }
    }

    /// Never more than the file is said to have.
    private static func inflated(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        guard var inflater = try? Inflater(.gzip) else { return nil }
        var (position, plain) = (0, [UInt8]())
        let progress = bytes.withUnsafeBytes { bytes in
            try? inflater.inflate(bytes, at: &position, into: &plain, upTo: count + 1)
        }
        return progress == .ended && plain.count == count ? plain : nil
    }
}
