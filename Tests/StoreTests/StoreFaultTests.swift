import CSQLite
import Postgres
import Testing

@testable import Store

@Suite("An error of the database, for whoever made a call")
struct StoreFaultTests {
    @Test("says whether to call again, what is wrong with a value, or nothing")
    func faults() {
        let faults: [(StoreError.Kind, StoreFault)] = [
            (.away, .unavailable), (.interrupted, .unavailable), (.stopped, .unavailable), (.locked, .unavailable),
            (.overloaded, .busy), (.tooManyChanges, .busy), (.invalidValue, .value("why")), (.tooLarge, .value("why")),
            (.diskFull, .failed), (.readOnly, .failed), (.corrupt, .failed), (.inputOutput, .failed),
            (.invalidArgument, .failed), (.unexpected, .failed),
        ]
        for (kind, fault) in faults {
            #expect(StoreFault(of: StoreError(kind, "database /path: why", told: "why")) == fault, "\(kind)")
        }
        struct Other: Error {}
        #expect(StoreFault(of: Other()) == .failed)
    }

    @Test("tells of a value without the file or the host")
    func told() {
        let file = StoreError(code: SQLITE_TOOBIG, detail: "string or blob too big", path: "/private/data.sqlite")
        let server = StoreError(PostgresError.misuse(.zeroByte(index: 0)), at: "db.private:5432")
        for (error, path) in [(file, "/private/data.sqlite"), (server, "db.private:5432")] {
            #expect(error.message.contains(path) && !error.told.contains("private"), "\(error.told)")
            #expect(StoreFault(error) == .value(error.told))
        }
    }
}
