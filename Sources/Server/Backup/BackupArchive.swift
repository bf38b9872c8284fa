import Crypto
import JSON

/// The form of a backup: a plain tar archive, which is a data folder with two files beside it.
///
///     homeport.json               the form of the archive, the version that wrote it, and the moment
///     data.sqlite                 the database of that moment; names of pools, clients and buckets, the keys of the issuer, parameters and
///                                 secrets are in it
///     files/objects/RUN/…         the files of the records of that moment
///     SHA256SUMS                  the sum of each entry, as `sha256sum --check` reads them
enum BackupArchive {
    static let manifestName = "homeport.json"
    static let databaseName = "data.sqlite"
    static let filesName = "files"
    static let sumsName = "SHA256SUMS"
    /// How the name of an archive ends that a schedule or the console makes.
    static let suffix = ".tar"
    static let manifestBytesMax: Int64 = 64 << 10

    /// The description of an archive.
    struct Manifest: Sendable, Equatable {
        /// The form of archives. A later one is refused.
        static let currentForm: Int64 = 1

        var form = currentForm
        var version = Version.number
        /// Milliseconds since 1970.
        var moment: Int64
        var files: Int64

        var bytes: [UInt8] {
            JSONWriter.bytes(of: [
                "form": .integer(form), "homeport": .string(version),
                "moment": .string(Timestamp(seconds: moment / 1_000, milliseconds: Int(moment % 1_000)).text),
                "files": .integer(files),
            ])
        }

        init(moment: Int64, files: Int64) { (self.moment, self.files) = (moment, files) }

        /// Nil for bytes that say nothing of an archive.
        init?(_ bytes: [UInt8]) {
            guard let content = try? JSONReader.value(of: bytes), let form = content["form"]?.integer,
                let version = content["homeport"]?.string, let text = content["moment"]?.string,
                let moment = Timestamp(text), let files = content["files"]?.integer
            else { return nil }
            (self.form, self.version) = (form, version)
            (self.moment, self.files) = (moment.millisecondsSince1970, files)
        }
    }

    /// The line of an entry among the sums.
    static func sumLine(_ sum: [UInt8], _ name: String) -> [UInt8] {
        Array("\(Hexadecimal.text(of: sum))  \(name)\n".utf8)
    }
}
