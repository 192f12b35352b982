internal import StoreBasics
import StoreClient

/// The scenes of a run: each holds one text under the same key.
enum SampleScenes {
    static let count = 10_000
    static let key = "state"
    /// About the content of one saved message.
    static let valueBytes = 200

    /// - Parameter id: tells the value from others; `UUIDv7.textByteCount` characters.
    static func value(id: String) -> String {
        id + String(repeating: "x", count: valueBytes - UUIDv7.textByteCount)
    }
}

/// Sets the key of one scene per request, each scene with the same probability. No value comes twice, for setting what
/// is there already would write nothing.
struct SceneSetWorkload: Workload {
    let kinds = ["scene-set"]
    private let dataSet: DataSet
    private let template = RequestTemplate {
        BenchFrames.setSceneValue(
            requestID: $0, scene: RequestTemplate.Placeholder.first, key: SampleScenes.key,
            text: SampleScenes.value(id: RequestTemplate.Placeholder.second))
    }
    private var nextValue: Int
    private var random = SplitMix(seed: 1)

    /// - Parameter firstValue: number of the first value; greater than all that were set before.
    init(_ dataSet: DataSet, firstValue: Int) {
        self.dataSet = dataSet
        nextValue = firstValue
    }

    var requestBytesMax: Int { template.byteCount }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        let scene = Int(random.next() % UInt64(SampleScenes.count))
        let value = nextValue
        nextValue += 1
        let byteCount = template.write(
            requestID: requestID, first: dataSet.sceneName(scene), second: dataSet.messageID(value), to: buffer)
        return PreparedRequest(byteCount: byteCount, kind: 0, expectedResult: ResultField.committed)
    }
}
