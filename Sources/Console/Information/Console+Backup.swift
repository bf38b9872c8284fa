import Crypto
import Glibc
import JSON
import Network
import Store

extension Console {
    /// Everything that the server keeps as one archive, as it is at this moment, while others go on: what `homeport backup` writes.
    func backup(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let host = try host
        guard host.engine.store.isLocal else {
            throw .notServed("A backup has the database in a file of this machine, and the data is on a server.")
        }
        let name = "\(settings.name)-\(Self.moment).tar"
        let path = "\(host.engine.store.path).console-\(Hexadecimal.text(of: RandomBytes.make(count: 8)))"
        let made = try await aside { () -> Result<HTTPFileBody, ConsoleError> in
            do throws(ConsoleError) {
                return try Self.written(by: host, to: path)
            } catch {
                return .failure(error)
            }
        }
        audit.note("backup", name, by: request)
        switch made {
        case .failure(let error): throw error
        case .success(let body): return .file(name: name, type: "application/x-tar", .file(body))
        }
    }

    /// Now, to the second, as files are named.
    private static var moment: String {
        let text = Timestamp.now.text.utf8.prefix(19).filter { $0 != UInt8(ascii: ":") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The file has no name once it is open: it goes with the answer.
    private static func written(
        by host: any ConsoleHost, to path: String
    ) throws(ConsoleError) -> Result<HTTPFileBody, ConsoleError> {
        defer { unlink(path) }
        try host.writeBackup(to: path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            return .failure(
                ConsoleError(503, "busy", "The backup cannot be opened: \(String(cString: strerror(errno)))"))
        }
        return .success(HTTPFileBody(FileDescriptor(owning: descriptor), offset: 0, count: Int(status.st_size)))
    }
}
