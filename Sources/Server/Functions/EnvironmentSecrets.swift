import JSON
import Parameters

/// The secrets that are given to a server and not put into it: lines of the file `secrets` in the data folder, and variables of the
/// process. A parameter is found by its whole name, or by the last part of its path where that is one of Amplify's, which has the name of a
/// secret there:
///
///     /amplify/APP/BRANCH/STRIPE_KEY          Gen 2
///     /amplify/APP/ENV/AMPLIFY_pay_STRIPE_KEY  Gen 1, of the function `pay`
///
/// Any other path is a name like each: who may read `/mine/*` gets no secret by that.
///
/// Of the process's variables those of AWS and of this server are nobody's secrets here, and none is ever listed.
struct EnvironmentSecrets: GivenSecrets {
    private let folder: String
    private let environment: [String: String]
    private let functions: [String]

    /// Where Amplify keeps the secrets of apps.
    static let start = "/amplify/"
    private static let hidden = ["AWS_", "HOMEPORT_"]

    init(in folder: String, environment: [String: String], functions: [String]) {
        self.folder = folder
        self.environment = environment.filter { variable in
            !Self.hidden.contains { variable.key.utf8.starts(with: $0.utf8) }
        }
        self.functions = functions
    }

    /// As they stand there now: somebody may edit the file.
    private var secrets: FunctionSecrets { FunctionSecrets(in: folder, environment: environment) }

    /// The value of a name; nil: none is given.
    func value(of name: String) -> String? {
        let secrets = secrets
        if let value = secrets[name] { return value }
        guard name.utf8.starts(with: Self.start.utf8), let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        let last = String(name[name.utf8.index(after: slash)...])
        guard !last.isEmpty else { return nil }
        if let value = secrets[last] { return value }
        for function in functions {
            let start = "AMPLIFY_\(function)_".utf8
            guard last.utf8.starts(with: start) else { continue }
            if let value = secrets[String(decoding: last.utf8.dropFirst(start.count), as: UTF8.self)] { return value }
        }
        return nil
    }

    /// Those of the file, by their names.
    var listed: [(name: String, value: String)] {
        var values: [ByteText: String] = [:]
        for line in VariableFile.read(secrets.file) { values[line.name] = line.value }
        return values.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
    }
}
