import Glibc
import Network

/// The pages of the program and its libraries that only the start needed.
///
/// Giving them back is for memory, not for time: an idle server holds 10 MB instead of 22 (`bench/start --memory`).
enum StartPages {
    private static let mapsBytesMax = 1 << 20

    /// How long after the start the pages are given back: the first requests need many of them.
    private static let delaySeconds: UInt32 = 2

    /// Gives the pages back when the first requests are answered, on a thread that ends with it.
    static func releaseLater() {
        var thread = pthread_t()
        if pthread_create(&thread, nil, waiting, nil) == 0 { pthread_detach(thread) }
    }

    private static let waiting: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
        sleep(delaySeconds)
        release()
        return nil
    }

    /// Looks for the code, so that a copy of this process need not.
    static func find() { _ = code }

    /// Gives the pages of code back to the system, which keeps the files' contents anyway: those that are needed again
    /// come back by themselves, without the disk. Most of what a start touches, reading a schema and a configuration, is
    /// never needed again, and would count as this process's memory for as long as it runs.
    static func release() {
        // Mapped from a file and never written: nothing is lost.
        for (start, count) in code { _ = madvise(UnsafeMutableRawPointer(bitPattern: start), count, MADV_DONTNEED) }
    }

    /// Where the code of the program and its libraries lies.
    private static let code: [(start: UInt, count: Int)] = {
        var found: [(start: UInt, count: Int)] = []
        #if os(Linux)
            guard let bytes = try? SmallFile.read("/proc/self/maps", bytesMax: mapsBytesMax) else { return [] }
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                // 5581c0a31000-5581c11a1000 r-xp 00131000 fe:00 1234 /usr/local/bin/homeport
                let fields = line.split(separator: UInt8(ascii: " "))
                guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8),
                    fields[5].first == UInt8(ascii: "/")
                else { continue }
                let ends = fields[0].split(separator: UInt8(ascii: "-"))
                    .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
                guard ends.count == 2, ends[0] < ends[1] else { continue }
                found.append((ends[0], Int(ends[1] - ends[0])))
            }
        #endif
        return found
    }()
}
