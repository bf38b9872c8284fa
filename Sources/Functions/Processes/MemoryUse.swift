import Glibc

/// The private, writable memory of a process, as the system counts it.
struct MemoryUse: Equatable {
    /// All of it.
    let bytes: UInt64
    /// Where it has written.
    let writtenBytes: UInt64

    /// The resident part of it and of its files.
    let residentBytes: UInt64

    /// The reserved part that was never written.
    var reservedBytes: UInt64 { bytes > writtenBytes ? bytes - writtenBytes : 0 }

    /// Nil where the system does not tell.
    init?(of process: Int32) {
        guard let file = fopen("/proc/\(process)/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        self.init(
            line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            pageBytes: UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1)))
    }

    /// - Parameter line: `/proc/PID/statm`, in pages: the size, what is resident, what of that is of files or shared, code, 0, data.
    init?(_ line: some Collection<UInt8>, pageBytes: UInt64) {
        let pages = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map {
            UInt64(String(decoding: $0, as: UTF8.self))
        }
        guard pages.count > 5, let resident = pages[1], let shared = pages[2], let data = pages[5] else { return nil }
        let written = resident > shared ? resident - shared : 0
        guard case (let bytes, false) = data.multipliedReportingOverflow(by: pageBytes),
            case (let writtenBytes, false) = written.multipliedReportingOverflow(by: pageBytes),
            case (let residentBytes, false) = resident.multipliedReportingOverflow(by: pageBytes)
        else { return nil }
        self.bytes = bytes
        self.writtenBytes = writtenBytes
        self.residentBytes = residentBytes
    }
}
