import Glibc
import JSON

/// The version of aws-amplify (amplify-js) that the app around a file for clients uses.
///
///     app/node_modules/aws-amplify/package.json     what is installed, also in a folder above
///     app/package.json                              what the app asks for
struct AmplifyLibrary: Sendable, Equatable {
    let major: Int
    let minor: Int
    /// As it is installed, or as the app asks for it: for people.
    let text: String

    /// The first version that takes its whole configuration as it is.
    private static let configurable = 6
    /// The first version with an address for identities.
    private static let identities = (major: 6, minor: 15)

    static let name = "aws-amplify"
    private static let foldersMax = 16

    /// True if it takes a configuration in its own form, with addresses of the pools.
    var takesItsOwnForm: Bool { major >= Self.configurable }

    /// True if it asks for identities where its configuration says; older ones ask AWS.
    var knowsIdentityAddress: Bool {
        (major, minor) >= (Self.identities.major, Self.identities.minor)
    }

    /// The version to install where it does not.
    static let update = "npm install aws-amplify@^\(identities.major).\(identities.minor)"

    init?(_ version: String) {
        var numbers: [Int] = []
        var bytes = version.utf8.drop { !$0.isDigit }
        while numbers.count < 2 {
            let digits = bytes.prefix(while: \.isDigit)
            guard let number = Int(String(decoding: digits, as: UTF8.self)) else { break }
            numbers.append(number)
            bytes = bytes.dropFirst(digits.count)
            guard bytes.first == UInt8(ascii: ".") else { break }
            bytes = bytes.dropFirst()
        }
        guard let major = numbers.first else { return nil }
        self.init(major: major, minor: numbers.count > 1 ? numbers[1] : 0, text: version)
    }

    private init(major: Int, minor: Int, text: String) {
        (self.major, self.minor, self.text) = (major, minor, text)
    }

    // MARK: Where it is

    /// That of the app that loads a file; nil: the app does not use it, or is none for browsers.
    static func find(forFile path: String) -> AmplifyLibrary? {
        let folders = folders(above: path)
        for (index, folder) in folders.enumerated() {
            guard let manifest = manifest(in: folder), let range = range(in: manifest) else { continue }
            // The file of a native app beside tools for JavaScript is the app's.
            guard !folders[...index].contains(where: { isNative($0, manifest) }) else { return nil }
            for above in folders[index...] {
                let installed = "\(above)/node_modules/\(name)/package.json"
                let version = (try? ProjectFile.valueIfThere(installed))??["version"]?.string
                if let version, let library = AmplifyLibrary(version) { return library }
            }
            return AmplifyLibrary(asked: range)
        }
        return nil
    }

    /// The one that an app asks for, before it is installed. A range upward from a version gets the newest of its major one.
    private init?(asked range: String) {
        guard let lowest = AmplifyLibrary(range) else {
            // `latest`, `*`, or the name of a catalog.
            self.init(major: Self.configurable, minor: .max, text: range)
            return
        }
        let first = range.utf8.first { $0 != UInt8(ascii: " ") }
        let isOpen = first == UInt8(ascii: "^") || first == UInt8(ascii: ">")
        self.init(major: lowest.major, minor: isOpen ? .max : lowest.minor, text: range)
    }

    private static func manifest(in folder: String) -> JSONValue? {
        (try? ProjectFile.valueIfThere("\(folder)/package.json")) ?? nil
    }

    private static func range(in manifest: JSONValue) -> String? {
        for kind in ["dependencies", "devDependencies", "peerDependencies"] {
            if let range = manifest[kind]?[name]?.string { return range }
        }
        return nil
    }

    /// The folder of a file and those above it, as far as they belong to one repository.
    private static func folders(above path: String) -> [String] {
        var folder = DataFolder.absolute(path)
        var folders: [String] = []
        while folders.count < foldersMax, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            folder = String(folder[..<slash])
            folders.append(folder)
            if access("\(folder)/.git", F_OK) == 0 { break }
        }
        return folders.isEmpty ? ["/"] : folders
    }

    /// Files of the build of an app that is no web page.
    private static let nativeFiles = Set(texts: [
        "pubspec.yaml", "Podfile", "Package.swift", "build.gradle", "build.gradle.kts", "settings.gradle",
        "settings.gradle.kts",
    ])
    /// With these an app of JavaScript has such files too.
    private static let frameworks = ["react-native", "expo", "@capacitor/core", "@nativescript/core", "cordova"]

    private static func isNative(_ folder: String, _ manifest: JSONValue) -> Bool {
        guard frameworks.allSatisfy({ manifest["dependencies"]?[$0] == nil && manifest["devDependencies"]?[$0] == nil })
        else { return false }
        return ProjectFile.names(in: folder).contains {
            nativeFiles.contains(ByteText($0)) || $0.hasSuffix(".xcodeproj")
        }
    }
}
