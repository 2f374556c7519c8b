import Foundation

/// All that one run of the benchmark measured.
package struct Results: Codable, Sendable {
    /// One combination, measured as often as was asked for.
    package struct Entry: Codable, Sendable {
        /// What was replayed.
        package var spec: RunSpec
        /// Each time.
        package var measurements: [Measurement]
    }

    /// When it began, as ISO 8601.
    package var date: String
    /// The machine.
    package var machine: Machine
    /// A sentence on the photos.
    package var photos: String
    /// What making the tables of pixels took.
    package var table: PixelTable.Making?
    /// The traces that were replayed.
    package var traces: [Trace]
    /// What was measured.
    package var entries: [Entry] = []

    /// Nothing measured yet.
    package init(date: Date, machine: Machine, photos: String, traces: [Trace]) {
        self.date = date.formatted(.iso8601)
        self.machine = machine
        self.photos = photos
        self.traces = traces
    }

    /// Adds a measurement.
    package mutating func add(_ spec: RunSpec, _ measurement: Measurement) {
        if let index = entries.firstIndex(where: { $0.spec == spec }) {
            entries[index].measurements.append(measurement)
        } else {
            entries.append(Entry(spec: spec, measurements: [measurement]))
        }
    }

    /// What was measured of `spec`.
    package func entry(_ spec: RunSpec) -> Entry? { entries.first { $0.spec == spec } }

    /// The sizes of library that were measured, ascending.
    package var libraries: [Int] { Set(entries.map(\.spec.library)).sorted() }

    /// As JSON that is the same for the same results.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension Results.Entry {
    /// The median of a figure over the times, and its smallest and largest.
    package func spread(_ figure: (Measurement) -> Double) -> (median: Double, low: Double, high: Double) {
        let values = measurements.map(figure).sorted()
        guard let low = values.first, let high = values.last else { return (0, 0, 0) }
        let middle = values.count / 2
        let median = values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
        return (median, low, high)
    }

    /// The median of a figure.
    package func median(_ figure: (Measurement) -> Double) -> Double { spread(figure).median }
}

/// What the benchmark ran on.
package struct Machine: Codable, Hashable, Sendable {
    /// The processor's name.
    package var processor: String
    /// Processors that are on line.
    package var cores: Int
    /// Bytes of memory.
    package var memory: Int
    /// The kernel.
    package var system: String
    /// The nice value that the display's thread was allowed: below 0 it goes before others.
    package var displayNice: Int
    /// The load of the last minute when the benchmark began: what else was running.
    package var load: Double

    /// This machine, now.
    package static var current: Machine {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let name = text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
        let processor = name?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown"
        return Machine(
            processor: processor, cores: ProcessInfo.processInfo.activeProcessorCount,
            memory: Int(ProcessInfo.processInfo.physicalMemory),
            system: "Linux " + text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines),
            displayNice: RealDisplay.raisePriority(),
            load: Double(text("/proc/loadavg").split(separator: " ").first ?? "") ?? 0)
    }
}
