/// The folder of the page's files, as `index.html` names it.
enum PageBase {
    private static let mark = Array("@BASE@".utf8)
    static let index = "index.html"

    /// Whether a file names it: the index alone does.
    static func isNamed(in name: String) -> Bool { name.utf8.elementsEqual(index.utf8) }

    /// A file with the folder in the place of the mark.
    static func written(_ base: String, into bytes: [UInt8], of name: String) -> [UInt8] {
        guard isNamed(in: name) else { return bytes }
        var written: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place...].starts(with: mark) {
                written += Array(base.utf8)
                place += mark.count
            } else {
                written.append(bytes[place])
                place += 1
            }
        }
        return written
    }
}
