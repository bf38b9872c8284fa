import Glibc

/// The program of a function: a file and its arguments.
struct FunctionProgram: Equatable {
    let file: String
    let words: [String]

    /// Why nothing can be started, with what is to be done.
    struct Fault: Error, Equatable {
        let message: String
    }

    /// - Parameters:
    ///   - path: where programs are looked for.
    ///   - runtimes: the folder with our own runtimes.
    ///   - isProgram: whether a file can be run.
    init(
        of function: FunctionSettings, path: String, runtimes: String, isProgram: (String) -> Bool
    ) throws(Fault) {
        switch function.program {
        case .line(let line):
            file = "/bin/sh"
            words = ["sh", "-c", line]
        case .words(let words):
            guard let name = words.first, !name.isEmpty else { throw Fault(message: "the command has no word") }
            guard let file = Self.file(of: name, path, in: function.folder, isProgram) else {
                throw Fault(message: "there is no program \(name): give its path in functions.\(function.name).command")
            }
            self.file = file
            self.words = words
        case .handler(let place):
            let bootstrap = Bootstrap.of(place.language)
            var found: (name: String, file: String)?
            for name in bootstrap.programs where found == nil {
                found = Self.file(of: name, path, in: function.folder, isProgram).map { (name, $0) }
            }
            guard let found else { throw Fault(message: bootstrap.isMissing) }
            file = found.file
            words = [found.name] + bootstrap.words + ["\(runtimes)/\(bootstrap.fileName)", place.file, place.export]
        }
    }

    private static func file(
        of name: String, _ path: String, in folder: String, _ isProgram: (String) -> Bool
    ) -> String? {
        if name.contains("/") {
            return isProgram(name.hasPrefix("/") ? name : "\(folder)/\(name)") ? name : nil
        }
        return path.split(separator: ":").map { "\($0)/\(name)" }.first(where: isProgram)
    }
}
