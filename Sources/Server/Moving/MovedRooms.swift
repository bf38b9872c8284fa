import Console
import Events
import Files
import Items
import Outbox
import Parameters
import Queues
import Store
import UserPool
import Workflows

extension RoomTables {
    /// The tables of all rooms above `Store`, which a move of a database takes along. A test compares them with the sources.
    static var ofAllRooms: [RoomTables] {
        ofQueues + ofWorkflows + ofUsers + ofFiles + ofOutbox + ofItems + ofConsole + ofEvents + ofParameters
            + [ScheduleBook.tables, MoveState.tables]
    }
}
