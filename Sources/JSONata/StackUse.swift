/// How much of its thread's stack a recursion has taken: frames differ in size from build to build.
struct StackUse {
    private let base: UInt
    private let bytesMax: UInt

    init(bytesMax: Int) {
        base = Self.place
        self.bytesMax = UInt(max(0, bytesMax))
    }

    var isExhausted: Bool {
        let place = Self.place
        return (place > base ? place - base : base - place) > bytesMax
    }

    private static var place: UInt {
        @inline(never) get {
            var mark: UInt8 = 0
            return withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
        }
    }
}
