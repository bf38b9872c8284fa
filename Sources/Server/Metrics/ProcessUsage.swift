import JSON
import Glibc

/// The use of the process: memory, descriptors, processor time. Nil where the system doesn't tell.
package struct ProcessUsage: Sendable {
    package var residentBytes: Int?
    package var openDescriptors: Int?
    package var descriptorsMax: Int?
    package var cpuSeconds: Double?
    /// When the process started counting, in seconds since 1970.
    package var startSeconds: Int64

    private static let start = Timestamp.now.seconds

    /// The use at this moment. It reads `/proc`, which takes some ten microseconds.
    package static func now() -> ProcessUsage {
        ProcessUsage(
            residentBytes: residentBytesNow(), openDescriptors: openDescriptorsNow(),
            descriptorsMax: descriptorsMaxNow(),
            cpuSeconds: cpuSecondsNow(), startSeconds: start)
    }

    func write(to text: inout MetricsText) {
        func write(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: String?) {
            guard let value else { return }
            text.start(name, kind, help)
            text.line(name, [], value)
        }
        write("process_resident_memory_bytes", .gauge, "Memory in use.", residentBytes.map { "\($0)" })
        write("process_open_fds", .gauge, "Open descriptors.", openDescriptors.map { "\($0)" })
        write("process_max_fds", .gauge, "How many descriptors may be open.", descriptorsMax.map { "\($0)" })
        write("process_cpu_seconds_total", .counter, "Processor time used.", cpuSeconds.map { "\($0)" })
        write("process_start_time_seconds", .gauge, "When the process started, since 1970.", "\(startSeconds)")
    }

    private static func residentBytesNow() -> Int? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let fields = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }

    private static func openDescriptorsNow() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without the folder itself, its parent, and the descriptor that reads it.
        return max(0, count - 3)
    }

    private static func descriptorsMaxNow() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
    }

    private static func cpuSecondsNow() -> Double? {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
