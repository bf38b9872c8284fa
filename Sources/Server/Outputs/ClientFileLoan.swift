import Glibc
import JSON
import Network
import Synchronization

/// The files that an app loads, written for as long as a command runs beside its server, and put back then.
///
/// One server of a data folder has them at a time: others leave them alone.
final class ClientFileLoan: Sendable {
    private static let lockName = "outputs.lock"

    private let folder: String
    private let log: Log
    private let state = Mutex<(lock: Int32, files: [ClientFileKeeper.Former])>((-1, []))

    /// - Parameter folder: the data folder.
    init(in folder: String, _ log: Log) {
        self.folder = folder
        self.log = log
    }

    /// Writes them.
    func begin(_ file: ClientFile, at paths: [String]) {
        guard !paths.isEmpty, lock() else { return }
        let keeper = ClientFileKeeper(in: folder) { _ in }
        for path in paths {
            do throws(ClientFile.Refusal) {
                let former = try keeper.write(file, to: path)
                state.withLock { $0.files.append(former) }
            } catch {
                log.warning("no file for apps: \(error.message)")
            }
        }
    }

    /// Puts back what was there, once.
    func end() {
        state.withLock { state in
            let keeper = ClientFileKeeper(in: folder) { [log] in log.warning($0) }
            for former in state.files.reversed() {
                do throws(ClientFile.Refusal) { try keeper.takeBack(former) } catch { log.warning(error.message) }
            }
            state.files = []
            if state.lock >= 0 { close(state.lock) }
            state.lock = -1
        }
    }

    /// The system ends it with the process.
    private func lock() -> Bool {
        let path = "\(folder)/\(Self.lockName)"
        do throws(SystemError) { try DataFolder.make(folder) } catch {
            log.warning("no file for apps: \(error)")
            return false
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isBusy = descriptor >= 0 && errno == EWOULDBLOCK
            if descriptor >= 0 { close(descriptor) }
            log.warning(
                isBusy
                    ? "another `homeport exec` has written the app's file, and it leads to that server; this one's is in "
                        + "AMPLIFY_OUTPUTS"
                    : "no file for apps: cannot lock \(path)")
            return false
        }
        state.withLock { $0.lock = descriptor }
        return true
    }
}
