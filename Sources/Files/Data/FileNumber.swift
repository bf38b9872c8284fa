/// What a file is called on the disk: the run of the server that made it, and its place there. Never anything that comes from
/// a key.
struct FileNumber: Sendable, Hashable {
    let raw: Int64

    init(_ raw: Int64) { self.raw = raw }

    /// Nil when a run has made as many files as it can tell apart.
    init?(run: Int64, place: UInt32) {
        guard (1...Self.runMax).contains(run), place < .max else { return nil }
        raw = run << 32 | Int64(place)
    }

    private static let runMax = Int64(Int32.max) - 1
    /// Files of a folder: more of them make looking up slow on some file systems.
    private static let folderBits: Int64 = 12

    var run: Int64 { raw >> 32 }

    /// The folder of the run that it lies in.
    var folder: Int64 { (raw & 0xFFFF_FFFF) >> Self.folderBits }

    /// The first place of the folder behind a file's.
    static func firstPlace(behind file: FileNumber) -> UInt32 {
        UInt32(clamping: (file.folder + 1) << folderBits)
    }

    /// Below the folder of all objects.
    var path: String { "\(Self.name(run))/\(Self.name(folder))/\(Self.name(raw))" }

    static func name(_ number: Int64) -> String { String(number, radix: 16) }
}
