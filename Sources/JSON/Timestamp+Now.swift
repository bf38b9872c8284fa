import Threads

extension Timestamp {
    /// This moment.
    package static var now: Timestamp {
        let time = SystemClock.wall
        return Timestamp(seconds: time.seconds, milliseconds: Int(time.nanoseconds / 1_000_000))
    }

    /// A clock that nobody sets, for the time between two moments.
    package static var monotonicMilliseconds: Int64 { SystemClock.monotonic.milliseconds }

    package init(millisecondsSince1970 time: Int64) {
        let part = (time % 1_000 + 1_000) % 1_000
        self.init(seconds: (time - part) / 1_000, milliseconds: Int(part))
    }

    package var millisecondsSince1970: Int64 { seconds * 1000 + Int64(milliseconds) }

    private static let textBytes = 24

    /// The text of it.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.textBytes)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
