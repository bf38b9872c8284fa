/// The bytes that a realm's values hold. What they hold is an estimate: the number of things times what each costs.
final class MemoryMeter {
    private(set) var bytes = 0
    private(set) var bytesMax: Int
    /// Looked at by the interpreter at each call, each turn of a loop and each return of a native function.
    private(set) var isExceeded = false

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// Allows as much as said beyond what is held already.
    func begin(bytesMax count: Int) {
        bytesMax = bytes &+ count
        isExceeded = false
    }

    func charge(_ count: Int) {
        bytes &+= count
        if bytes > bytesMax { isExceeded = true }
    }

    func discharge(_ count: Int) {
        bytes &-= count
    }
}
