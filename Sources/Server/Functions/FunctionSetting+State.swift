import Functions
import Glibc

extension FunctionSetting {
    /// Where it runs and whether its code is there, for people.
    func state(named name: String) -> String {
        if let url { return "at \(url)" }
        guard let settings = (try? self.settings(named: name)) ?? nil else { return "no code here" }
        switch settings.program {
        case .handler(let place):
            let file = place.file.hasPrefix("/") ? place.file : "\(settings.folder)/\(place.file)"
            let shown = ProjectLayout.shortened(place.file)
            return access(file, R_OK) == 0 ? "ready, \(shown)" : "\(shown) is not there"
        case .words(let words): return "ready, \(words.joined(separator: " "))"
        case .line(let line): return "ready, \(line)"
        }
    }
}
