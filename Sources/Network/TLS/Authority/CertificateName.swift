import Glibc

/// A name or an address that a certificate is for.
enum CertificateName: Hashable, Sendable {
    /// Lower case; the first label may be `*`.
    case domain(String)
    case address4(String)
    case address6(String)

    /// Reads a name or an address; nil for what cannot stand in a certificate.
    init?(_ text: String) {
        if let address = SocketAddress(numeric: text, port: 0) {
            self.init(address)
            return
        }
        let name = text.lowercased()
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isDomain =
            name.utf8.count <= 253
            && labels.enumerated().allSatisfy { position, label in
                if position == 0, labels.count > 1, label.elementsEqual("*".utf8) { return true }
                return Self.isLabel(label)
            }
        // A last label of digits would be taken for an address (WHATWG URL, host parser).
        guard isDomain, let last = labels.last, !last.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self = .domain(name)
    }

    init(_ address: SocketAddress) {
        switch address.host {
        case .version4: self = .address4(address.hostText)
        case .version6: self = .address6(address.hostText)
        }
    }

    /// Letters, digits and hyphens, with no hyphen at either end.
    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard (1...63).contains(label.count), label.first != 0x2D, label.last != 0x2D else { return false }
        return label.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
    }

    var text: String {
        switch self {
        case .domain(let text), .address4(let text), .address6(let text): return text
        }
    }

    /// As OpenSSL's configuration language has it. No character of a name means anything there.
    var extensionText: String {
        switch self {
        case .domain(let text): return "DNS:\(text)"
        case .address4(let text), .address6(let text): return "IP:\(text)"
        }
    }
}

extension CertificateName {
    /// The names of this machine for clients on it, beside it and in emulators on it.
    static func ofThisMachine() -> [CertificateName] {
        var names: [CertificateName] = [.domain("localhost"), .address4("127.0.0.1"), .address6("::1")]
        // Clients reach the pages for signing in, and files, by https alone, under names of their own.
        names += [.domain("auth.localhost"), .domain("s3.localhost"), .domain("*.s3.localhost")]
        // The Android emulator's name for the machine it runs on, and Docker's for the one that containers run on.
        names += [.address4("10.0.2.2"), .domain("host.docker.internal")]
        if let host = hostName.flatMap({ CertificateName($0) }) {
            names.append(host)
            // Neighbours find it by multicast DNS under this name.
            if case .domain(let text) = host, !text.utf8.contains(UInt8(ascii: ".")) {
                names.append(.domain("\(text).local"))
            }
        }
        for address in addresses() where !names.contains(address) { names.append(address) }
        return names
    }

    static var hostName: String? {
        // One byte more than is asked for: a name that is cut off has no end of its own.
        var bytes = [CChar](repeating: 0, count: 257)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// The addresses of the network interfaces that are up. One that is good on its own link only is left out: it needs
    /// a scope to be used, which a certificate cannot have.
    private static func addresses() -> [CertificateName] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [CertificateName] = []
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard interface.ifa_flags & UInt32(IFF_UP) != 0, let address = address(at: interface.ifa_addr),
                !address.isLoopback, !isLinkLocal(address)
            else { continue }
            found.append(CertificateName(address))
        }
        return found
    }

    private static func address(at pointer: UnsafePointer<sockaddr>?) -> SocketAddress? {
        guard let pointer else { return nil }
        let length: Int
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var storage = sockaddr_storage()
        memcpy(&storage, pointer, length)
        return SocketAddress(system: storage)
    }

    private static func isLinkLocal(_ address: SocketAddress) -> Bool {
        switch address.host {
        case .version4(let host): return host >> 16 == 0xA9FE
        case .version6(let high, _, _): return high >> 54 == 0xFE80 >> 6
        }
    }
}
