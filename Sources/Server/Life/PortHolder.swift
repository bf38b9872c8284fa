import Glibc
import Network

/// The program that listens on a port of this machine, for messages: `homeport (process 7) of /home/ann/app`.
struct PortHolder: CustomStringConvertible {
    private let name: String
    private let process: Int32
    private let folder: String?

    var description: String { "\(name) (process \(process))\(folder.map { " of \($0)" } ?? "")" }

    private static let tableBytesMax = 4 << 20
    private static let nameBytesMax = 64
    private static let processesMax = 10_000
    private static let descriptorsMax = 10_000

    /// Nil: nobody listens there, or it is a program of another user, which the system does not name.
    init?(of port: Int) {
        let sockets = Self.sockets(listeningOn: port)
        guard !sockets.isEmpty else { return nil }
        let found = FolderContent.names(in: "/proc", max: Self.processesMax).lazy.compactMap { Int32($0) }.first {
            process in
            let folder = "/proc/\(process)/fd"
            return FolderContent.names(in: folder, max: Self.descriptorsMax).contains { name in
                Self.target(of: "\(folder)/\(name)").map { sockets.contains($0) } ?? false
            }
        }
        guard let found else { return nil }
        process = found
        folder = Self.target(of: "/proc/\(found)/cwd")
        let bytes = (try? SmallFile.read("/proc/\(found)/comm", bytesMax: Self.nameBytesMax)) ?? []
        let known = String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        name = known.isEmpty ? "a program" : known
    }

    /// The sockets that listen there, as the descriptors of processes name them: `socket:[4711]`.
    private static func sockets(listeningOn port: Int) -> Set<String> {
        var sockets: Set<String> = []
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let bytes = try? SmallFile.read(table, bytesMax: tableBytesMax) else { continue }
            for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
                let parts = line.split(separator: UInt8(ascii: " "))
                // The local address with its port, and the state: 0A listens.
                guard parts.count > 9, parts[3].elementsEqual("0A".utf8),
                    let local = parts[1].split(separator: UInt8(ascii: ":")).last,
                    Int(String(decoding: local, as: UTF8.self), radix: 16) == port
                else { continue }
                sockets.insert("socket:[\(String(decoding: parts[9], as: UTF8.self))]")
            }
        }
        return sockets
    }

    private static func target(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink(link, $0, text.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
