/// Contents of small files that were read, up to so many bytes: what is in a file of an object never changes, so a record that speaks of
/// it says all. Not for several threads.
///
/// They live in two generations: when the younger one is full, the older one goes as a whole. What is asked for stays.
struct KeptContents {
    private let generationBytesMax: Int
    private var young: [FileNumber: [UInt8]] = [:]
    private var old: [FileNumber: [UInt8]] = [:]
    private var youngBytes = 0
    private var oldBytes = 0

    init(bytesMax: Int = FileLimits.keptBytesMax) {
        generationBytesMax = bytesMax / 2
    }

    var byteCount: Int { youngBytes + oldBytes }

    mutating func content(of file: FileNumber) -> [UInt8]? {
        if let bytes = young[file] { return bytes }
        guard let bytes = old[file] else { return nil }
        keep(bytes, of: file)
        return bytes
    }

    mutating func keep(_ bytes: [UInt8], of file: FileNumber) {
        guard bytes.count <= generationBytesMax, young[file] == nil else { return }
        if let before = old.removeValue(forKey: file) { oldBytes -= before.count }
        if youngBytes + bytes.count > generationBytesMax {
            (old, oldBytes) = (young, youngBytes)
            (young, youngBytes) = ([:], 0)
        }
        young[file] = bytes
        youngBytes += bytes.count
    }
}
