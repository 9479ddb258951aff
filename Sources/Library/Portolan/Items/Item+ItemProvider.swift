extension Item {
    /// Makes an item of an item provider's representations, in the order of their registrations. No data is loaded
    /// before a peer takes it.
    ///
    /// - Parameter title: nil takes the provider's suggested name.
    public init(_ provider: NSItemProvider, title: String? = nil) {
        self.init(
            title: title ?? provider.suggestedName,
            representations: provider.exportableRepresentations().map(ItemRepresentation.init))
    }

    /// The item as a provider, for code that takes one. Its representations are produced when they are loaded.
    public func makeItemProvider() -> NSItemProvider {
        let provider = NSItemProvider()
        for representation in representations {
            switch representation.content {
            case .bytes(let produce):
                provider.registerDataRepresentation(
                    for: representation.contentType, visibility: NSItemProviderRepresentationVisibility(representation)
                ) { handler in
                    Task {
                        do {
                            handler(try await produce(), nil)
                        } catch {
                            handler(nil, error)
                        }
                    }
                    return nil
                }
            case .file(let produce):
                provider.registerFileRepresentation(
                    for: representation.contentType, visibility: NSItemProviderRepresentationVisibility(representation)
                ) { handler in
                    Task {
                        do {
                            handler(try await produce().file, false, nil)
                        } catch {
                            handler(nil, false, error)
                        }
                    }
                    return nil
                }
            case .stream:
                // A stream can be read once, but a provider may be asked repeatedly.
                continue
            }
        }
        provider.suggestedName = title
        return provider
    }
}

extension NSItemProviderRepresentationVisibility {
    /// A provider knows levels but no audience, and a default team would replace the audience. A representation for a
    /// certain team or group therefore stays in this process, where it can still be loaded.
    fileprivate init(_ representation: ItemRepresentation) {
        self =
            switch (representation.requested, representation.kept) {
            case (.level(.all), .everyone), (.exactly(.everyone), .everyone): .all
            case (.level(.team), .everyone): .team
            case (.level(.group), .everyone): .group
            default: .ownProcess
            }
    }
}
