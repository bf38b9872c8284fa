import Files
import Glibc
import JSON
import Project
import Store
import Synchronization
import Threads

/// `homeport files`: the files of the store, beside a running server.
///
/// As with users, this process changes the database by itself, one change after the other with the server. Whoever has the data
/// folder may read all files in any case, so no rules hold here.
package enum FilesCommand {
    package enum Action: String, CaseIterable, Sendable {
        case list
        case get
        case put
        case remove
    }

    package struct Wish: Sendable {
        package let action: Action
        /// A key, or to list the beginning of keys.
        package var key: String?
        /// The name of the bucket in the app or in requests; nil: the default one.
        package var bucket: String?
        /// The file to take, or to write to.
        package var file: String?
        package var type: String?
        package var asJSON = false

        package init(_ action: Action) {
            self.action = action
        }
    }

    private typealias Failure = CommandStore.Failure

    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ wish: Wish, environment: [String: String] = [:],
        _ output: CommandOutput
    ) -> ExitCode {
        let configuration = resolution.configuration
        guard configuration.database != .memory else {
            output.report("homeport: files in memory are known to their server alone; serve with --database FILE")
            return .configuration
        }
        if let missing = missingFolder(of: configuration) {
            output.report("homeport: \(missing)")
            return .configuration
        }
        if wish.action != .list, (wish.key ?? "").isEmpty {
            output.report("homeport: files \(wish.action.rawValue) needs the key of a file")
            return .usage
        }
        if wish.action == .put, wish.file == nil {
            output.report("homeport: files put needs --file, the file to take")
            return .usage
        }
        let opened: CommandStore
        do throws(CommandStore.End) { opened = try CommandStore(resolution, output) } catch { return error.code }
        let places: FilesSettings
        do throws(StartError) {
            places = try FilesSettings(configuration, Project.storage(of: opened.resolution), nil)
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
        return opened.use(configuration, output) { store in
            let service = FileService(
                places.room(), over: store, in: BuiltInFiles.folder(of: configuration, besides: environment),
                FileSignatures([], nil, region: places.region), caller: { _ in nil }, report: { _ in })
            defer { service.close() }
            do throws(Failure) {
                let bucket = try Self.bucket(wish.bucket, places)
                if wish.action == .list {
                    try list(wish, bucket, service, output)
                } else {
                    try WaitedFor.value { await act(wish, bucket, service) }.get()
                }
                return nil
            } catch {
                return error
            }
        }
    }

    /// Why a command cannot reach the files of a database on a server; nil: this is a folder of its server.
    static func missingFolder(of configuration: Configuration) -> String? {
        guard configuration.database.isOnServer,
            access("\(configuration.data)/\(PoolFile.name)", F_OK) != 0
        else { return nil }
        return
            "files lie in the data folder of the server, and \(configuration.data) is none. Run the command on the server's "
            + "machine, and name the folder with --data"
    }

    private static func failure(_ error: FileError) -> Failure { Failure(message: error.reason ?? error.message) }

    private static func act(_ wish: Wish, _ bucket: String, _ service: FileService) async -> Result<Void, Failure> {
        let key = wish.key ?? ""
        do throws(FileError) {
            switch wish.action {
            case .list: break
            case .put: try await service.put(fileAt: wish.file ?? "", as: key, in: bucket, type: wish.type)
            case .remove:
                guard try await service.remove(key, in: bucket) else {
                    throw FileError.noSuchKey.because("there is no file \(key) in \(bucket)")
                }
            case .get: try await get(key, bucket, service, to: wish.file)
            }
            return .success(())
        } catch {
            return .failure(failure(error))
        }
    }

    /// The name of the meant bucket in requests.
    private static func bucket(_ name: String?, _ places: FilesSettings) throws(Failure) -> String {
        guard let name else {
            guard let usual = places.usual else {
                throw Failure(message: "there is no bucket; the project's rules are refused")
            }
            return usual.bucketName
        }
        guard let bucket = places.buckets.first(where: { $0.name == name || $0.bucketName == name }) else {
            let known = places.buckets.map(\.name).joined(separator: ", ")
            throw Failure(message: "there is no bucket \(name); there are: \(known)")
        }
        return bucket.bucketName
    }

    private static func list(
        _ wish: Wish, _ bucket: String, _ service: FileService, _ output: CommandOutput
    ) throws(Failure) {
        var last = ""
        while true {
            let page: [FileService.Listed]
            do throws(FileError) {
                page = try WaitedFor.value { [last] () async -> Result<[FileService.Listed], FileError> in
                    do throws(FileError) {
                        return .success(try await service.listed(wish.key ?? "", in: bucket, after: last))
                    } catch {
                        return .failure(error)
                    }
                }.get()
            } catch {
                throw failure(error)
            }
            for file in page { output.print(line(file, asJSON: wish.asJSON)) }
            guard let next = page.last?.key else { return }
            last = next
        }
    }

    private static func line(_ file: FileService.Listed, asJSON: Bool) -> String {
        let time = Timestamp(seconds: file.modified / 1_000, milliseconds: Int(file.modified % 1_000)).text
        guard asJSON else { return "\(time)  \(file.size)  \(file.key)" }
        return JSONWriter.text(
            of: [
                "key": .string(file.key), "size": .integer(file.size), "modified": .string(time),
                "etag": .string(file.tag),
            ])
    }

    /// Into a file under another name first: what has its name is complete.
    private static func get(
        _ key: String, _ bucket: String, _ service: FileService, to file: String?
    ) async throws(FileError) {
        let missing = FileError.noSuchKey.because("there is no file \(key) in \(bucket)")
        guard let file else {
            guard try await service.copy(key, in: bucket, to: STDOUT_FILENO) else { throw missing }
            return
        }
        func unwritable(_ name: String) -> FileError {
            .internalError.because("cannot write \(name): \(String(cString: strerror(errno)))")
        }
        let temporary = "\(file).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw unwritable(temporary) }
        var failure: FileError?
        do throws(FileError) {
            if try await !service.copy(key, in: bucket, to: descriptor) { failure = missing }
        } catch {
            failure = error
        }
        if failure == nil, rename(temporary, file) != 0 { failure = unwritable(file) }
        close(descriptor)
        guard let failure else { return }
        unlink(temporary)
        throw failure
    }
}
