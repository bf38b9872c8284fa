/// A form of the file by which an app finds the server: what stands in it, and how that is wrapped.
package enum OutputsFormat: String, CaseIterable, Sendable {
    /// `amplify_outputs.json`
    case gen2
    /// `amplifyconfiguration.json` of native apps
    case gen1
    case awsExports = "aws-exports"
    /// `awsconfiguration.json` of the old native libraries
    case awsConfiguration = "awsconfiguration"
    /// For Flutter, of the project's generation.
    case dart
    /// `amplify_outputs.dart`
    case gen2Dart = "gen2-dart"
    /// `amplifyconfiguration.json` of web apps
    case gen1JavaScript = "gen1-javascript"
    case legacyJSON = "legacy-json"
    case legacyMobile = "legacy-json-mobile"
    case legacyModule = "legacy-mjs"
    case legacyTypeScript = "legacy-ts"
    case legacyDart = "legacy-dart"

    /// What stands in a file.
    enum Content {
        /// As clients of Gen 2 read it.
        case outputs
        /// As web apps of Gen 1 do.
        case web
        /// As native apps of Gen 1 do.
        case native
        /// As their libraries did in the first years.
        case oldNative
    }

    enum Wrapping {
        case json
        /// `const awsmobile = {…};`
        case exports
        /// `const amplifyConfig = {…}`, exported.
        case module
        /// `const amplifyConfig = r'''{…}''';`
        case dart
        /// `const amplifyconfig = '''{…}''';`
        case oldDart
        /// Under both names.
        case dartOfBoth
    }

    func form(isVersion1: Bool) -> (content: Content, wrapping: Wrapping) {
        switch self {
        case .gen2: (.outputs, .json)
        case .gen2Dart: (.outputs, .dart)
        case .dart: isVersion1 ? (.native, .oldDart) : (.outputs, .dart)
        case .gen1, .legacyMobile: (.native, .json)
        case .legacyDart: (.native, isVersion1 ? .oldDart : .dartOfBoth)
        case .awsConfiguration: (.oldNative, .json)
        case .awsExports: (.web, .exports)
        case .gen1JavaScript, .legacyJSON: (.web, .json)
        case .legacyModule, .legacyTypeScript: (.web, .module)
        }
    }

    /// The form that the name of a file speaks of; nil where it could be any.
    init?(ofFile path: String, isVersion1: Bool, isWeb: Bool = false) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        switch name {
        case "amplify_outputs.json": self = .gen2
        case "amplify_outputs.dart": self = .gen2Dart
        case "aws-exports.js": self = .awsExports
        case "awsconfiguration.json": self = .awsConfiguration
        case "amplifyconfiguration.json": self = isWeb ? .gen1JavaScript : .gen1
        case "amplifyconfiguration.dart": self = isVersion1 ? .dart : .legacyDart
        default: return nil
        }
    }
}

extension OutputsFormat.Wrapping {
    /// The file, of what stands in it.
    func bytes(of json: [UInt8]) -> [UInt8] {
        func wrapped(_ before: String, _ after: String) -> [UInt8] { Array(before.utf8) + json + Array(after.utf8) }
        return switch self {
        case .json: json
        case .exports:
            wrapped(
                "/* eslint-disable */\n// WARNING: DO NOT EDIT. This file is written by Homeport. It will be overwritten.\n\n"
                    + "const awsmobile = ", ";\n\n\nexport default awsmobile;\n")
        case .module: wrapped("const amplifyConfig = ", "\nexport default amplifyConfig;\n")
        case .dart: Self.dart("const amplifyConfig = r'''", json, "''';")
        case .oldDart: Array("const amplifyconfig = '''".utf8) + Self.escaped(json) + Array("''';\n".utf8)
        case .dartOfBoth:
            Self.dart("const amplifyConfig = r'''", json, "''';\n\nconst amplifyconfig = amplifyConfig;\n")
        }
    }

    /// In a raw text a quote ends nothing unless three stand together; JSON can write it otherwise.
    private static func dart(_ before: String, _ json: [UInt8], _ after: String) -> [UInt8] {
        let quote = UInt8(ascii: "'")
        return Array(before.utf8) + json.flatMap { $0 == quote ? Array("\\u0027".utf8) : [$0] } + Array(after.utf8)
    }

    /// In any other text `\\` and `$` mean something to Dart too.
    private static func escaped(_ json: [UInt8]) -> [UInt8] {
        json.flatMap { byte in
            switch byte {
            case UInt8(ascii: "\\"): [byte, byte]
            case UInt8(ascii: "$"): Array("\\u0024".utf8)
            case UInt8(ascii: "'"): Array("\\u0027".utf8)
            default: [byte]
            }
        }
    }
}
