import Glibc

/// How to make each kind of client trust a local authority.
package enum TrustInstructions {
    /// The whole text, with the path of the authority's certificate in the commands.
    package static func text(authority path: String) -> String {
        let file = quoted(absolute(path))
        return """
            macOS (Safari, Chrome, URLSession)
                sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain \(file)

            Linux (curl, Python, Go and others that ask the system)
                Debian, Ubuntu:  sudo cp \(file) /usr/local/share/ca-certificates/homeport.crt && sudo update-ca-certificates
                Fedora, Arch:    sudo trust anchor \(file)
                Chrome:          mkdir -p "$HOME/.pki/nssdb" && certutil -N -d sql:"$HOME/.pki/nssdb" --empty-password
                                 (once, where there is none), then
                                 certutil -d sql:"$HOME/.pki/nssdb" -A -t C,, -n Homeport -i \(file)
                Firefox:         Settings, Privacy & Security, View Certificates, Authorities, Import

            iOS simulator
                xcrun simctl keychain booted add-root-cert \(file)
                A device takes the file by AirDrop or mail: install the profile, then switch it on in Settings, General,
                About, Certificate Trust Settings.

            Android emulator (it reaches this machine at 10.0.2.2)
                adb push \(file) /sdcard/Download/homeport.crt
                Then Settings, Security, Encryption & credentials, Install a certificate, CA certificate. An app trusts
                what its user has installed only if it says so, for debug builds in res/xml/network_security_config.xml:
                    <network-security-config><debug-overrides><trust-anchors>
                        <certificates src="user" /><certificates src="system" />
                    </trust-anchors></debug-overrides></network-security-config>

            Node
                export NODE_EXTRA_CA_CERTS=\(file)

            One request with curl
                curl --cacert \(file) https://localhost:20002/ping
            """
    }

    /// Commands are pasted elsewhere than where they were printed, and Node ignores a path that leads nowhere.
    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// As one word of a shell, whatever the path has in it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+".utf8.contains(byte)
        }
        if isPlain { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
