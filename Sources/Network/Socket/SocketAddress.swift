import CSystem
import Glibc

/// An internet address with a port, version 4 or 6.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    package enum Host: Sendable, Hashable {
        /// In host byte order: 127.0.0.1 is 0x7F000001.
        case version4(UInt32)
        case version6(high: UInt64, low: UInt64, scope: UInt32)
    }

    package let host: Host
    package let port: UInt16

    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// An address written in numbers ("127.0.0.1", "::1"); nil for a name.
    package init?(numeric text: String, port: UInt16) {
        var version4 = in_addr()
        var version6 = in6_addr()
        if inet_pton(AF_INET, text, &version4) == 1 {
            self.init(host: .version4(UInt32(bigEndian: version4.s_addr)), port: port)
        } else if inet_pton(AF_INET6, text, &version6) == 1 {
            self.init(host: Self.host(of: version6, scope: 0), port: port)
        } else {
            return nil
        }
    }

    package static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(host: .version4(0x7F00_0001), port: port)
    }

    package var isLoopback: Bool {
        switch host {
        case .version4(let address): address >> 24 == 127
        case .version6(let high, let low, _):
            high == 0 && (low == 1 || (low >> 32 == 0xFFFF && (low >> 24) & 0xFF == 127))
        }
    }

    /// True for the address that means every address of the machine (0.0.0.0 or ::).
    package var isUnspecified: Bool {
        switch host {
        case .version4(let address): address == 0
        case .version6(let high, let low, _): high == 0 && low == 0
        }
    }

    package var family: Int32 {
        switch host {
        case .version4: AF_INET
        case .version6: AF_INET6
        }
    }

    /// The host alone, in numbers and without brackets.
    package var hostText: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1)
        withSystemAddress { address, _ in
            if address.pointee.sa_family == sa_family_t(AF_INET6) {
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    var bytes = address.pointee.sin6_addr
                    _ = inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
                }
            } else {
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    var bytes = address.pointee.sin_addr
                    _ = inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
                }
            }
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// As it stands in a URL: an address of version 6 is in brackets.
    package var description: String {
        switch host {
        case .version4: "\(hostText):\(port)"
        case .version6: "[\(hostText)]:\(port)"
        }
    }
}

extension SocketAddress {
    /// Calls the body with the address in the form that system calls take.
    package func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch host {
        case .version4(let host):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = host.bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .version6(let high, let low, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
    }

    /// Reads what a system call wrote; nil for a family that is not of the internet.
    init?(system storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee }
            }
            self.init(
                host: .version4(UInt32(bigEndian: address.sin_addr.s_addr)), port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee }
            }
            self.init(
                host: Self.host(of: address.sin6_addr, scope: address.sin6_scope_id),
                port: UInt16(bigEndian: address.sin6_port))
        default:
            return nil
        }
    }

    private static func host(of address: in6_addr, scope: UInt32) -> Host {
        withUnsafeBytes(of: address) { bytes in
            .version6(
                high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), scope: scope)
        }
    }
}
