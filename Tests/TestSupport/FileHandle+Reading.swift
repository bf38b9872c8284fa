import Foundation
import Glibc

/// Foundation's own ways to read end the process when a signal comes meanwhile, and some tests send signals.
extension FileHandle {
    /// What is there next, once there is something; nothing at the end.
    package func readSome() -> Data {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(fileDescriptor, &buffer, buffer.count)
            if count >= 0 { return Data(buffer[..<count]) }
            if errno != EINTR { return Data() }
        }
    }

    /// All that comes until the end.
    package func readWhole() -> Data {
        var data = Data()
        while true {
            let next = readSome()
            if next.isEmpty { return data }
            data.append(next)
        }
    }
}
