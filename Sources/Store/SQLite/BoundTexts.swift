/// Where the texts of bound values lie while the statements of a connection run.
///
/// SQLite would take memory of its own for each of them and give it back: some hundred instructions a text. A statement that runs inside
/// of another one's rows puts its texts behind those, and gives the room back when it is reset. What does not fit is copied by SQLite.
final class BoundTexts {
    private let room = UnsafeMutableBufferPointer<CChar>.allocate(capacity: StoreLimits.boundTextBytesMax)
    private var used = 0

    deinit { room.deallocate() }

    /// Copies a text behind those that lie here; nil where there is no room for it.
    func kept(_ text: UnsafePointer<CChar>, _ count: Int) -> UnsafePointer<CChar>? {
        guard count <= room.count - used, let place = room.baseAddress.map({ $0 + used }) else { return nil }
        place.update(from: text, count: count)
        used += count
        return UnsafePointer(place)
    }

    /// How much is taken, for `end` to go back to.
    func begin() -> Int { used }

    /// Gives the room of a statement back, which has been reset.
    func end(_ begin: Int) { used = begin }
}
