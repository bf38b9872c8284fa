/// A form of the file by which an app finds the server: what stands in it, and how that is wrapped.
package enum OutputsFormat: String, CaseIterable, Sendable {
    /// `amplify_outputs.json`
    case gen2
    /// `amplify_outputs.json` of web apps with version 6 of amplify-js: with the library's own form.
    case gen2JavaScript = "gen2-javascript"
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
    /// `aws-exports.js` and `amplifyconfiguration.json` for version 6 of amplify-js: with the library's own form.
    case awsExportsOfLibrary = "aws-exports-6"
    case gen1JavaScriptOfLibrary = "gen1-javascript-6"
    case legacyJSON = "legacy-json"
    case legacyMobile = "legacy-json-mobile"
    case legacyModule = "legacy-mjs"
    case legacyTypeScript = "legacy-ts"
    case legacyDart = "legacy-dart"

    /// The content of a file.
    enum Content {
        /// As clients of Gen 2 read it.
        case outputs
        /// The same, and as amplify-js takes it as it is.
        case library
        /// As web apps of Gen 1 do.
        case web
        /// The same, and as amplify-js takes it as it is.
        case webLibrary
        /// As native apps of Gen 1 do.
        case native
        /// As their libraries did in the first years.
        case oldNative
    }

    enum Wrapping {
        case json
        /// `const awsmobile = {…};`
        case exports
        /// The same, with the older members where only those find them who ask for one.
        case exportsOfLibrary
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
        case .gen2JavaScript: (.library, .json)
        case .gen2Dart: (.outputs, .dart)
        case .dart: isVersion1 ? (.native, .oldDart) : (.outputs, .dart)
        case .gen1, .legacyMobile: (.native, .json)
        case .legacyDart: (.native, isVersion1 ? .oldDart : .dartOfBoth)
        case .awsConfiguration: (.oldNative, .json)
        case .awsExports: (.web, .exports)
        case .awsExportsOfLibrary: (.webLibrary, .exportsOfLibrary)
        case .gen1JavaScriptOfLibrary: (.webLibrary, .json)
        case .gen1JavaScript, .legacyJSON: (.web, .json)
        case .legacyModule, .legacyTypeScript: (.web, .module)
        }
    }

    /// The form that the name of a file speaks of; nil where it could be any.
    ///
    /// - Parameters:
    ///   - isWeb: whether the app is a web page; nil: its project does not say.
    ///   - library: the one that the app loads the file by; nil: none for JavaScript.
    init?(ofFile path: String, isVersion1: Bool, isWeb: Bool? = nil, library: AmplifyLibrary? = nil) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let takesItsOwnForm = library?.takesItsOwnForm ?? false
        switch name {
        case "amplify_outputs.json": self = takesItsOwnForm ? .gen2JavaScript : .gen2
        case "amplify_outputs.dart": self = .gen2Dart
        case "aws-exports.js", "aws-exports.mjs", "aws-exports.ts":
            self = takesItsOwnForm ? .awsExportsOfLibrary : .awsExports
        case "awsconfiguration.json": self = .awsConfiguration
        case "amplifyconfiguration.json":
            self = !(isWeb ?? (library != nil)) ? .gen1 : takesItsOwnForm ? .gen1JavaScriptOfLibrary : .gen1JavaScript
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
        case .exports: wrapped(Self.exportsHead, ";\n\n\nexport default awsmobile;\n")
        case .exportsOfLibrary:
            wrapped(
                Self.exportsHead,
                ";\n\n// aws-amplify 6 takes Auth, API and Storage as they are where it lists no member that begins with aws_.\n"
                    + "Object.keys(awsmobile).forEach((name) => {\n"
                    + "  if (name.startsWith(\"aws_\")) Object.defineProperty(awsmobile, name, { enumerable: false });\n"
                    + "  });\n\nexport default awsmobile;\n")
        case .module: wrapped("const amplifyConfig = ", "\nexport default amplifyConfig;\n")
        case .dart: Self.dart("const amplifyConfig = r'''", json, "''';")
        case .oldDart: Array("const amplifyconfig = '''".utf8) + Self.escaped(json) + Array("''';\n".utf8)
        case .dartOfBoth:
            Self.dart("const amplifyConfig = r'''", json, "''';\n\nconst amplifyconfig = amplifyConfig;\n")
        }
    }

    /// Says in its second line who has written the file.
    private static let exportsHead =
        "/* eslint-disable */\n\(exportsMark)\n\nconst awsmobile = "
    static let exportsMark =
        "// WARNING: DO NOT EDIT. This file is written by Homeport. It will be overwritten."

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
