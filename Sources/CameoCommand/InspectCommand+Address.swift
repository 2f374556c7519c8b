import Cameo
import Dispatch
import Transfer

extension InspectCommand {
    /// What there is to show of the picture at an address, of which no more is read than that takes.
    static func look(
        atAddress path: FilePath, _ client: TransferClient, _ settings: Settings, _ inspector: PictureInspector
    ) throws(ResultLine.Failure) -> Seen {
        let picture: RemotePicture
        do throws(TransferError) {
            picture = RemotePicture(
                address: try RemoteAddress(path), client: client, options: settings.options,
                isCalledOff: deadline(settings.options.limits.seconds))
        } catch {
            throw .init("unreadable", stage: .line, "\(RemoteAddress.shown(path)): \(error)")
        }
        let fetched = try transfer(picture) { () throws(TransferError) in
            try picture.fetch { head, count in
                settings.findsFaces
                    ? .faces(.standard, head, count: count, options: settings.options) : .header(head, count: count)
            }
        }
        let name = FilePath(picture.address.shown)
        if let refusal = picture.refusal(of: fetched) { throw .init(refusal, of: name) }
        do throws(RenderError) {
            return try look(at: picture.source(fetched), inspector)
        } catch {
            guard case .incomplete = error else { throw .init(error, of: name) }
        }
        let whole = try transfer(picture) { () throws(TransferError) in try picture.complete(fetched) }
        do throws(RenderError) {
            return try look(at: picture.source(whole), inspector)
        } catch {
            throw .init(error, of: name)
        }
    }

    private static func transfer(
        _ picture: RemotePicture, _ body: () throws(TransferError) -> Fetched
    ) throws(ResultLine.Failure) -> Fetched {
        do throws(TransferError) {
            return try body()
        } catch {
            throw .init(error, of: picture.address)
        }
    }

    /// Tells whether so many seconds are over, counted from now.
    private static func deadline(_ seconds: Double) -> () -> Bool {
        let start = DispatchTime.now().uptimeNanoseconds
        return { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 > seconds }
    }
}
