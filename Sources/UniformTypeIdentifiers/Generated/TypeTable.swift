// Generated; do not edit. Made by: swift run GenerateTypeTable table Tests/GenerateTypeTable/system-types.tsv Config/linux-types.plist
// swift-format-ignore-file

/// Every type known without being declared at run time: literals only, so that nothing is built before the
/// first question. Rows are sorted by lower-case identifier; `BuiltInTypes` reads them.
enum TypeTable {
    static let identifiers: [String] = [
        "ca.mcgill.mni.bic.mnc",
        "com.adobe.edn",
        "com.adobe.encapsulated-postscript",
        "com.adobe.etd",
        "com.adobe.fdf",
        "com.adobe.flash.video",
        "com.adobe.illustrator.ai-image",
        "com.adobe.pdf",
        "com.adobe.photoshop-image",
        "com.adobe.photoshop-large-image",
        "com.adobe.postscript",
        "com.adobe.postscript-font",
        "com.adobe.postscript-lwfn-font",
        "com.adobe.postscript-pfa-font",
        "com.adobe.postscript-pfb-font",
        "com.adobe.raw-image",
        "com.adobe.xfdf",
        "com.allume.stuffit-archive",
        "com.apple.accounts-icon",
        "com.apple.active-webpage",
        "com.apple.afp-internet-location",
        "com.apple.airdrop",
        "com.apple.alert",
        "com.apple.alert-caution",
        "com.apple.alert-note",
        "com.apple.alert-stop",
        "com.apple.alias-file",
        "com.apple.alias-record",
        "com.apple.applescript.script",
        "com.apple.applescript.script-bundle",
        "com.apple.applescript.text",
        "com.apple.applesingle-archive",
        "com.apple.application",
        "com.apple.application-and-system-extension",
        "com.apple.application-bundle",
        "com.apple.application-file",
        "com.apple.application-placeholder",
        "com.apple.applications-folder",
        "com.apple.archive",
        "com.apple.arobject",
        "com.apple.ascii-property-list",
        "com.apple.audio-unit-preset",
        "com.apple.binary-property-list",
        "com.apple.binhex-archive",
        "com.apple.bom-archive",
        "com.apple.bom-compressed-cpio",
        "com.apple.bonjour",
        "com.apple.bookmark",
        "com.apple.bundle",
        "com.apple.cinema-display",
        "com.apple.cocoa.pasteboard.character-formatting",
        "com.apple.cocoa.pasteboard.color",
        "com.apple.cocoa.pasteboard.find-panel-search-options",
        "com.apple.cocoa.pasteboard.multiple-text-selection",
        "com.apple.cocoa.pasteboard.paragraph-formatting",
        "com.apple.cocoa.pasteboard.sound",
        "com.apple.color-file",
        "com.apple.colorsync-profile",
        "com.apple.configprofile",
        "com.apple.coreaudio-format",
        "com.apple.coreml.mlpackage",
        "com.apple.coreml.model",
        "com.apple.crashreport",
        "com.apple.csstore",
        "com.apple.dashboard-widget",
        "com.apple.data-container",
        "com.apple.deprecated-application-file",
        "com.apple.desktop-folder",
        "com.apple.developer-folder",
        "com.apple.device",
        "com.apple.device-model-code",
        "com.apple.document-type",
        "com.apple.document-type.dictionary",
        "com.apple.document-type.system-folder",
        "com.apple.documents-folder",
        "com.apple.dot-mac",
        "com.apple.downloads-folder",
        "com.apple.drawing",
        "com.apple.driver-extension",
        "com.apple.drop-folder",
        "com.apple.encrypted-archive",
        "com.apple.everyone-icon",
        "com.apple.file-internet-location",
        "com.apple.file-server",
        "com.apple.file-system-plug-in",
        "com.apple.file-vault",
        "com.apple.finder.burn-folder",
        "com.apple.finder.clipping",
        "com.apple.finder.pictclipping",
        "com.apple.finder.recent-items",
        "com.apple.finder.smart-folder",
        "com.apple.finder.sound-clipping",
        "com.apple.finder.textclipping",
        "com.apple.flat-rtfd",
        "com.apple.font-suitcase",
        "com.apple.framework",
        "com.apple.ftp-internet-location",
        "com.apple.garageband.project",
        "com.apple.generic-airdisk",
        "com.apple.generic-bundle",
        "com.apple.generic-internet-location",
        "com.apple.generic-stationery",
        "com.apple.generic-time-machine-disk",
        "com.apple.gpuRestart",
        "com.apple.groupactivities.activity",
        "com.apple.groups-folder",
        "com.apple.guest-user",
        "com.apple.hangreport",
        "com.apple.haptics.ahap",
        "com.apple.help-document",
        "com.apple.home-folder",
        "com.apple.homebuttonless-device",
        "com.apple.homebuttonless-ipad",
        "com.apple.homebuttonless-iphone",
        "com.apple.homepod",
        "com.apple.ical.ics",
        "com.apple.ical.vcs",
        "com.apple.iCloud",
        "com.apple.icloud-file-fault",
        "com.apple.icns",
        "com.apple.icon-decoration",
        "com.apple.icon-decoration-position",
        "com.apple.icon-decoration-position.center",
        "com.apple.icon-decoration-position.leading-bottom",
        "com.apple.icon-decoration-position.overlay",
        "com.apple.icon-decoration-position.trailing-bottom",
        "com.apple.icon-decoration.badge",
        "com.apple.icon-decoration.badge.checkmark",
        "com.apple.icon-decoration.badge.comments",
        "com.apple.icon-decoration.badge.drop-folder",
        "com.apple.icon-decoration.badge.heart",
        "com.apple.icon-decoration.badge.in-review",
        "com.apple.icon-decoration.badge.locked",
        "com.apple.icon-decoration.badge.locked-by-collaborator",
        "com.apple.icon-decoration.badge.locked-by-user",
        "com.apple.icon-decoration.badge.pinned",
        "com.apple.icon-decoration.badge.private-folder",
        "com.apple.icon-decoration.badge.syncing",
        "com.apple.icon-decoration.badge.trending",
        "com.apple.icon-decoration.badge.warning",
        "com.apple.icon-decoration.emboss",
        "com.apple.icon-decoration.system",
        "com.apple.icon-decoration.system.alias",
        "com.apple.icon-decoration.system.caution-alert",
        "com.apple.icon-decoration.system.new-folder",
        "com.apple.icon-decoration.system.unsupported",
        "com.apple.icon-overlay.alert-caution-badge",
        "com.apple.icon-overlay.alias-badge",
        "com.apple.icon-overlay.drop-folder-badge",
        "com.apple.icon-overlay.locked-badge",
        "com.apple.icon-overlay.new-folder-badge",
        "com.apple.icon-overlay.private-folder",
        "com.apple.icon-overlay.private-folder-badge",
        "com.apple.icon-overlay.unsupported-badge",
        "com.apple.iconset",
        "com.apple.idisk",
        "com.apple.iig-source",
        "com.apple.iMovieLibrary",
        "com.apple.iMovieTheater",
        "com.apple.ink.inktext",
        "com.apple.installer-distribution-package",
        "com.apple.installer-meta-package",
        "com.apple.installer-package",
        "com.apple.installer-package-archive",
        "com.apple.intelligentsuggestions.assets",
        "com.apple.internet-location",
        "com.apple.ios-device",
        "com.apple.ios-simulator",
        "com.apple.ipad",
        "com.apple.iphone",
        "com.apple.iphone-8",
        "com.apple.iphone-8-plus",
        "com.apple.iphone-x",
        "com.apple.ipod-classic",
        "com.apple.ipod-mini",
        "com.apple.ipod-nano",
        "com.apple.ipod-shuffle",
        "com.apple.ipod-shuffle-gen1",
        "com.apple.ipod-shuffle-gen2",
        "com.apple.ipod-shuffle-gen3",
        "com.apple.ipod-shuffle-gen4",
        "com.apple.itunes.store-url",
        "com.apple.iWork.Keynote.key",
        "com.apple.iWork.Keynote.key-tef",
        "com.apple.iWork.Keynote.kth",
        "com.apple.iWork.Keynote.sffkey",
        "com.apple.iWork.Keynote.sffkth",
        "com.apple.iWork.Numbers.numbers",
        "com.apple.iWork.Numbers.numbers-tef",
        "com.apple.iWork.Numbers.sffnumbers",
        "com.apple.iWork.Numbers.sfftemplate",
        "com.apple.iWork.Numbers.template",
        "com.apple.iWork.Pages.pages",
        "com.apple.iWork.Pages.pages-tef",
        "com.apple.iWork.Pages.sffpages",
        "com.apple.iWork.Pages.sfftemplate",
        "com.apple.iWork.Pages.template",
        "com.apple.kernel-extension",
        "com.apple.keynote.key",
        "com.apple.keynote.kth",
        "com.apple.ktrace",
        "com.apple.led-cinema-display-24",
        "com.apple.led-cinema-display-27",
        "com.apple.legacy-ipod",
        "com.apple.legacy.actions-icon",
        "com.apple.legacy.backward-arrow",
        "com.apple.legacy.burn",
        "com.apple.legacy.clock-icon",
        "com.apple.legacy.connect-to",
        "com.apple.legacy.customize-toolbar",
        "com.apple.legacy.delete-toolbar",
        "com.apple.legacy.eject-media",
        "com.apple.legacy.erasing",
        "com.apple.legacy.favorite-items",
        "com.apple.legacy.finder-icon",
        "com.apple.legacy.forward-arrow",
        "com.apple.legacy.general-icon",
        "com.apple.legacy.grid",
        "com.apple.legacy.keep-arranged",
        "com.apple.legacy.locked",
        "com.apple.legacy.magnifying-glass",
        "com.apple.legacy.multiple-items",
        "com.apple.legacy.no-write",
        "com.apple.legacy.open-folder",
        "com.apple.legacy.question-mark",
        "com.apple.legacy.right-container-arrow",
        "com.apple.legacy.sidebar-prefs-icon",
        "com.apple.legacy.synchronize",
        "com.apple.legacy.toolbar-advanced-icon",
        "com.apple.legacy.toolbar-info-icon",
        "com.apple.legacy.toolbar-labels-icon",
        "com.apple.legacy.unlocked",
        "com.apple.legacy.window",
        "com.apple.library-folder",
        "com.apple.linkpresentation.metadata",
        "com.apple.live-photo",
        "com.apple.localizable-name-bundle",
        "com.apple.localized-pdf-bundle",
        "com.apple.log",
        "com.apple.m4a-audio",
        "com.apple.m4v-video",
        "com.apple.mac",
        "com.apple.macbinary-archive",
        "com.apple.mach-o-binary",
        "com.apple.mach-o-bundle",
        "com.apple.mach-o-core",
        "com.apple.mach-o-dylib",
        "com.apple.mach-o-executable",
        "com.apple.mach-o-object",
        "com.apple.macmini",
        "com.apple.macpaint-image",
        "com.apple.mail-internet-location",
        "com.apple.mapkit.map-item",
        "com.apple.menu-extra",
        "com.apple.metadata-importer",
        "com.apple.mobileconfig",
        "com.apple.mobileprovision",
        "com.apple.mount-point",
        "com.apple.movie-folder",
        "com.apple.mpeg-4-ringtone",
        "com.apple.music-folder",
        "com.apple.network-neighborhood",
        "com.apple.news-internet-location",
        "com.apple.not-loaded",
        "com.apple.notifications",
        "com.apple.nspboard-type",
        "com.apple.ostype",
        "com.apple.package",
        "com.apple.panicreport",
        "com.apple.pasteboard.promised-file-content-type",
        "com.apple.pasteboard.promised-file-url",
        "com.apple.pef-binary",
        "com.apple.pict",
        "com.apple.pictures-folder",
        "com.apple.pkpass",
        "com.apple.pkpass-data",
        "com.apple.pkpasses-data",
        "com.apple.plugin",
        "com.apple.pluginkit",
        "com.apple.ppp-plug-in",
        "com.apple.private.live-photo-bundle",
        "com.apple.pro-display-xdr",
        "com.apple.profile-background-color",
        "com.apple.profile-font-and-color",
        "com.apple.profile-font-icon",
        "com.apple.property-list",
        "com.apple.protected-mpeg-4-audio",
        "com.apple.protected-mpeg-4-audio-b",
        "com.apple.protected-mpeg-4-video",
        "com.apple.provisionprofile",
        "com.apple.public-folder",
        "com.apple.quartz-composer-composition",
        "com.apple.quicklook-generator",
        "com.apple.quicktime-image",
        "com.apple.quicktime-movie",
        "com.apple.reality",
        "com.apple.resolvable",
        "com.apple.rez-source",
        "com.apple.rtfd",
        "com.apple.scenekit.scene",
        "com.apple.scripting-definition",
        "com.apple.server-applications-folder",
        "com.apple.servers-folder",
        "com.apple.service-application",
        "com.apple.shazamcatalog",
        "com.apple.shazamsignature",
        "com.apple.shutdownStall",
        "com.apple.sites-folder",
        "com.apple.spinreport",
        "com.apple.storage-external",
        "com.apple.storage-internal",
        "com.apple.storage-netboot",
        "com.apple.storage-removable",
        "com.apple.structured-text",
        "com.apple.structured-text.address",
        "com.apple.structured-text.date",
        "com.apple.structured-text.telephone-number",
        "com.apple.structured-text.transit-information",
        "com.apple.symbol-export",
        "com.apple.system-extension",
        "com.apple.systempreference.prefpane",
        "com.apple.systempreference.screen-saver",
        "com.apple.systempreference.screen-slide-saver",
        "com.apple.traditional-mac-plain-text",
        "com.apple.trash-empty",
        "com.apple.trash-full",
        "com.apple.truetype-datafork-suitcase-font",
        "com.apple.txn.text-multimedia-data",
        "com.apple.unknown-object",
        "com.apple.user",
        "com.apple.user-group",
        "com.apple.user-idisk",
        "com.apple.user-unknown",
        "com.apple.users-folder",
        "com.apple.utilities-folder",
        "com.apple.vnc-internet-location",
        "com.apple.watchface",
        "com.apple.web-internet-location",
        "com.apple.webarchive",
        "com.apple.webkit-plugin",
        "com.apple.x11-mach-o-executable",
        "com.apple.xar-archive",
        "com.apple.xcode.dsym",
        "com.apple.xip-archive",
        "com.apple.xml-property-list",
        "com.apple.xpc-service",
        "com.audible.aa-audio",
        "com.audible.aa-audiobook",
        "com.audible.aax-audiobook",
        "com.avid.open-media-framework",
        "com.canon.cr2-raw-image",
        "com.canon.cr3-raw-image",
        "com.canon.crw-raw-image",
        "com.canon.tif-raw-image",
        "com.compuserve.gif",
        "com.digidesign.sd2-audio",
        "com.dxo.raw-image",
        "com.epson.raw-image",
        "com.facebook.zstandard-archive",
        "com.fuji.raw-image",
        "com.google.earth.kml",
        "com.hasselblad.3fr-raw-image",
        "com.hasselblad.fff-raw-image",
        "com.ilm.openexr-image",
        "com.j2.efx-fax",
        "com.j2.jfx-fax",
        "com.kodak.flashpix-image",
        "com.kodak.raw-image",
        "com.konicaminolta.raw-image",
        "com.leafamerica.raw-image",
        "com.leica.pwl-raw-image",
        "com.leica.raw-image",
        "com.leica.rwl-raw-image",
        "com.microsoft.advanced-stream-redirector",
        "com.microsoft.advanced-systems-format",
        "com.microsoft.bmp",
        "com.microsoft.cab",
        "com.microsoft.excel.sheet.binary.macroenabled",
        "com.microsoft.excel.xla",
        "com.microsoft.excel.xls",
        "com.microsoft.excel.xlt",
        "com.microsoft.excel.xlw",
        "com.microsoft.ico",
        "com.microsoft.internet-shortcut",
        "com.microsoft.powerpoint.pot",
        "com.microsoft.powerpoint.pps",
        "com.microsoft.powerpoint.ppt",
        "com.microsoft.typescript",
        "com.microsoft.waveform-audio",
        "com.microsoft.windows-dynamic-link-library",
        "com.microsoft.windows-executable",
        "com.microsoft.windows-media-wax",
        "com.microsoft.windows-media-wm",
        "com.microsoft.windows-media-wma",
        "com.microsoft.windows-media-wmp",
        "com.microsoft.windows-media-wmv",
        "com.microsoft.windows-media-wmx",
        "com.microsoft.windows-media-wvx",
        "com.microsoft.word.doc",
        "com.microsoft.word.dot",
        "com.microsoft.word.wordml",
        "com.netscape.javascript-source",
        "com.nikon.nrw-raw-image",
        "com.nikon.raw-image",
        "com.olympus.or-raw-image",
        "com.olympus.raw-image",
        "com.olympus.sr-raw-image",
        "com.panasonic.raw-image",
        "com.panasonic.rw2-raw-image",
        "com.pentax.raw-image",
        "com.phaseone.raw-image",
        "com.pixar.universal-scene-description",
        "com.pixar.universal-scene-description-mobile",
        "com.pkware.zip-archive",
        "com.rarlab.rar-archive",
        "com.real.realaudio",
        "com.real.realmedia",
        "com.real.realmedia-vbr",
        "com.redhat.rpm-archive",
        "com.rsa.pkcs-12",
        "com.samsung.raw-image",
        "com.scenarist.closed-caption",
        "com.sgi.sgi-image",
        "com.sony.arw-raw-image",
        "com.sony.raw-image",
        "com.sony.sr2-raw-image",
        "com.sony.wave64",
        "com.soundblaster.soundfont",
        "com.stuffit.archive.sidx",
        "com.stuffit.archive.sit",
        "com.stuffit.archive.sitx",
        "com.sun.java-archive",
        "com.sun.java-class",
        "com.sun.java-source",
        "com.sun.java-web-start",
        "com.sun.web-application-archive",
        "com.topografix.gpx",
        "com.truevision.tga-image",
        "gov.nih.nifti-1",
        "net.daringfireball.markdown",
        "org.3gpp.adaptive-multi-rate-audio",
        "org.7-zip.7-zip-archive",
        "org.aafassociation.advanced-authoring-format",
        "org.debian.deb-archive",
        "org.gnu.gnu-tar-archive",
        "org.gnu.gnu-zip-archive",
        "org.gnu.gnu-zip-tar-archive",
        "org.golang.go-script",
        "org.idpf.epub-container",
        "org.iso.sql",
        "org.jupyter.ipynb",
        "org.khronos.collada.digital-asset-exchange",
        "org.khronos.glb",
        "org.khronos.gltf",
        "org.kotlinlang.source",
        "org.matroska.mkv",
        "org.nema.dicom",
        "org.oasis-open.opendocument",
        "org.oasis-open.opendocument.chart",
        "org.oasis-open.opendocument.chart-template",
        "org.oasis-open.opendocument.database",
        "org.oasis-open.opendocument.formula",
        "org.oasis-open.opendocument.formula-template",
        "org.oasis-open.opendocument.graphics",
        "org.oasis-open.opendocument.graphics-template",
        "org.oasis-open.opendocument.image",
        "org.oasis-open.opendocument.image-template",
        "org.oasis-open.opendocument.presentation",
        "org.oasis-open.opendocument.presentation-template",
        "org.oasis-open.opendocument.spreadsheet",
        "org.oasis-open.opendocument.spreadsheet-template",
        "org.oasis-open.opendocument.text",
        "org.oasis-open.opendocument.text-master",
        "org.oasis-open.opendocument.text-template",
        "org.oasis-open.opendocument.text-web",
        "org.openoffice.formula",
        "org.openoffice.graphics",
        "org.openoffice.graphics-template",
        "org.openoffice.presentation",
        "org.openoffice.presentation-template",
        "org.openoffice.spreadsheet",
        "org.openoffice.spreadsheet-template",
        "org.openoffice.text",
        "org.openoffice.text-master",
        "org.openoffice.text-template",
        "org.openxmlformats.openxml",
        "org.openxmlformats.presentationml.presentation",
        "org.openxmlformats.presentationml.presentation.macroenabled",
        "org.openxmlformats.presentationml.slideshow",
        "org.openxmlformats.presentationml.slideshow.macroenabled",
        "org.openxmlformats.presentationml.template",
        "org.openxmlformats.presentationml.template.macroenabled",
        "org.openxmlformats.spreadsheetml.sheet",
        "org.openxmlformats.spreadsheetml.sheet.macroenabled",
        "org.openxmlformats.spreadsheetml.template",
        "org.openxmlformats.spreadsheetml.template.macroenabled",
        "org.openxmlformats.wordprocessingml.document",
        "org.openxmlformats.wordprocessingml.document.macroenabled",
        "org.openxmlformats.wordprocessingml.template",
        "org.openxmlformats.wordprocessingml.template.macroenabled",
        "org.rust-lang.rust-script",
        "org.smpte.mxf",
        "org.sqlite.v3",
        "org.tug.tex",
        "org.tukaani.tar-xz-archive",
        "org.tukaani.xz-archive",
        "org.w3.webvtt",
        "org.w3c.woff",
        "org.w3c.woff2",
        "org.webmproject.webm",
        "org.webmproject.webp",
        "org.xiph.flac",
        "org.xiph.ogg-audio",
        "org.xiph.ogv",
        "org.xiph.opus",
        "public.3d-content",
        "public.3gpp",
        "public.3gpp2",
        "public.aac-audio",
        "public.ac3-audio",
        "public.ada-source",
        "public.aifc-audio",
        "public.aiff-audio",
        "public.alembic",
        "public.app-category",
        "public.app-category.action-games",
        "public.app-category.adventure-games",
        "public.app-category.arcade-games",
        "public.app-category.board-games",
        "public.app-category.bookmarks",
        "public.app-category.books",
        "public.app-category.business",
        "public.app-category.card-games",
        "public.app-category.casino-games",
        "public.app-category.developer-tools",
        "public.app-category.dice-games",
        "public.app-category.education",
        "public.app-category.educational-games",
        "public.app-category.entertainment",
        "public.app-category.family-games",
        "public.app-category.finance",
        "public.app-category.food-and-drink",
        "public.app-category.games",
        "public.app-category.graphics-design",
        "public.app-category.healthcare-fitness",
        "public.app-category.kids-games",
        "public.app-category.lifestyle",
        "public.app-category.magazines-and-newspapers",
        "public.app-category.medical",
        "public.app-category.music",
        "public.app-category.music-games",
        "public.app-category.navigation",
        "public.app-category.news",
        "public.app-category.photography",
        "public.app-category.photography-and-video",
        "public.app-category.productivity",
        "public.app-category.puzzle-games",
        "public.app-category.racing-games",
        "public.app-category.reference",
        "public.app-category.role-playing-games",
        "public.app-category.shopping",
        "public.app-category.simulation-games",
        "public.app-category.social-networking",
        "public.app-category.sports",
        "public.app-category.sports-games",
        "public.app-category.strategy-games",
        "public.app-category.travel",
        "public.app-category.trivia-games",
        "public.app-category.utilities",
        "public.app-category.video",
        "public.app-category.weather",
        "public.app-category.word-games",
        "public.archive",
        "public.assembly-source",
        "public.au-audio",
        "public.audio",
        "public.audiovisual-content",
        "public.audiovisual-content-collection",
        "public.avchd-collection",
        "public.avci",
        "public.avcs",
        "public.avi",
        "public.avif",
        "public.avis",
        "public.bash-script",
        "public.block-special",
        "public.bookmark",
        "public.bzip2-archive",
        "public.c-header",
        "public.c-plus-plus-header",
        "public.c-plus-plus-inline-header",
        "public.c-plus-plus-source",
        "public.c-plus-plus-source.preprocessed",
        "public.c-source",
        "public.c-source.preprocessed",
        "public.calendar-event",
        "public.camera-raw-image",
        "public.case-insensitive-text",
        "public.cd-based-media",
        "public.cd-media",
        "public.cd-r-media",
        "public.cd-rw-media",
        "public.cdda-audio",
        "public.character-special",
        "public.comma-separated-values-text",
        "public.composite-content",
        "public.computer",
        "public.contact",
        "public.content",
        "public.cpio-archive",
        "public.csh-script",
        "public.css",
        "public.data",
        "public.database",
        "public.delimited-values-text",
        "public.device",
        "public.directory",
        "public.disk-image",
        "public.display",
        "public.downloadable-sound",
        "public.dv-movie",
        "public.dvd-based-media",
        "public.dvd-media",
        "public.dvd-plus-r-media",
        "public.dvd-plus-rw-media",
        "public.dvd-r-media",
        "public.dvd-ram-media",
        "public.dvd-rw-media",
        "public.dylan-source",
        "public.elf-binary",
        "public.email-message",
        "public.enhanced-ac3-audio",
        "public.executable",
        "public.fax",
        "public.file-sharepoint",
        "public.file-url",
        "public.filename-extension",
        "public.flc-animation",
        "public.folder",
        "public.font",
        "public.fortran-77-source",
        "public.fortran-90-source",
        "public.fortran-95-source",
        "public.fortran-source",
        "public.geojson",
        "public.geometry-definition-format",
        "public.haptics-content",
        "public.hd-dvd-based-media",
        "public.hd-dvd-media",
        "public.hd-dvd-r-media",
        "public.hd-dvd-ram-media",
        "public.hd-dvd-rw-media",
        "public.heic",
        "public.heics",
        "public.heif",
        "public.heif-standard",
        "public.heifs",
        "public.html",
        "public.image",
        "public.item",
        "public.jpeg",
        "public.jpeg-2000",
        "public.jpeg-xl",
        "public.json",
        "public.ksh-script",
        "public.lex-source",
        "public.log",
        "public.m3u-playlist",
        "public.make-source",
        "public.message",
        "public.midi-audio",
        "public.mig-source",
        "public.mime-type",
        "public.movie",
        "public.mp2",
        "public.mp3",
        "public.mp4a-latm",
        "public.mp4a-loas",
        "public.mpeg",
        "public.mpeg-2-transport-stream",
        "public.mpeg-2-video",
        "public.mpeg-4",
        "public.mpeg-4-audio",
        "public.mpo-image",
        "public.named-pipe",
        "public.ndjson",
        "public.object-code",
        "public.objective-c-plus-plus-source",
        "public.objective-c-plus-plus-source.preprocessed",
        "public.objective-c-source",
        "public.objective-c-source.preprocessed",
        "public.ofd",
        "public.opentype-collection-font",
        "public.opentype-font",
        "public.optical-storage-media",
        "public.pascal-source",
        "public.patch-file",
        "public.perl-script",
        "public.php-script",
        "public.plain-text",
        "public.playlist",
        "public.pls-playlist",
        "public.png",
        "public.polygon-file-format",
        "public.precompiled-c-header",
        "public.precompiled-c-plus-plus-header",
        "public.presentation",
        "public.python-script",
        "public.rss",
        "public.rtf",
        "public.ruby-script",
        "public.script",
        "public.shell-script",
        "public.socket",
        "public.source-code",
        "public.source-code.preprocessed",
        "public.speaker",
        "public.spreadsheet",
        "public.standard-tesselated-geometry-format",
        "public.storage",
        "public.stored-url",
        "public.svg-image",
        "public.swift-source",
        "public.symlink",
        "public.tab-separated-values-text",
        "public.tar-archive",
        "public.tar-bzip2-archive",
        "public.tcsh-script",
        "public.text",
        "public.tiff",
        "public.to-do-item",
        "public.toml",
        "public.truetype-collection-font",
        "public.truetype-font",
        "public.truetype-ttf-font",
        "public.ulaw-audio",
        "public.unix-executable",
        "public.url",
        "public.url-name",
        "public.utf16-external-plain-text",
        "public.utf16-plain-text",
        "public.utf8-plain-text",
        "public.utf8-tab-separated-values-text",
        "public.uuencoded-archive",
        "public.vcard",
        "public.video",
        "public.volume",
        "public.webassembly",
        "public.x509-certificate",
        "public.xbitmap-image",
        "public.xfd",
        "public.xhtml",
        "public.xml",
        "public.yacc-source",
        "public.yaml",
        "public.z-archive",
        "public.zip-archive",
        "public.zsh-script",
    ]

    /// A line for each row: identifier, extensions, MIME types, four-character codes, pasteboard types, description.
    static let details: StaticString = """
        ca.mcgill.mni.bic.mnc|mnc,minc||MINC||MINC Image
        com.adobe.edn|edn||||Adobe DRM Activation Key (EDN)
        com.adobe.encapsulated-postscript|eps||EPSF|NeXT Encapsulated PostScript v1.2 pasteboard type,NSPostScriptPboardType|Encapsulated PostScript
        com.adobe.etd|etd||||Adobe Digital Editions (ETD)
        com.adobe.fdf|fdf||||Adobe Acrobat Forms Document (FDF)
        com.adobe.flash.video|flv,f4v,f4p,f4a,f4b|video/x-flv|||Flash video
        com.adobe.illustrator.ai-image|ai||||Adobe Illustrator document
        com.adobe.pdf|pdf|application/pdf|PDF |Apple PDF pasteboard type|PDF document
        com.adobe.photoshop-image|psd|image/vnd.adobe.photoshop,image/photoshop,image/x-photoshop,image/psd,application/photoshop|8BPS||Adobe Photoshop document
        com.adobe.photoshop-large-image|psb||8BPB||Adobe Photoshop large document
        com.adobe.postscript|ps|application/postscript|||PostScript
        com.adobe.postscript-font|||||PostScript® font
        com.adobe.postscript-lwfn-font|||LWFN||PostScript® Type 1 outline font
        com.adobe.postscript-pfa-font|pfa||||PostScript® Type 1 outline font
        com.adobe.postscript-pfb-font|pfb||||PostScript® Type 1 outline font
        com.adobe.raw-image|dng|image/x-adobe-dng|||Adobe raw image
        com.adobe.xfdf|xfdf||||Adobe Acrobat Forms Document (XFDF)
        com.allume.stuffit-archive|||||StuffIt archive family
        com.apple.accounts-icon|||acct||Accounts Icon
        com.apple.active-webpage|||||Active Web Page
        com.apple.afp-internet-location|afploc||ilaf||AFP internet location
        com.apple.airdrop|||sbNC||AirDrop
        com.apple.alert|||||Alert
        com.apple.alert-caution|||caut||Alert Caution
        com.apple.alert-note|||note||Alert Note
        com.apple.alert-stop|||stop||Alert Stop
        com.apple.alias-file|||||alias
        com.apple.alias-record|||alis||alias data
        com.apple.applescript.script|scpt||osas||AppleScript
        com.apple.applescript.script-bundle|scptd||||Script bundle
        com.apple.applescript.text|applescript||||AppleScript text
        com.apple.applesingle-archive|as||||AppleSingle archive
        com.apple.application|||||application
        com.apple.application-and-system-extension|appex||||Application and System Extension
        com.apple.application-bundle|app||APPL||
        com.apple.application-file|app||APPL||
        com.apple.application-placeholder|placeholder||||
        com.apple.applications-folder|||apps,tAps,sbAp||
        com.apple.archive|aar,yaa||||Apple Archive
        com.apple.arobject|arobject||||AR Reference Object
        com.apple.ascii-property-list|plist||||ASCII property list
        com.apple.audio-unit-preset|aupreset||||audio unit preset
        com.apple.binary-property-list|plist||||binary property list
        com.apple.binhex-archive|hqx|application/mac-binhex40,application/mac-binhex,application/binhex|||BinHex archive
        com.apple.bom-archive|||||BOM-compatible archive
        com.apple.bom-compressed-cpio|cpgz||||BOM-generated compressed CPIO archive
        com.apple.bonjour|||bonj,sbBj||Bonjour
        com.apple.bookmark|||||bookmark
        com.apple.bundle|||||bundle
        com.apple.cinema-display|||||Cinema Display
        com.apple.cocoa.pasteboard.character-formatting||||NeXT font pasteboard type|character format
        com.apple.cocoa.pasteboard.color||||NSColor pasteboard type|color
        com.apple.cocoa.pasteboard.find-panel-search-options||||NSFindPanel search options pasteboard type|search options
        com.apple.cocoa.pasteboard.multiple-text-selection||||Apple multiple text selection pasteboard type|text selection
        com.apple.cocoa.pasteboard.paragraph-formatting||||NeXT ruler pasteboard type|paragraph format
        com.apple.cocoa.pasteboard.sound||||NSSoundPboardType|sound
        com.apple.color-file|clr,ccl||||Color File
        com.apple.colorsync-profile|icc,icm,pf||clsp,prof||ColorSync profile
        com.apple.configprofile|configprofile||||configuration profile
        com.apple.coreaudio-format|caf||caff||Apple CoreAudio format
        com.apple.coreml.mlpackage|mlpackage||||Core ML Machine Learning Model Package
        com.apple.coreml.model|mlmodel,mlkitmodel||||Core ML Machine Learning Model
        com.apple.crashreport|crash||||Crash Report
        com.apple.csstore|csstore||||
        com.apple.dashboard-widget|wdgt||||Dashboard widget
        com.apple.data-container|||||
        com.apple.deprecated-application-file|||APPC,APPD,APPE,appe,CDEV,cdev,dfil||
        com.apple.desktop-folder|||desk,tDsk,sbDt||Desktop Folder
        com.apple.developer-folder|||devf||Developer Folder
        com.apple.device|||||Apple device
        com.apple.device-model-code|||||device model code
        com.apple.document-type|||||Document Type
        com.apple.document-type.dictionary|||dict||Dictionary
        com.apple.document-type.system-folder|||macs||System Folder
        com.apple.documents-folder|||docs,tDoc,sbDc||Documents Folder
        com.apple.dot-mac|||mymc||.Mac
        com.apple.downloads-folder|||dwnf,tDwn,sbDl||Downloads Folder
        com.apple.drawing|drawing||||Apple Drawing Format
        com.apple.driver-extension|dext||||Driver Extension
        com.apple.drop-folder|||dbox,sbDB||
        com.apple.encrypted-archive|aea||||Apple Encrypted Archive
        com.apple.everyone-icon|||evry||Everyone Icon
        com.apple.file-internet-location|fileloc||ilfi||file internet location
        com.apple.file-server|||srvr||File Server
        com.apple.file-system-plug-in|fs||||File System Plug-in
        com.apple.file-vault|||fVlt||FileVault
        com.apple.finder.burn-folder|fpbf||bfld,sbBF||Burn Folder
        com.apple.finder.clipping|||clpu||clipping
        com.apple.finder.pictclipping|pictclipping||clpp||picture clipping
        com.apple.finder.recent-items|||rcnt,sbRc,sbAF||Recent Items
        com.apple.finder.smart-folder|savedSearch||sfld,sbSF||Smart Folder
        com.apple.finder.sound-clipping|sndClipping||clps||Sound Clipping
        com.apple.finder.textclipping|textclipping||clpt||text clipping
        com.apple.flat-rtfd|||rtfd|NeXT RTFD pasteboard type,NSRTFDPboardType|rich text with attachments (RTFD) data
        com.apple.font-suitcase|suit||FFIL,ffil,sfnt,tfil||font suitcase
        com.apple.framework|framework||FMWK||framework
        com.apple.ftp-internet-location|ftploc||ilft||FTP internet location
        com.apple.garageband.project|band,gbProj||||GarageBand Project
        com.apple.generic-airdisk|||aird||Generic AirDisk
        com.apple.generic-bundle|bundle||BNDL||bundle
        com.apple.generic-internet-location|inetloc||ilge||internet location
        com.apple.generic-stationery|||sdoc||Stationery
        com.apple.generic-time-machine-disk|||gtmi,sbTM||Generic Time Machine Disk
        com.apple.gpuRestart|gpuRestart||||GPU Restart
        com.apple.groupactivities.activity|groupactivity||||Group Activity
        com.apple.groups-folder|||gfld||Groups Folder
        com.apple.guest-user|||gusr||Guest User
        com.apple.hangreport|hang||||Hang Report
        com.apple.haptics.ahap|ahap||||Apple Haptics Audio Pattern
        com.apple.help-document|||help||Help Document
        com.apple.home-folder|||ufld,thom,sbHm||Home Folder
        com.apple.homebuttonless-device|||||
        com.apple.homebuttonless-ipad|||||
        com.apple.homebuttonless-iphone|||||
        com.apple.homepod|||||HomePod
        com.apple.ical.ics|ics|text/calendar|||ICS File
        com.apple.ical.vcs|vcs,vcal|text/x-vcalendar|||VCS File
        com.apple.iCloud|||sbIC||iCloud
        com.apple.icloud-file-fault|icloud||||iCloud synchronization file
        com.apple.icns|icns||icns||Apple icon image
        com.apple.icon-decoration|||||Icon Decoration
        com.apple.icon-decoration-position|||||Icon Decoration Position
        com.apple.icon-decoration-position.center|||||Icon Decoration Position Center
        com.apple.icon-decoration-position.leading-bottom|||||Icon Decoration Position Leading Bottom
        com.apple.icon-decoration-position.overlay|||||Icon Decoration Position Overlay
        com.apple.icon-decoration-position.trailing-bottom|||||Icon Decoration Position Trailing Bottom
        com.apple.icon-decoration.badge|||||Icon Decoration Badge
        com.apple.icon-decoration.badge.checkmark|||||Icon Decoration Checkmark Badge
        com.apple.icon-decoration.badge.comments|||||Icon Decoration Comments Badge
        com.apple.icon-decoration.badge.drop-folder|||||Icon Decoration Drop Folder Badge
        com.apple.icon-decoration.badge.heart|||||Icon Decoration Heart Badge
        com.apple.icon-decoration.badge.in-review|||||Icon Decoration In Review Badge
        com.apple.icon-decoration.badge.locked|||||Icon Decoration Locked Badge
        com.apple.icon-decoration.badge.locked-by-collaborator|||||Icon Decoration Locked By Collaborator Badge
        com.apple.icon-decoration.badge.locked-by-user|||||Icon Decoration Locked By User Badge
        com.apple.icon-decoration.badge.pinned|||||Icon Decoration Pinned Badge
        com.apple.icon-decoration.badge.private-folder|||||Icon Decoration Private Folder Badge
        com.apple.icon-decoration.badge.syncing|||||Icon Decoration Syncing Badge
        com.apple.icon-decoration.badge.trending|||||Icon Decoration Trending Badge
        com.apple.icon-decoration.badge.warning|||||Icon Decoration Warning Badge
        com.apple.icon-decoration.emboss|||||Icon Decoration Emboss
        com.apple.icon-decoration.system|||||Icon Decoration System
        com.apple.icon-decoration.system.alias|||||Icon Decoration Alias
        com.apple.icon-decoration.system.caution-alert|||||Icon Decoration Alert Caution
        com.apple.icon-decoration.system.new-folder|||||Icon Decoration New Folder
        com.apple.icon-decoration.system.unsupported|||||Icon Decoration Unsupported
        com.apple.icon-overlay.alert-caution-badge|||cbdg||Alert Caution Badge
        com.apple.icon-overlay.alias-badge|||abdg||Alias Badge
        com.apple.icon-overlay.drop-folder-badge|||drfb||Drop Folder Badge
        com.apple.icon-overlay.locked-badge|||lbdg||Locked Badge
        com.apple.icon-overlay.new-folder-badge|||nfbg||New Folder Badge
        com.apple.icon-overlay.private-folder|||prvf||Private Folder
        com.apple.icon-overlay.private-folder-badge|||prfb||Private Folder Badge
        com.apple.icon-overlay.unsupported-badge|||ubdg||Unsupported Badge
        com.apple.iconset|iconset||||Icon Set
        com.apple.idisk|||idsk,sbID||iDisk
        com.apple.iig-source|iig||||IOKit Interface Generator source code
        com.apple.iMovieLibrary|imovielibrary||||iMovie Library
        com.apple.iMovieTheater|theater||||iMovie Theater
        com.apple.ink.inktext|||inkt|Apple InkText pasteboard type|writing
        com.apple.installer-distribution-package|dist,distz||dist||Installer distribution
        com.apple.installer-meta-package|mpkg||mpkg||Installer package
        com.apple.installer-package|pkg||pkg1||Installer package
        com.apple.installer-package-archive|pkg,mpkg||||Installer package archive
        com.apple.intelligentsuggestions.assets|suggestionsassets||||Intelligent Suggestions assets
        com.apple.internet-location|||||internet location
        com.apple.ios-device|||||iOS device
        com.apple.ios-simulator|||||iOS Simulator
        com.apple.ipad|||||
        com.apple.iphone|||||
        com.apple.iphone-8|||||iPhone 8
        com.apple.iphone-8-plus|||||iPhone 8 Plus
        com.apple.iphone-x|||||iPhone X
        com.apple.ipod-classic|||||iPod Classic
        com.apple.ipod-mini|||||iPod Nano
        com.apple.ipod-nano|||||iPod Nano
        com.apple.ipod-shuffle|||||iPod Shuffle
        com.apple.ipod-shuffle-gen1|||||iPod Shuffle
        com.apple.ipod-shuffle-gen2|||||iPod Shuffle (2th generation)
        com.apple.ipod-shuffle-gen3|||||iPod Shuffle (3th generation)
        com.apple.ipod-shuffle-gen4|||||iPod Shuffle (4th generation)
        com.apple.itunes.store-url|itms||||iTunes store URL
        com.apple.iWork.Keynote.key|key||||Keynote document
        com.apple.iWork.Keynote.key-tef|key-tef||||Keynote document
        com.apple.iWork.Keynote.kth|kth||||Keynote theme
        com.apple.iWork.Keynote.sffkey|key|application/x-iwork-keynote-sffkey|||Keynote document
        com.apple.iWork.Keynote.sffkth|kth|application/x-iwork-keynote-sffkth|||Keynote theme
        com.apple.iWork.Numbers.numbers|numbers||||Numbers document
        com.apple.iWork.Numbers.numbers-tef|numbers-tef||||Numbers document
        com.apple.iWork.Numbers.sffnumbers|numbers|application/x-iwork-numbers-sffnumbers|||Numbers document
        com.apple.iWork.Numbers.sfftemplate|nmbtemplate|application/x-iwork-numbers-sfftemplate|||Numbers template
        com.apple.iWork.Numbers.template|nmbtemplate||||Numbers template
        com.apple.iWork.Pages.pages|pages||||Pages document
        com.apple.iWork.Pages.pages-tef|pages-tef||||Pages document
        com.apple.iWork.Pages.sffpages|pages|application/x-iwork-pages-sffpages|||Pages document
        com.apple.iWork.Pages.sfftemplate|template|application/x-iwork-pages-sfftemplate|||Pages template
        com.apple.iWork.Pages.template|template||||Pages template
        com.apple.kernel-extension|kext||||Kernel Extension
        com.apple.keynote.key|||||Keynote document
        com.apple.keynote.kth|||||Keynote theme
        com.apple.ktrace|ktrace||||Darwin kernel trace file
        com.apple.led-cinema-display-24|||||LED Cinema Display
        com.apple.led-cinema-display-27|||||LED Cinema Display
        com.apple.legacy-ipod|||||iPod
        com.apple.legacy.actions-icon|||acts||Actions Icon
        com.apple.legacy.backward-arrow|||baro,sbar||Backward Arrow
        com.apple.legacy.burn|||burn||Burn
        com.apple.legacy.clock-icon|||clck||Clock Icon
        com.apple.legacy.connect-to|||cnct||Connect To
        com.apple.legacy.customize-toolbar|||tcus||Customize Toolbar
        com.apple.legacy.delete-toolbar|||tdel||Delete Toolbar
        com.apple.legacy.eject-media|||ejec||Eject Media
        com.apple.legacy.erasing|||eras||Erasing
        com.apple.legacy.favorite-items|||favs||Favorite Items
        com.apple.legacy.finder-icon|||scsh,scmp,ramd,dsrv,FNDR,capl,mntd,shfl,ownd,prnt,strt,shdf,amnu,ctrl,prfƒ,font,appr,intƒ,scrƒ,ƒloc,asup,ƒhlp,sapl,asnd,dsnd,mbdg,scrp,shrt,ftps,htps,isrv,atzn,afps,atlk,nfld,writ,shrw,shro,shna,shuk,nfil,susr,edtf,pref,ƒscr,ƒnet,ƒtex,ƒprd,ppdf,ctrD,extD,strD,shdD,macD,astƒ,cmnu,rapp,rdoc,rsrv,psys,papp,capl,ramd,shlb,Shlb,sbdg,dali,rofl||Finder
        com.apple.legacy.forward-arrow|||faro,sfar||Forward Arrow
        com.apple.legacy.general-icon|||gnrl||General Icon
        com.apple.legacy.grid|||grid||Grid
        com.apple.legacy.keep-arranged|||arng||Keep Arranged
        com.apple.legacy.locked|||lock||Locked
        com.apple.legacy.magnifying-glass|||glas||Magnifying Glass
        com.apple.legacy.multiple-items|||mitm||Multiple Items
        com.apple.legacy.no-write|||nwrt||No Write
        com.apple.legacy.open-folder|||ofld||Open Folder
        com.apple.legacy.question-mark|||ques||Question Mark
        com.apple.legacy.right-container-arrow|||rcar||Right Container Arrow
        com.apple.legacy.sidebar-prefs-icon|||sdbp||Sidebar Prefs Icon
        com.apple.legacy.synchronize|||sync||Synchronize
        com.apple.legacy.toolbar-advanced-icon|||tbav||Toolbar Advanced Icon
        com.apple.legacy.toolbar-info-icon|||tbin||Toolbar Info Icon
        com.apple.legacy.toolbar-labels-icon|||tblb||Toolbar Labels Icon
        com.apple.legacy.unlocked|||ulck||Unlocked
        com.apple.legacy.window|||gwin||Window
        com.apple.library-folder|||ƒlib,extn,tLib||
        com.apple.linkpresentation.metadata|||||Link Presentation metadata
        com.apple.live-photo|||||Live Photo
        com.apple.localizable-name-bundle|||||
        com.apple.localized-pdf-bundle|lpdf||||localized PDF
        com.apple.log|log||||
        com.apple.m4a-audio|m4a|audio/x-m4a|M4A ||Apple MPEG-4 audio
        com.apple.m4v-video|m4v|video/x-m4v|M4V ||Apple MPEG-4 movie
        com.apple.mac|||||
        com.apple.macbinary-archive|bin|application/macbinary,application/x-macbinary|||MacBinary archive
        com.apple.mach-o-binary|||||Mach-O binary
        com.apple.mach-o-bundle|||||Mach-O bundle
        com.apple.mach-o-core|||||Mach-O core
        com.apple.mach-o-dylib|dylib||||Mach-O dynamic library
        com.apple.mach-o-executable|||||Mach-O executable
        com.apple.mach-o-object|||||Mach-O object
        com.apple.macmini|||sbMM||Mac mini
        com.apple.macpaint-image|pntg||PNTG||MacPaint image
        com.apple.mail-internet-location|mailloc||ilma||mail internet location
        com.apple.mapkit.map-item|||||Map Item
        com.apple.menu-extra|menu||||System Menu Extra
        com.apple.metadata-importer|mdimporter||||Spotlight importer
        com.apple.mobileconfig|mobileconfig,mobile|application/x-apple-aspen-config|||mobile configuration
        com.apple.mobileprovision|mobileprovision|application/x-apple-aspen-mobileprovision|||mobile provision
        com.apple.mount-point|||||mount point
        com.apple.movie-folder|||fvoc,tMov,sbMv||Movie Folder
        com.apple.mpeg-4-ringtone|m4r|audio/x-m4r|M4R ||Ringtone
        com.apple.music-folder|||spki,tMus,sbMs||Music Folder
        com.apple.network-neighborhood|||gnet,macn,sbNw||neighborhood
        com.apple.news-internet-location|newsloc||ilnw||news internet location
        com.apple.not-loaded|||nldd||Not Loaded
        com.apple.notifications|||||Notifications
        com.apple.nspboard-type|||||NSPasteboard type
        com.apple.ostype|||||four-character code
        com.apple.package|||||Package
        com.apple.panicreport|panic||||Panic Report
        com.apple.pasteboard.promised-file-content-type|||||Promised file content type
        com.apple.pasteboard.promised-file-url|||||Promised file URL
        com.apple.pef-binary|||||PEF binary
        com.apple.pict|pict,pct,pic|image/pict,image/x-pict,image/x-macpict|PICT|Apple PICT pasteboard type,NSPICTPboardType|QuickDraw picture
        com.apple.pictures-folder|||tPic,morƒ,sbPc||Pictures Folder
        com.apple.pkpass|pkpass|application/vnd.apple.pkpass|||Pass
        com.apple.pkpass-data|pkpass||||Pass
        com.apple.pkpasses-data|pkpasses|application/vnd.apple.pkpasses|||Passes
        com.apple.plugin|plugin||plug||plug-in
        com.apple.pluginkit|pluginkit||||PlugInKit plug-in
        com.apple.ppp-plug-in|ppp||||PPP Plug-in
        com.apple.private.live-photo-bundle|pvt||||
        com.apple.pro-display-xdr|||||Pro Display XDR
        com.apple.profile-background-color|||pbcl||Profile Background Color
        com.apple.profile-font-and-color|||pfcl||Profile Font And Color
        com.apple.profile-font-icon|||pfnt||Profile Font
        com.apple.property-list|plist||||property list
        com.apple.protected-mpeg-4-audio|m4p||M4P ||protected MPEG-4 audio
        com.apple.protected-mpeg-4-audio-b|m4b||M4B ||protected MPEG-4 audio
        com.apple.protected-mpeg-4-video|||||protected MPEG-4 movie
        com.apple.provisionprofile|provisionprofile||||provision profile
        com.apple.public-folder|||tPub,pubf||Public Folder
        com.apple.quartz-composer-composition|qtz|application/x-quartzcomposer|||Quartz Composer compostion
        com.apple.quicklook-generator|qlgenerator||||QuickLook preview generator
        com.apple.quicktime-image|qtif,qti|image/x-quicktime|qtif||QuickTime image
        com.apple.quicktime-movie|mov,qt|video/quicktime|MooV||QuickTime movie
        com.apple.reality|reality|model/vnd.reality|||Reality File
        com.apple.resolvable|||||resolvable
        com.apple.rez-source|r||||Rez source code
        com.apple.rtfd|rtfd||||rich text with attachments (RTFD)
        com.apple.scenekit.scene|scn,scnz||||SceneKit serialized format
        com.apple.scripting-definition|sdef||||Scripting Definition
        com.apple.server-applications-folder|||sapp||
        com.apple.servers-folder|||shpt||
        com.apple.service-application|service||||
        com.apple.shazamcatalog|shazamcatalog||||Shazam Catalog
        com.apple.shazamsignature|shazamsignature||||Shazam Signature Data
        com.apple.shutdownStall|shutdownStall||||Shutdown Stall
        com.apple.sites-folder|||issf,tSts||Sites Folder
        com.apple.spinreport|spin||||Spin Report
        com.apple.storage-external|||rmov,edsk,sbAD,sbED,sbSD||External Disk
        com.apple.storage-internal|||hdsk,sbIn||Internal Disk
        com.apple.storage-netboot|||netB||NetBootVolume
        com.apple.storage-removable|||flpy,sbRm||Removable Disk
        com.apple.structured-text|||||Structured Text
        com.apple.structured-text.address|||||Address (Structured Text)
        com.apple.structured-text.date|||||Date (Structured Text)
        com.apple.structured-text.telephone-number|||||Telephone Number (Structured Text)
        com.apple.structured-text.transit-information|||||Transit Information (Structured Text)
        com.apple.symbol-export|exp||||symbol export list
        com.apple.system-extension|systemextension||||System Extension
        com.apple.systempreference.prefpane|prefPane||||System Preference pane
        com.apple.systempreference.screen-saver|saver||||Screen Saver
        com.apple.systempreference.screen-slide-saver|slideSaver||||Screen Slide Saver
        com.apple.traditional-mac-plain-text|||TEXT,ttro||
        com.apple.trash-empty|||trsh,sbTr||Trash
        com.apple.trash-full|||ftrh||Full Trash
        com.apple.truetype-datafork-suitcase-font|dfont||dfon||TrueType® datafork font
        com.apple.txn.text-multimedia-data|||txtn||text with multimedia
        com.apple.unknown-object|||unfs||Unknown Object
        com.apple.user|||user||User
        com.apple.user-group|||grup||User Group
        com.apple.user-idisk|||udsk||User iDisk
        com.apple.user-unknown|||unus||User Unknown
        com.apple.users-folder|||wfld||Users Folder
        com.apple.utilities-folder|||utiƒ,tUtl,sbUF||Utilities Folder
        com.apple.vnc-internet-location|vncloc||ilvn||VNC Internet Location
        com.apple.watchface|watchface||||Watchface
        com.apple.web-internet-location|webloc||ilht||web internet location
        com.apple.webarchive|webarchive|application/x-webarchive|weba|Apple Web Archive pasteboard type|web archive
        com.apple.webkit-plugin|webplugin||||WebKit plug-in
        com.apple.x11-mach-o-executable|||||X11 application
        com.apple.xar-archive|xar||||XAR Archive
        com.apple.xcode.dsym|dsym||||
        com.apple.xip-archive|xip||||XIP Secure Archive
        com.apple.xml-property-list|plist||||XML property list
        com.apple.xpc-service|xpc||||XPC Service
        com.audible.aa-audio|||||Audible.com Audio
        com.audible.aa-audiobook|aa|audio/audible,audio/x-pn-audibleaudio,audio/x-audible|AUDB||Audible.com Audiobook
        com.audible.aax-audiobook|aax|audio/vnd.audible.aax|AUDX||Audible.com Audiobook
        com.avid.open-media-framework|omf||OMF ||Open Media Framework interchange format
        com.canon.cr2-raw-image|cr2||||Canon CR2 raw image
        com.canon.cr3-raw-image|cr3||||Canon CR3 raw image
        com.canon.crw-raw-image|crw|image/x-canon-crw|||Canon CRW raw image
        com.canon.tif-raw-image|||||Canon TIF raw image
        com.compuserve.gif|gif|image/gif|GIFf||GIF image
        com.digidesign.sd2-audio|sd2||Sd2f||Sound Designer II audio
        com.dxo.raw-image|dxo|image/x-dxo-dxo|||DxO raw image
        com.epson.raw-image|erf|image/x-epson-erf|||Epson raw image
        com.facebook.zstandard-archive|zst|application/zstd|||Zstandard archive
        com.fuji.raw-image|raf||||Fuji raw image
        com.google.earth.kml|kml|application/vnd.google-earth.kml+xml|||KML
        com.hasselblad.3fr-raw-image|3fr||||Hasselblad 3FR raw image
        com.hasselblad.fff-raw-image|fff||||Hasselblad FFF raw image
        com.ilm.openexr-image|exr||||OpenEXR image
        com.j2.efx-fax|efx|image/efax|||eFax fax
        com.j2.jfx-fax|jfx||||J2 fax
        com.kodak.flashpix-image|fpx|image/fpx,application/vnd.fpx|||FlashPix image
        com.kodak.raw-image|dcr||||Kodak raw image
        com.konicaminolta.raw-image|mrw||||Minolta raw image
        com.leafamerica.raw-image|mos||||Leaf raw image
        com.leica.pwl-raw-image|pwl|image/x-leica-pwl|||Leica PWL raw image
        com.leica.raw-image|raw||||Leica raw image
        com.leica.rwl-raw-image|rwl||||Leica raw image
        com.microsoft.advanced-stream-redirector|asx|video/x-ms-asx|ASX_||Advanced Stream Redirector
        com.microsoft.advanced-systems-format|asf|video/x-ms-asf|ASF_||Microsoft Advanced Systems Format
        com.microsoft.bmp|bmp,dib|image/bmp|BMP ,BMPf||Windows BMP image
        com.microsoft.cab|cab||||Microsoft Cabinet archive
        com.microsoft.excel.sheet.binary.macroenabled|xlsb|application/vnd.ms-excel.sheet.binary.macroEnabled.12|||Microsoft Excel 2007 spreadsheet (macros enabled)
        com.microsoft.excel.xla|xla||XLA5||Microsoft Excel add-in
        com.microsoft.excel.xls|xls|application/vnd.ms-excel,application/msexcel|XLS8||Microsoft Excel 97-2004 worksheet
        com.microsoft.excel.xlt|xlt|application/vnd.ms-excel,application/msexcel|sLS8||Microsoft Excel 97-2004 template
        com.microsoft.excel.xlw|xlw|application/vnd.ms-excel,application/msexcel|XLW8||Microsoft Excel 97-2004 workspace
        com.microsoft.ico|ico|image/vnd.microsoft.icon|||Windows icon image
        com.microsoft.internet-shortcut|url||||Windows Internet shortcut
        com.microsoft.powerpoint.pot|pot|application/vnd.ms-powerpoint,application/mspowerpoint|PPOT||Microsoft PowerPoint 97-2004 template
        com.microsoft.powerpoint.pps|pps|application/vnd.ms-powerpoint,application/mspowerpoint|PPSS||Microsoft PowerPoint 97-2004 slide show
        com.microsoft.powerpoint.ppt|ppt|application/vnd.ms-powerpoint,application/mspowerpoint|SLD8||Microsoft PowerPoint 97-2004 presentation
        com.microsoft.typescript|ts,tsx,mts,cts|application/typescript,text/typescript|||TypeScript source
        com.microsoft.waveform-audio|wav,wave,bwf|audio/vnd.wave,audio/wav,audio/wave,audio/x-wav|.WAV,WAVE||Waveform audio
        com.microsoft.windows-dynamic-link-library|dll|application/x-msdownload|||Microsoft dynamic link library
        com.microsoft.windows-executable|exe|application/x-msdownload|||Microsoft Windows application
        com.microsoft.windows-media-wax|wax|video/x-ms-wax|||Windows media audio
        com.microsoft.windows-media-wm|wm|video/x-ms-wm|||Windows media
        com.microsoft.windows-media-wma|wma|video/x-ms-wma|||Windows media audio
        com.microsoft.windows-media-wmp|wmp|video/x-ms-wmp|||Windows media
        com.microsoft.windows-media-wmv|wmv|video/x-ms-wmv|||Windows media
        com.microsoft.windows-media-wmx|wmx|video/x-ms-wmx|||Windows media
        com.microsoft.windows-media-wvx|wvx|video/x-ms-wvx|||Windows media
        com.microsoft.word.doc|doc|application/msword|W8BN||Microsoft Word 97-2004 document
        com.microsoft.word.dot|dot|application/msword|W8TN||Microsoft Word 97-2004 template
        com.microsoft.word.wordml|xml||||Microsoft Word 2003 XML document
        com.netscape.javascript-source|js,jscript,javascript,mjs|text/javascript|||JavaScript
        com.nikon.nrw-raw-image|nrw|image/x-nikon-nrw|||Nikon NRW raw image
        com.nikon.raw-image|nef||||Nikon raw image
        com.olympus.or-raw-image|orf|image/x-olympus-or|||Olympus OR raw image
        com.olympus.raw-image|orf||||Olympus raw image
        com.olympus.sr-raw-image|orf|image/x-olympus-sr|||Olympus SR raw image
        com.panasonic.raw-image|raw||||Panasonic raw image
        com.panasonic.rw2-raw-image|rw2||||Panasonic raw 2 image
        com.pentax.raw-image|pef||||Pentax raw image
        com.phaseone.raw-image|iiq||||Phase One raw image
        com.pixar.universal-scene-description|usd,usda,usdc||||Universal Scene Description
        com.pixar.universal-scene-description-mobile|usdz|model/vnd.usdz+zip|||Universal Scene Description Package
        com.pkware.zip-archive|||||PKZip archive
        com.rarlab.rar-archive|rar|application/vnd.rar,application/x-rar-compressed|||RAR archive
        com.real.realaudio|ram,ra|audio/vnd.rn-realaudio,audio/x-pn-realaudio,audio/x-realaudio|PNRA||RealMedia Audio
        com.real.realmedia|rm|application/vnd.rn-realmedia|PNRM||RealMedia
        com.real.realmedia-vbr|rmvb|application/vnd.rn-realmedia-vbr|||RealMedia Variable Bitrate
        com.redhat.rpm-archive|rpm|application/x-rpm|||RPM package
        com.rsa.pkcs-12|p12,pfx|application/x-pkcs12|||personal information exchange (PKCS#12)
        com.samsung.raw-image|srw||||Samsung raw image
        com.scenarist.closed-caption|scc||||Scenarist Closed Caption
        com.sgi.sgi-image|sgi|image/sgi|.SGI||Silicon Graphics image
        com.sony.arw-raw-image|arw||||Sony ARW raw image
        com.sony.raw-image|srf||||Sony raw image
        com.sony.sr2-raw-image|sr2|image/x-sony-sr2|||Sony SR2 raw image
        com.sony.wave64|w64||||Wave64 Audio
        com.soundblaster.soundfont|sf2||||SoundFont audio
        com.stuffit.archive.sidx|sidx|application/x-stuffitx-index,application/x-sitx-index|SIDX||StuffIt X index
        com.stuffit.archive.sit|sit,sea|application/x-stuffit,application/x-sit|SIT5||StuffIt archive
        com.stuffit.archive.sitx|sitx|application/x-stuffitx,application/x-sitx|SITX||StuffIt X archive
        com.sun.java-archive|jar|application/java-archive|||Java archive
        com.sun.java-class|class||||Java class
        com.sun.java-source|java,jav||||Java source code
        com.sun.java-web-start|jnlp|application/x-java-jnlp-file,application/jnlp|||Java web start
        com.sun.web-application-archive|war||||web application archive
        com.topografix.gpx|gpx|application/gpx+xml|||GPS exchange
        com.truevision.tga-image|tga|image/targa,image/tga,application/tga|TPIC||TGA image
        gov.nih.nifti-1|nii||NII1||NIfTI-1
        net.daringfireball.markdown|md,markdown|text/markdown|||Markdown
        org.3gpp.adaptive-multi-rate-audio|amr|audio/amr|amr ||Adaptive Multi-rate audio
        org.7-zip.7-zip-archive|7z|application/x-7z-compressed|||7-Zip archive
        org.aafassociation.advanced-authoring-format|aaf||AAF ||Advanced Authoring Format
        org.debian.deb-archive|deb|application/vnd.debian.binary-package|||Debian package
        org.gnu.gnu-tar-archive|gtar|application/x-gtar|||GNU tar archive
        org.gnu.gnu-zip-archive|gz,gzip|application/x-gzip,application/gzip|||GZip archive
        org.gnu.gnu-zip-tar-archive|tgz||||gzip tar archive
        org.golang.go-script|go|text/x-go|||Go source
        org.idpf.epub-container|epub|application/epub+zip|||EPUB publication
        org.iso.sql|sql|application/sql,text/x-sql|||SQL source
        org.jupyter.ipynb|ipynb|application/x-ipynb+json|||Jupyter notebook
        org.khronos.collada.digital-asset-exchange|dae||||Digital Asset Exchange (DAE)
        org.khronos.glb|glb|model/gltf-binary|||glTF binary
        org.khronos.gltf|gltf|model/gltf+json|||glTF
        org.kotlinlang.source|kt,kts|text/x-kotlin|||Kotlin source
        org.matroska.mkv|mkv,mks,mk3d|video/x-matroska,video/matroska|||Matroska video
        org.nema.dicom|dcm,dicom|application/dicom|DICM||DICOM
        org.oasis-open.opendocument|||||Open Document
        org.oasis-open.opendocument.chart|odc|application/vnd.oasis.opendocument.chart|||Open Document chart
        org.oasis-open.opendocument.chart-template|otc|application/vnd.oasis.opendocument.chart-template|||Open Document chart template
        org.oasis-open.opendocument.database|odb|application/vnd.oasis.opendocument.database|||Open Document database
        org.oasis-open.opendocument.formula|odf|application/vnd.oasis.opendocument.formula|||Open Document formula
        org.oasis-open.opendocument.formula-template|otf|application/vnd.oasis.opendocument.formula-template|||Open Document formula template
        org.oasis-open.opendocument.graphics|odg|application/vnd.oasis.opendocument.graphics|||Open Document graphics
        org.oasis-open.opendocument.graphics-template|otg|application/vnd.oasis.opendocument.graphics-template|||Open Document graphics template
        org.oasis-open.opendocument.image|odi|application/vnd.oasis.opendocument.image|||Open Document image
        org.oasis-open.opendocument.image-template|oti|application/vnd.oasis.opendocument.image-template|||Open Document image template
        org.oasis-open.opendocument.presentation|odp|application/vnd.oasis.opendocument.presentation|||Open Document presentation
        org.oasis-open.opendocument.presentation-template|otp|application/vnd.oasis.opendocument.presentation-template|||Open Document presentation template
        org.oasis-open.opendocument.spreadsheet|ods|application/vnd.oasis.opendocument.spreadsheet|||Open Document spreadsheet
        org.oasis-open.opendocument.spreadsheet-template|ots|application/vnd.oasis.opendocument.spreadsheet-template|||Open Document spreadsheet template
        org.oasis-open.opendocument.text|odt|application/vnd.oasis.opendocument.text|||Open Document text
        org.oasis-open.opendocument.text-master|odm|application/vnd.oasis.opendocument.text-master|||Open Document text master
        org.oasis-open.opendocument.text-template|ott|application/vnd.oasis.opendocument.text-template|||Open Document text template
        org.oasis-open.opendocument.text-web|oth|application/vnd.oasis.opendocument.text-web|||Open Document HTML template
        org.openoffice.formula|sxm,smf|application/vnd.sun.xml.math,application/vnd.stardivision.math|||OpenOffice.org 1.0 Formula
        org.openoffice.graphics|sxd,sda|application/vnd.sun.xml.draw,application/vnd.stardivision.draw|||OpenOffice.org 1.0 Drawing
        org.openoffice.graphics-template|std|application/vnd.sun.xml.draw.template|||OpenOffice.org 1.0 Drawing Template
        org.openoffice.presentation|sxi,sdd,sdp|application/vnd.sun.xml.impress,application/vnd.stardivision.impress,application/vnd.stardivision.impress-packed|||OpenOffice.org 1.0 Presentation
        org.openoffice.presentation-template|sti|application/vnd.sun.xml.impress.template|||OpenOffice.org 1.0 Presentation Template
        org.openoffice.spreadsheet|sxc,sdc|application/vnd.sun.xml.calc,application/vnd.stardivision.calc|||OpenOffice.org 1.0 Spreadsheet
        org.openoffice.spreadsheet-template|stc|application/vnd.sun.xml.calc.template|||OpenOffice.org 1.0 Spreadsheet Template
        org.openoffice.text|sxw,sdw|application/vnd.sun.xml.writer,application/vnd.stardivision.writer|||OpenOffice.org 1.0 Text
        org.openoffice.text-master|sxg|application/vnd.sun.xml.writer.global|||OpenOffice.org 1.0 Master
        org.openoffice.text-template|stw|application/vnd.sun.xml.writer.template|||OpenOffice.org 1.0 Text Template
        org.openxmlformats.openxml|||||Office Open XML
        org.openxmlformats.presentationml.presentation|pptx|application/vnd.openxmlformats-officedocument.presentationml.presentation|||Office Open XML presentation
        org.openxmlformats.presentationml.presentation.macroenabled|pptm|application/vnd.ms-powerpoint.presentation.macroEnabled.12|||Office Open XML presentation (macros enabled)
        org.openxmlformats.presentationml.slideshow|ppsx|application/vnd.openxmlformats-officedocument.presentationml.slideshow|||Office Open XML slide show
        org.openxmlformats.presentationml.slideshow.macroenabled|ppsm|application/vnd.ms-powerpoint.slideshow.macroEnabled.12|||Office Open XML slide show (macros enabled)
        org.openxmlformats.presentationml.template|potx|application/vnd.openxmlformats-officedocument.presentationml.template|||Office Open XML presentation template
        org.openxmlformats.presentationml.template.macroenabled|potm|application/vnd.ms-powerpoint.template.macroEnabled.12|||Office Open XML presentation template (macros enabled)
        org.openxmlformats.spreadsheetml.sheet|xlsx|application/vnd.openxmlformats-officedocument.spreadsheetml.sheet|||Office Open XML spreadsheet
        org.openxmlformats.spreadsheetml.sheet.macroenabled|xlsm|application/vnd.ms-excel.sheet.macroEnabled.12|||Office Open XML spreadsheet (macros enabled)
        org.openxmlformats.spreadsheetml.template|xltx|application/vnd.openxmlformats-officedocument.spreadsheetml.template|||Office Open XML spreadsheet template
        org.openxmlformats.spreadsheetml.template.macroenabled|xltm|application/vnd.ms-excel.template.macroEnabled.12|||Office Open XML spreadsheet template (macros enabled)
        org.openxmlformats.wordprocessingml.document|docx|application/vnd.openxmlformats-officedocument.wordprocessingml.document|||Office Open XML word processing document
        org.openxmlformats.wordprocessingml.document.macroenabled|docm|application/vnd.ms-word.document.macroEnabled.12|||Office Open XML word processing document (macros enabled)
        org.openxmlformats.wordprocessingml.template|dotx|application/vnd.openxmlformats-officedocument.wordprocessingml.template|||Office Open XML word processing template
        org.openxmlformats.wordprocessingml.template.macroenabled|dotm|application/vnd.ms-word.template.macroEnabled.12|||Office Open XML word processing template (macros enabled)
        org.rust-lang.rust-script|rs|text/rust,text/x-rust|||Rust source
        org.smpte.mxf|mxf|application/mxf|||Material eXchange Format
        org.sqlite.v3|sqlite,sqlite3,db|application/vnd.sqlite3,application/x-sqlite3|||SQLite database
        org.tug.tex|tex,latex|text/x-tex,application/x-tex|||TeX source
        org.tukaani.tar-xz-archive|txz||||xz compressed tar archive
        org.tukaani.xz-archive|xz|application/x-xz|||xz compressed archive
        org.w3.webvtt|vtt|text/vtt|||WebVTT Format
        org.w3c.woff|woff|font/woff|||WOFF font
        org.w3c.woff2|woff2|font/woff2|||WOFF2 font
        org.webmproject.webm|webm|video/webm,audio/webm|||WebM Media
        org.webmproject.webp|webp|image/webp|||WebP Image
        org.xiph.flac|flac|audio/flac|||FLAC audio
        org.xiph.ogg-audio|ogg,oga,spx|audio/ogg,application/ogg|||Ogg audio
        org.xiph.ogv|ogv|video/ogg|||Ogg video
        org.xiph.opus|opus|audio/opus,audio/ogg|||Opus audio
        public.3d-content|||||3D Content
        public.3gpp|3gp,3gpp,sdv|video/3gpp,audio/3gpp|3gpp,sdv ||3GPP movie
        public.3gpp2|3g2,3gp2|video/3gpp2,audio/3gpp2|3gp2||3GPP2 movie
        public.aac-audio|aac,adts|audio/aac,audio/x-aac|aac ||AAC audio
        public.ac3-audio|ac3|audio/ac3|ac-3||AC-3 audio
        public.ada-source|ada,adb,ads||||Ada source code
        public.aifc-audio|aifc||AIFC||AIFF-C audio
        public.aiff-audio|aiff,aif|audio/aiff,audio/x-aiff|AIFF||AIFF audio
        public.alembic|abc||||Alembic 3D Scene
        public.app-category|||||Application
        public.app-category.action-games|||||Action Games
        public.app-category.adventure-games|||||Adventure Games
        public.app-category.arcade-games|||||Arcade Games
        public.app-category.board-games|||||Board Games
        public.app-category.bookmarks|||||Bookmarks
        public.app-category.books|||||Books
        public.app-category.business|||||Business
        public.app-category.card-games|||||Card Games
        public.app-category.casino-games|||||Casino Games
        public.app-category.developer-tools|||||Developer Tools
        public.app-category.dice-games|||||Dice Games
        public.app-category.education|||||Education
        public.app-category.educational-games|||||Educational Games
        public.app-category.entertainment|||||Entertainment
        public.app-category.family-games|||||Family Games
        public.app-category.finance|||||Finance
        public.app-category.food-and-drink|||||Food & Drink
        public.app-category.games|||||Games
        public.app-category.graphics-design|||||Graphics & Design
        public.app-category.healthcare-fitness|||||Healthcare & Fitness
        public.app-category.kids-games|||||Kids Games
        public.app-category.lifestyle|||||Lifestyle
        public.app-category.magazines-and-newspapers|||||Magazines & Newspapers
        public.app-category.medical|||||Medical
        public.app-category.music|||||Music
        public.app-category.music-games|||||Music Games
        public.app-category.navigation|||||Navigation
        public.app-category.news|||||News
        public.app-category.photography|||||Photography
        public.app-category.photography-and-video|||||Photo & Video
        public.app-category.productivity|||||Productivity
        public.app-category.puzzle-games|||||Puzzle Games
        public.app-category.racing-games|||||Racing Games
        public.app-category.reference|||||Reference
        public.app-category.role-playing-games|||||Role Playing Games
        public.app-category.shopping|||||Shopping
        public.app-category.simulation-games|||||Simulation Games
        public.app-category.social-networking|||||Social Networking
        public.app-category.sports|||||Sports
        public.app-category.sports-games|||||Sports Games
        public.app-category.strategy-games|||||Strategy Games
        public.app-category.travel|||||Travel
        public.app-category.trivia-games|||||Trivia Games
        public.app-category.utilities|||||Utilities
        public.app-category.video|||||Video
        public.app-category.weather|||||Weather
        public.app-category.word-games|||||Word Games
        public.archive|||||file archive
        public.assembly-source|s||||assembly source code
        public.au-audio|au,snd|audio/basic|||AU audio
        public.audio|||||audio
        public.audiovisual-content|||||audiovisual content
        public.audiovisual-content-collection|||||Audiovisual Collection
        public.avchd-collection|avchd||||AVCHD Collection
        public.avci|avci|image/avci|||
        public.avcs|avcs|image/avcs|||HEIF Image Sequence
        public.avi|avi,vfw|video/avi,video/msvideo,video/x-msvideo|VfW ,Vfw ||AVI movie
        public.avif|avif|image/avif|||AVIF image
        public.avis|avifs|image/avif-sequence|||AVIF image sequence
        public.bash-script|bash||||Bourne-Again Shell script
        public.block-special|||||
        public.bookmark|||bmrk||Bookmark
        public.bzip2-archive|bz2,bz|application/x-bzip2,application/x-bzip,application/bzip2,application/bzip,application/x-bz2|||Bzip2 archive
        public.c-header|h||||C header code
        public.c-plus-plus-header|hh,hp,hpp,hxx,h++,ipp||||C++ header code
        public.c-plus-plus-inline-header|inl||||C++ Inline Header
        public.c-plus-plus-source|cp,cpp,c++,cc,cxx||||C++ source code
        public.c-plus-plus-source.preprocessed|ii||||preprocessed C++ source code
        public.c-source|c||||C source code
        public.c-source.preprocessed|i||||preprocessed C source code
        public.calendar-event|||||calendar event
        public.camera-raw-image|||||camera raw image
        public.case-insensitive-text|||||
        public.cd-based-media|||||CD
        public.cd-media|||cddr||CD
        public.cd-r-media|||cshm||CD-R
        public.cd-rw-media|||||CD-RW
        public.cdda-audio|cdda||cdda||CDDA audio
        public.character-special|||||
        public.comma-separated-values-text|csv|text/csv,text/comma-separated-values|||comma-separated values
        public.composite-content|||||content
        public.computer|||||Computer
        public.contact|||||contact information
        public.content|||||content
        public.cpio-archive|cpio,pax||||CPIO archive
        public.csh-script|csh||||C Shell script
        public.css|css|text/css|||CSS
        public.data||application/octet-stream|sbFl||data
        public.database|||||database
        public.delimited-values-text|||||delimited text values
        public.device|||||Device
        public.directory|||||directory
        public.disk-image|||||disk image
        public.display|||sbDp||Display
        public.downloadable-sound|dls|audio/dls|||downloadable sound
        public.dv-movie|dv,dif|video/x-dv|dvc!||DV movie
        public.dvd-based-media|||||DVD
        public.dvd-media|||dvd ||DVD
        public.dvd-plus-r-media|||||DVD+R
        public.dvd-plus-rw-media|||||DVD+RW
        public.dvd-r-media|||dvdr||DVD-R
        public.dvd-ram-media|||nyrc||DVD-RAM
        public.dvd-rw-media|||dvdw||DVD-RW
        public.dylan-source|dlyan,lid||||Dylan source code
        public.elf-binary|||||ELF binary
        public.email-message|||||email message
        public.enhanced-ac3-audio|eac3,ec3|audio/eac3|ec-3||Enhanced AC-3 audio
        public.executable|||||executable
        public.fax|||||fax
        public.file-sharepoint|||||sharepoint
        public.file-url|||furl||file URL
        public.filename-extension|||||file name extension
        public.flc-animation|flc,fli,cel|video/flc|FLI ||FLC animation
        public.folder|||fold,fldr,adcL,sbFd||folder
        public.font|||||font
        public.fortran-77-source|f77||||
        public.fortran-90-source|f90||||
        public.fortran-95-source|f95||||
        public.fortran-source|f,for||||Fortran source code
        public.geojson|geojson|application/geo+json|||GeoJSON
        public.geometry-definition-format|obj||||Geometry Definition File Format
        public.haptics-content|||||Haptics content
        public.hd-dvd-based-media|||||HD DVD
        public.hd-dvd-media|||||HD DVD
        public.hd-dvd-r-media|||||HD DVD-R
        public.hd-dvd-ram-media|||||HD DVD-RAM
        public.hd-dvd-rw-media|||||HD DVD-RW
        public.heic|heic|image/heic|||
        public.heics|heics|image/heic-sequence|||HEIF Image Sequence
        public.heif|heif,hif|image/heif|||
        public.heif-standard|||||HEIF Image
        public.heifs|heifs|image/heif-sequence|||HEIF Image Sequence
        public.html|html,htm,shtml,shtm|text/html|HTML|Apple HTML pasteboard type|HTML text
        public.image|||||image
        public.item|||||item
        public.jpeg|jpeg,jpg,jpe|image/jpeg,image/jpg|JPEG||JPEG image
        public.jpeg-2000|jp2,jpf,jpx,j2k,j2c|image/jp2|jp2 ||JPEG 2000 image
        public.jpeg-xl|jxl|image/jxl|||JPEG XL image
        public.json|json|application/json|||JSON
        public.ksh-script|ksh||||Korn Shell script
        public.lex-source|l,lm,lmm,lpp,lxx,ll||||Lex source code
        public.log|||||Log file
        public.m3u-playlist|m3u,m3u8|audio/mpegurl,application/vnd.apple.mpegurl,audio/x-mpegurl|||M3U Playlist
        public.make-source|make,mak,gmk,mk||||Makefile
        public.message|||||message
        public.midi-audio|midi,mid,smf,kar|audio/midi,audio/x-midi|Midi||MIDI audio
        public.mig-source|defs,mig||||Mig definition source code
        public.mime-type|||||MIME type
        public.movie|||||movie
        public.mp2|mp2||||MP2 audio
        public.mp3|mp3,mpga|audio/mpeg,audio/mpeg3,audio/mpg,audio/mp3,audio/x-mpeg,audio/x-mpeg3,audio/x-mpg,audio/x-mp3|MPG3,mpg3,Mp3 ,MP3 ,mp3!,MP3!||MP3 audio
        public.mp4a-latm||audio/mp4a-latm|||Low-overhead MPEG-4 Audio Transport Multiplex
        public.mp4a-loas|loas,latm||||Low Overhead MPEG-4 Audio Stream
        public.mpeg|mpg,mpeg,mpe,m75,m15|video/mpeg,video/mpg,video/x-mpeg,video/x-mpg|MPG ,MPEG||MPEG movie
        public.mpeg-2-transport-stream|ts||||MPEG-2 Transport Stream
        public.mpeg-2-video|m2v|video/mpeg2,video/mpeg2-video|||MPEG-2 video
        public.mpeg-4|mp4,mpg4|video/mp4,video/mp4v-es|mpg4,MP4 ||MPEG-4 movie
        public.mpeg-4-audio|mp4,mpg4|audio/mp4,audio/mp4a-latm|mpg4,MP4 ||MPEG-4 audio
        public.mpo-image|mpo||||Multiple Picture Object image
        public.named-pipe|||||
        public.ndjson|ndjson|application/x-ndjson|||NDJSON
        public.object-code|o||||object code
        public.objective-c-plus-plus-source|mm||||Objective-C++ source code
        public.objective-c-plus-plus-source.preprocessed|mii||||preprocessed Objective-C++ source code
        public.objective-c-source|m||||Objective-C source code
        public.objective-c-source.preprocessed|mi||||preprocessed Objective-C source code
        public.ofd|ofd|application/ofd|||Open Fixed-layout Document
        public.opentype-collection-font|otc||||PostScript® OpenType® collection font
        public.opentype-font|otf|font/otf|OTTO||PostScript® OpenType® font
        public.optical-storage-media|||sbOD,sbCD||optical storage media
        public.pascal-source|pas||||Pascal source code
        public.patch-file|patch,diff||||patch file
        public.perl-script|pl,pm|text/x-perl-script|||Perl script
        public.php-script|php,php3,php4,ph3,ph4,phtml|text/php,text/x-php-script,application/php|||PHP script
        public.plain-text|txt,text|text/plain|||
        public.playlist|||||playlist
        public.pls-playlist|pls|audio/x-scpls|||PLS Playlist
        public.png|png|image/png|PNGf|Apple PNG pasteboard type|PNG image
        public.polygon-file-format|ply||||Polygon File Format
        public.precompiled-c-header|pch||||precompiled C header
        public.precompiled-c-plus-plus-header|pch++||||precompiled C++ header
        public.presentation|||||presentation
        public.python-script|py|text/x-python-script|||Python script
        public.rss|rss|application/rss+xml|||RSS web feed
        public.rtf|rtf|text/rtf|RTF |NeXT Rich Text Format v1.0 pasteboard type,NSRTFPboardType|rich text (RTF)
        public.ruby-script|rb,rbw|text/x-ruby-script|||Ruby script
        public.script|||||script
        public.shell-script|sh||||shell script
        public.socket|||||
        public.source-code|||||source code
        public.source-code.preprocessed|||||preprocessed source code
        public.speaker|||||Speaker
        public.spreadsheet|||||Spreadsheet
        public.standard-tesselated-geometry-format|stl||||Standard Tesselated Geometry File Format
        public.storage|||||Storage
        public.stored-url|||||
        public.svg-image|svg,svgz|image/svg+xml|svg ,svgz||SVG image
        public.swift-source|swift||||Swift Source Code
        public.symlink|||||symbolic link
        public.tab-separated-values-text|tsv|text/tab-separated-values|||tab-separated values
        public.tar-archive|tar|application/x-tar,application/tar|||tar archive
        public.tar-bzip2-archive|tbz2,tbz||||Bzip2 compressed tar archive
        public.tcsh-script|tcsh||||Tenex C Shell script
        public.text|||||text
        public.tiff|tiff,tif|image/tiff|TIFF|NeXT TIFF v4.0 pasteboard type,NSTIFFPboardType|TIFF image
        public.to-do-item|||||to-do item
        public.toml|toml|application/toml|||TOML
        public.truetype-collection-font|ttc||ttcf||TrueType® collection font
        public.truetype-font|||||TrueType® font
        public.truetype-ttf-font|ttf|font/ttf|||TrueType® OpenType® font
        public.ulaw-audio|ul,ulw,ulaw||ULAW||µLaw audio
        public.unix-executable|||xTol||Unix executable
        public.url|||url ,gurl||URL
        public.url-name|||urln||URL name
        public.utf16-external-plain-text|||ut16||
        public.utf16-plain-text||text/plain;charset=utf-16,text/plain;charset=\"utf-16\"|utxt||
        public.utf8-plain-text||text/plain;charset=utf-8,text/plain;charset=\"utf-8\"|utf8|NSStringPboardType|
        public.utf8-tab-separated-values-text||||NeXT tabular text pasteboard type|
        public.uuencoded-archive|uu|text/x-uuencode|||UUEncoded archive
        public.vcard|vcf,vcard|text/vcard,text/directory,text/x-vcard|vCrd|Apple VCard pasteboard type|electronic business card
        public.video|||||video
        public.volume|||disk||volume
        public.webassembly|wasm|application/wasm|||WebAssembly module
        public.x509-certificate|cer,der,crt,pem|application/x-x509-ca-cert|||certificate (X.509)
        public.xbitmap-image|xbm|image/x-xbitmap|||X bitmap image
        public.xfd|xfd||||XML Form (XFD)
        public.xhtml|xhtml,xhtm,xht|application/xhtml+xml|||XHTML
        public.xml|xml|application/xml,text/xml|||XML text
        public.yacc-source|y,ym,ymm,ypp,yxx,yy||||Yacc source code
        public.yaml|yml,yaml|application/x-yaml|||YAML
        public.z-archive|z|application/x-compress|||Z archive
        public.zip-archive|zip|application/zip,application/x-zip-compressed|||Zip archive
        public.zsh-script|zsh||||Z Shell script
        """

    /// Where each line of the details begins.
    static let detailStarts: [UInt32] = [
        0, 49, 101, 242, 292, 348, 416, 480, 558, 711, 785, 845, 893, 965, 1035, 1105, 1165, 1224, 1278, 1324, 1369,
        1437, 1471, 1497, 1543, 1583, 1623, 1654, 1696, 1749, 1808, 1867, 1923, 1961, 2046, 2087, 2126, 2176, 2225,
        2268, 2319, 2378, 2436, 2497, 2610, 2659, 2735, 2774, 2806, 2834, 2878, 2972, 3038, 3152, 3267, 3362, 3422,
        3465, 3534, 3597, 3658, 3737, 3813, 3857, 3887, 3939, 3969, 4046, 4104, 4156, 4190, 4240, 4282, 4336, 4396,
        4458, 4489, 4551, 4601, 4653, 4689, 4748, 4794, 4865, 4907, 4963, 5002, 5060, 5103, 5170, 5231, 5298, 5364,
        5428, 5537, 5602, 5649, 5717, 5780, 5830, 5876, 5945, 5993, 6068, 6115, 6182, 6228, 6268, 6309, 6368, 6414,
        6466, 6503, 6538, 6575, 6605, 6653, 6709, 6741, 6807, 6851, 6897, 6961, 7039, 7133, 7213, 7309, 7367, 7445,
        7521, 7603, 7673, 7751, 7823, 7927, 8015, 8087, 8175, 8249, 8325, 8399, 8459, 8519, 8584, 8665, 8740, 8817,
        8888, 8943, 9010, 9067, 9132, 9193, 9266, 9333, 9371, 9406, 9472, 9528, 9578, 9645, 9727, 9790, 9847, 9921,
        10013, 10063, 10099, 10141, 10161, 10183, 10215, 10257, 10289, 10329, 10363, 10397, 10437, 10482, 10544, 10606,
        10668, 10720, 10772, 10832, 10881, 10970, 11056, 11116, 11184, 11285, 11392, 11457, 11509, 11569, 11658, 11756,
        11814, 11866, 11909, 11949, 12001, 12056, 12111, 12142, 12193, 12253, 12288, 12335, 12382, 12443, 12498, 12547,
        12588, 12643, 13032, 13090, 13141, 13176, 13229, 13268, 13327, 13382, 13425, 13474, 13527, 13596, 13659, 13708,
        13777, 13838, 13903, 13946, 13985, 14030, 14097, 14133, 14172, 14225, 14247, 14308, 14369, 14388, 14486, 14528,
        14570, 14608, 14663, 14713, 14755, 14790, 14842, 14913, 14952, 14999, 15060, 15159, 15262, 15300, 15354, 15411,
        15465, 15527, 15598, 15638, 15680, 15726, 15767, 15797, 15841, 15920, 15981, 16017, 16152, 16213, 16273, 16310,
        16383, 16422, 16473, 16514, 16558, 16604, 16672, 16736, 16785, 16832, 16899, 16968, 17028, 17093, 17144, 17244,
        17317, 17392, 17463, 17522, 17558, 17600, 17657, 17721, 17781, 17827, 17861, 17903, 17959, 18026, 18082, 18131,
        18172, 18241, 18295, 18343, 18399, 18445, 18509, 18567, 18649, 18737, 18787, 18850, 18921, 18983, 19062, 19113,
        19154, 19194, 19274, 19338, 19386, 19414, 19454, 19494, 19538, 19582, 19645, 19713, 19756, 19824, 19932, 19984,
        20036, 20077, 20107, 20155, 20210, 20251, 20294, 20404, 20484, 20565, 20616, 20667, 20735, 20783, 20832, 20892,
        20946, 21006, 21078, 21119, 21187, 21248, 21309, 21352, 21393, 21422, 21498, 21541, 21594, 21642, 21710, 21753,
        21800, 21893, 21990, 22055, 22106, 22263, 22321, 22434, 22546, 22659, 22727, 22792, 22924, 23058, 23194, 23293,
        23409, 23514, 23608, 23681, 23745, 23818, 23885, 23952, 24019, 24086, 24170, 24254, 24320, 24406, 24474, 24517,
        24588, 24635, 24706, 24757, 24814, 24859, 24909, 24992, 25099, 25140, 25230, 25340, 25407, 25497, 25556, 25643,
        25690, 25751, 25812, 25861, 25902, 25967, 26003, 26053, 26159, 26253, 26349, 26414, 26453, 26502, 26593, 26656,
        26714, 26797, 26832, 26897, 26978, 27049, 27131, 27213, 27279, 27362, 27414, 27460, 27529, 27585, 27653, 27732,
        27784, 27829, 27888, 27967, 28022, 28068, 28169, 28297, 28407, 28514, 28648, 28758, 28895, 28996, 29124, 29246,
        29395, 29514, 29660, 29758, 29877, 30002, 30117, 30240, 30364, 30477, 30664, 30789, 30920, 31040, 31161, 31258,
        31366, 31413, 31570, 31742, 31891, 32055, 32213, 32386, 32526, 32677, 32832, 32998, 33163, 33335, 33500, 33672,
        33737, 33798, 33894, 33958, 34018, 34085, 34128, 34168, 34212, 34273, 34323, 34366, 34435, 34474, 34527, 34560,
        34629, 34693, 34757, 34805, 34854, 34897, 34965, 35004, 35040, 35090, 35146, 35196, 35244, 35288, 35324, 35366,
        35412, 35462, 35518, 35564, 35608, 35668, 35720, 35770, 35810, 35862, 35898, 35956, 36020, 36066, 36110, 36182,
        36222, 36258, 36306, 36352, 36386, 36434, 36494, 36544, 36594, 36644, 36688, 36750, 36792, 36850, 36910, 36948,
        36998, 37052, 37090, 37140, 37184, 37220, 37260, 37306, 37338, 37387, 37433, 37456, 37507, 37572, 37622, 37653,
        37703, 37783, 37824, 37884, 37937, 37963, 37996, 38132, 38167, 38234, 38292, 38355, 38429, 38464, 38525, 38566,
        38611, 38645, 38674, 38701, 38732, 38761, 38802, 38832, 38933, 38970, 38999, 39038, 39065, 39110, 39150, 39180,
        39229, 39258, 39313, 39338, 39369, 39402, 39433, 39494, 39543, 39574, 39603, 39637, 39673, 39706, 39743, 39778,
        39829, 39862, 39901, 39973, 40006, 40025, 40063, 40096, 40146, 40209, 40253, 40274, 40307, 40340, 40373, 40424,
        40478, 40551, 40594, 40631, 40662, 40697, 40736, 40773, 40804, 40865, 40900, 40936, 40997, 41081, 41104, 41125,
        41188, 41257, 41302, 41343, 41386, 41443, 41467, 41571, 41618, 41645, 41721, 41778, 41809, 41832, 41860, 42015,
        42097, 42160, 42261, 42322, 42391, 42462, 42541, 42595, 42618, 42669, 42705, 42773, 42868, 42923, 43005, 43065,
        43144, 43213, 43277, 43324, 43367, 43425, 43527, 43568, 43597, 43650, 43716, 43770, 43826, 43896, 43933, 43994,
        44044, 44148, 44207, 44232, 44271, 44290, 44325, 44386, 44413, 44448, 44539, 44566, 44589, 44650, 44697, 44730,
        44816, 44887, 44953, 45001, 45022, 45118, 45151, 45192, 45262, 45303, 45370, 45419, 45466, 45494, 45527, 45569,
        45655, 45756, 45832, 45896, 46016, 46039, 46068, 46130, 46219, 46277, 46310, 46368, 46419, 46478, 46525, 46579,
        46661, 46701,
    ]

    /// Bit 0: declared; 1: owned by the system; 2: so is all it conforms to.
    static let standings: [UInt8] = [
        7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1,
        1, 7, 7, 7, 7, 1, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7,
        1, 7, 7, 0, 3, 3, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 0, 7, 7, 7, 7, 7, 7, 7, 3, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 7, 7, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 1, 1, 1, 1, 1, 7, 1, 7, 1, 1, 1, 1, 7, 1, 1, 1, 1, 7,
        7, 7, 7, 7, 1, 1, 7, 7, 7, 1, 7, 1, 7, 7, 7, 1, 7, 1, 1, 1, 1, 1, 1, 1, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 1, 1, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7,
        7, 7, 7, 7, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7,
    ]

    /// How many of a type's lineage are its parents.
    static let parentCounts: [UInt8] = [
        1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 1, 0, 1, 0, 0, 1, 1, 1, 2, 2, 2, 2, 1, 2, 1, 1, 3, 2,
        1, 1, 2, 1, 2, 1, 1, 2, 1, 2, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 0, 1, 1, 2, 1, 2, 1, 1, 1, 1, 0, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2,
        2, 1, 1, 0, 2, 2, 2, 3, 3, 1, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 3, 3, 3, 2, 2, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 3, 2, 1, 1, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 2, 1, 1, 1, 2, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 2, 0, 0, 2, 1, 1, 2, 1, 1, 2, 2, 1, 3, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 2, 1, 1, 1, 1, 0, 1, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1,
        1, 1, 1, 2, 1, 0, 0, 0, 0, 1, 1, 1, 2, 1, 2, 1, 1, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 4, 1, 3, 2, 2, 1, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2,
        2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 2, 1, 1, 3, 1, 1, 1, 1, 1, 1, 2, 2, 3, 2, 2, 2, 2, 2, 2, 3,
        3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 2, 1, 2, 3, 2, 3, 2, 3, 3, 4, 3, 4, 2, 3, 2, 3, 1, 1, 1, 1,
        2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1,
        2, 0, 2, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 1, 1, 1, 2, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 0, 2, 1, 1,
        1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 2, 0,
        0, 2, 1, 2, 2, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2,
        1, 1,
    ]

    /// Where the lineage of each row begins.
    static let lineageStarts: [UInt16] = [
        0, 4, 6, 11, 13, 15, 20, 24, 28, 32, 36, 40, 43, 47, 51, 55, 60, 64, 67, 69, 69, 73, 73, 73, 74, 75, 76, 79,
        82, 89, 93, 100, 103, 105, 110, 117, 121, 129, 132, 135, 137, 142, 149, 152, 155, 156, 160, 160, 163, 165,
        166, 168, 170, 172, 174, 176, 178, 180, 182, 187, 192, 195, 197, 204, 207, 212, 217, 222, 225, 228, 229, 233,
        234, 236, 239, 242, 242, 245, 249, 254, 257, 260, 262, 266, 267, 272, 272, 275, 277, 282, 285, 287, 290, 293,
        297, 300, 303, 307, 313, 314, 318, 322, 324, 325, 332, 334, 337, 338, 345, 351, 353, 356, 356, 358, 360, 364,
        369, 374, 375, 377, 381, 381, 381, 382, 383, 384, 385, 388, 392, 396, 400, 404, 408, 412, 416, 420, 424, 428,
        432, 436, 440, 443, 444, 446, 448, 450, 452, 454, 456, 458, 460, 462, 464, 466, 468, 471, 471, 478, 481, 484,
        486, 490, 494, 498, 501, 505, 508, 510, 513, 513, 513, 514, 515, 518, 521, 524, 527, 530, 534, 538, 542, 546,
        549, 556, 563, 570, 575, 580, 586, 592, 597, 602, 608, 613, 618, 622, 626, 631, 635, 641, 647, 650, 651, 652,
        654, 656, 658, 660, 662, 664, 666, 668, 670, 672, 674, 676, 678, 680, 682, 684, 686, 688, 690, 692, 694, 696,
        698, 700, 702, 704, 706, 708, 710, 712, 715, 717, 717, 720, 727, 733, 739, 745, 745, 748, 752, 757, 762, 767,
        772, 777, 778, 782, 786, 788, 792, 797, 802, 804, 806, 809, 815, 818, 818, 822, 824, 824, 828, 832, 834, 841,
        841, 841, 844, 848, 851, 855, 857, 859, 863, 867, 872, 877, 878, 880, 882, 883, 885, 890, 896, 903, 908, 911,
        914, 919, 923, 928, 930, 930, 936, 941, 945, 950, 953, 956, 964, 966, 968, 975, 978, 985, 986, 987, 988, 989,
        994, 1000, 1006, 1012, 1018, 1024, 1029, 1033, 1037, 1041, 1046, 1049, 1052, 1056, 1060, 1062, 1062, 1062,
        1062, 1062, 1065, 1068, 1072, 1075, 1079, 1083, 1088, 1093, 1096, 1099, 1103, 1109, 1113, 1118, 1124, 1130,
        1134, 1139, 1144, 1149, 1154, 1158, 1163, 1168, 1173, 1176, 1181, 1186, 1191, 1196, 1200, 1206, 1212, 1216,
        1221, 1226, 1231, 1236, 1241, 1246, 1252, 1256, 1260, 1263, 1272, 1274, 1279, 1283, 1287, 1291, 1294, 1299,
        1304, 1309, 1315, 1320, 1323, 1326, 1334, 1340, 1346, 1352, 1358, 1366, 1374, 1378, 1382, 1388, 1396, 1401,
        1406, 1412, 1417, 1423, 1428, 1433, 1438, 1443, 1447, 1451, 1454, 1457, 1462, 1467, 1472, 1475, 1477, 1482,
        1486, 1490, 1495, 1500, 1505, 1510, 1515, 1519, 1523, 1527, 1533, 1536, 1542, 1547, 1554, 1559, 1563, 1565,
        1571, 1576, 1579, 1583, 1586, 1589, 1592, 1596, 1602, 1606, 1612, 1617, 1624, 1626, 1628, 1634, 1639, 1641,
        1643, 1648, 1653, 1657, 1661, 1665, 1670, 1675, 1680, 1685, 1691, 1697, 1703, 1709, 1714, 1719, 1724, 1729,
        1732, 1735, 1738, 1743, 1748, 1752, 1756, 1759, 1762, 1765, 1767, 1773, 1780, 1786, 1793, 1799, 1806, 1812,
        1819, 1825, 1832, 1837, 1843, 1848, 1854, 1860, 1865, 1866, 1870, 1873, 1876, 1880, 1883, 1886, 1891, 1895,
        1900, 1905, 1910, 1915, 1916, 1921, 1926, 1931, 1936, 1942, 1947, 1953, 1957, 1957, 1959, 1961, 1963, 1965,
        1966, 1967, 1968, 1970, 1972, 1973, 1975, 1976, 1978, 1979, 1981, 1982, 1983, 1984, 1985, 1986, 1988, 1989,
        1990, 1991, 1992, 1994, 1995, 1996, 1997, 2000, 2001, 2003, 2005, 2006, 2008, 2009, 2011, 2012, 2013, 2015,
        2017, 2018, 2020, 2021, 2022, 2023, 2025, 2025, 2031, 2036, 2040, 2043, 2043, 2047, 2052, 2057, 2062, 2066,
        2070, 2078, 2079, 2079, 2082, 2088, 2094, 2101, 2107, 2115, 2121, 2129, 2129, 2133, 2137, 2139, 2142, 2145,
        2148, 2154, 2155, 2161, 2162, 2163, 2163, 2163, 2166, 2174, 2178, 2179, 2179, 2183, 2183, 2184, 2185, 2185,
        2190, 2195, 2197, 2200, 2203, 2206, 2209, 2212, 2215, 2221, 2224, 2225, 2230, 2231, 2236, 2236, 2239, 2244,
        2249, 2251, 2253, 2260, 2267, 2274, 2280, 2285, 2290, 2290, 2292, 2295, 2298, 2301, 2304, 2309, 2314, 2319,
        2323, 2328, 2332, 2335, 2335, 2339, 2343, 2347, 2351, 2359, 2365, 2366, 2372, 2379, 2379, 2384, 2390, 2395,
        2399, 2404, 2409, 2414, 2419, 2424, 2429, 2435, 2440, 2445, 2449, 2450, 2454, 2457, 2463, 2471, 2477, 2485,
        2489, 2493, 2496, 2497, 2503, 2508, 2516, 2524, 2528, 2528, 2533, 2537, 2541, 2547, 2553, 2555, 2563, 2568,
        2572, 2580, 2586, 2593, 2594, 2599, 2605, 2605, 2606, 2610, 2610, 2610, 2616, 2622, 2624, 2630, 2634, 2638,
        2646, 2649, 2653, 2653, 2657, 2661, 2664, 2668, 2673, 2676, 2678, 2680, 2685, 2690, 2695, 2703, 2706, 2711,
        2716, 2719, 2722, 2724, 2728, 2733, 2738, 2742, 2748, 2752, 2755, 2759, 2767,
    ]

    /// Rows of what each type conforms to, nearest first.
    static let lineages: [UInt16] = [
        658, 612, 608, 659, 612, 659, 10, 612, 605, 659, 608, 612, 659, 612, 659, 673, 576, 612, 608, 659, 658, 612,
        608, 659, 612, 605, 659, 608, 658, 612, 608, 659, 658, 612, 608, 659, 612, 605, 659, 608, 639, 612, 659, 11,
        639, 612, 659, 11, 639, 612, 659, 11, 639, 612, 659, 596, 658, 612, 608, 659, 612, 605, 659, 608, 612, 572,
        659, 71, 659, 165, 720, 612, 659, 22, 22, 22, 612, 296, 659, 612, 296, 659, 612, 711, 659, 714, 699, 728,
        608, 48, 267, 616, 659, 711, 714, 699, 728, 612, 608, 659, 612, 572, 659, 632, 659, 345, 48, 267, 616, 659,
        32, 236, 267, 632, 48, 616, 659, 32, 612, 632, 659, 34, 32, 236, 267, 632, 48, 616, 659, 638, 616, 659, 612,
        572, 659, 612, 659, 728, 285, 612, 608, 659, 344, 752, 285, 728, 612, 608, 659, 285, 612, 659, 612, 572, 659,
        572, 612, 44, 659, 572, 612, 296, 659, 616, 659, 618, 612, 659, 612, 659, 612, 659, 612, 659, 612, 659, 612,
        659, 612, 659, 612, 659, 752, 728, 612, 608, 659, 575, 576, 612, 608, 659, 267, 616, 659, 612, 659, 741, 666,
        699, 659, 728, 612, 608, 612, 613, 659, 236, 267, 48, 616, 659, 638, 236, 616, 48, 659, 35, 32, 612, 632,
        659, 638, 616, 659, 638, 616, 659, 615, 728, 612, 608, 659, 659, 71, 659, 638, 616, 659, 638, 616, 659, 638,
        616, 659, 658, 612, 608, 659, 236, 267, 48, 616, 659, 638, 616, 659, 612, 572, 659, 71, 659, 165, 720, 612,
        659, 719, 277, 48, 267, 616, 659, 638, 616, 659, 612, 659, 87, 658, 612, 608, 659, 90, 612, 659, 612, 659,
        87, 612, 659, 87, 612, 659, 612, 605, 659, 608, 639, 612, 659, 48, 616, 659, 165, 720, 612, 659, 267, 576,
        616, 612, 608, 659, 719, 48, 267, 616, 659, 165, 720, 612, 659, 612, 659, 719, 741, 666, 699, 659, 728, 612,
        608, 612, 659, 638, 616, 659, 329, 741, 666, 699, 659, 728, 612, 608, 646, 663, 728, 612, 608, 659, 612, 659,
        638, 616, 659, 168, 111, 169, 111, 166, 716, 69, 615, 728, 659, 595, 612, 608, 728, 659, 595, 612, 608, 659,
        612, 659, 658, 612, 608, 659, 121, 121, 121, 121, 125, 120, 121, 125, 126, 121, 120, 125, 126, 121, 120, 125,
        126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 123, 141, 121, 120, 125, 126, 121, 120, 125, 126, 121,
        120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 122,
        120, 121, 120, 141, 120, 141, 120, 141, 120, 141, 120, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        71, 659, 71, 659, 638, 616, 659, 593, 714, 699, 728, 612, 608, 659, 267, 616, 659, 267, 616, 659, 612, 659,
        48, 267, 616, 659, 48, 267, 616, 659, 48, 267, 616, 659, 612, 572, 659, 48, 267, 616, 659, 720, 612, 659,
        69, 615, 166, 69, 615, 169, 169, 113, 169, 111, 203, 69, 615, 203, 69, 615, 203, 69, 615, 203, 69, 615, 176,
        203, 69, 615, 176, 203, 69, 615, 176, 203, 69, 615, 176, 203, 69, 615, 737, 612, 659, 267, 706, 198, 616,
        605, 659, 608, 267, 706, 198, 616, 605, 659, 608, 267, 706, 199, 616, 605, 659, 608, 612, 706, 659, 605, 608,
        612, 706, 659, 605, 608, 267, 605, 717, 616, 608, 659, 267, 605, 717, 616, 608, 659, 612, 605, 717, 659, 608,
        612, 605, 717, 659, 608, 267, 605, 717, 616, 608, 659, 267, 605, 616, 608, 659, 267, 605, 616, 608, 659, 612,
        605, 659, 608, 612, 605, 659, 608, 267, 605, 616, 608, 659, 48, 267, 616, 659, 267, 706, 616, 605, 659, 608,
        267, 706, 616, 605, 659, 608, 612, 666, 659, 618, 618, 69, 615, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        638, 616, 659, 612, 659, 48, 616, 659, 236, 267, 605, 48, 616, 608, 659, 699, 666, 728, 659, 612, 608, 682,
        575, 576, 612, 608, 659, 681, 673, 576, 612, 608, 659, 612, 572, 659, 736, 612, 632, 659, 243, 736, 612, 632,
        659, 243, 736, 612, 632, 659, 243, 736, 612, 632, 659, 243, 736, 612, 632, 659, 243, 736, 612, 632, 659, 241,
        658, 612, 608, 659, 165, 720, 612, 659, 612, 659, 267, 48, 616, 659, 277, 48, 267, 616, 659, 752, 728, 612,
        608, 659, 612, 659, 659, 296, 638, 616, 659, 682, 575, 576, 612, 608, 659, 638, 616, 659, 165, 720, 612, 659,
        71, 659, 728, 612, 608, 659, 728, 612, 608, 659, 616, 659, 741, 666, 699, 659, 728, 612, 608, 612, 632, 659,
        658, 612, 608, 659, 638, 616, 659, 48, 267, 616, 659, 612, 659, 612, 659, 48, 267, 616, 659, 48, 267, 616,
        659, 277, 48, 267, 616, 659, 235, 48, 267, 616, 659, 618, 612, 659, 612, 659, 659, 612, 659, 575, 576, 612,
        608, 659, 286, 575, 576, 612, 608, 659, 240, 681, 673, 576, 612, 608, 659, 752, 728, 612, 608, 659, 638, 616,
        659, 612, 632, 659, 277, 48, 267, 616, 659, 658, 612, 608, 659, 673, 576, 612, 608, 659, 612, 659, 714, 699,
        728, 612, 608, 659, 267, 605, 616, 608, 659, 612, 515, 659, 608, 752, 728, 612, 608, 659, 638, 616, 659, 638,
        616, 659, 34, 32, 236, 267, 632, 48, 616, 659, 612, 659, 612, 659, 741, 666, 699, 659, 728, 612, 608, 638,
        616, 659, 741, 666, 699, 659, 728, 612, 608, 719, 719, 719, 719, 699, 728, 612, 608, 659, 313, 699, 728, 612,
        608, 659, 313, 699, 728, 612, 608, 659, 313, 699, 728, 612, 608, 659, 313, 699, 728, 612, 608, 659, 714, 699,
        728, 612, 608, 659, 236, 267, 48, 616, 659, 267, 48, 616, 659, 267, 48, 616, 659, 267, 48, 616, 659, 699,
        728, 612, 608, 659, 638, 616, 659, 638, 616, 659, 733, 639, 612, 659, 612, 605, 659, 608, 71, 659, 638, 616,
        659, 638, 616, 659, 165, 720, 612, 659, 612, 608, 659, 165, 720, 612, 659, 612, 605, 659, 608, 277, 48, 267,
        616, 659, 243, 736, 612, 632, 659, 612, 572, 659, 267, 616, 659, 341, 612, 572, 659, 752, 285, 728, 612, 608,
        659, 48, 267, 616, 659, 575, 576, 612, 608, 659, 346, 575, 576, 612, 608, 659, 346, 575, 576, 612, 608, 659,
        576, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612,
        608, 659, 658, 612, 608, 659, 575, 576, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 612,
        572, 659, 596, 658, 612, 608, 659, 752, 728, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659,
        658, 612, 608, 659, 633, 658, 669, 612, 608, 659, 633, 658, 669, 612, 608, 659, 658, 612, 608, 659, 596, 658,
        612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608,
        659, 596, 658, 612, 608, 659, 576, 752, 612, 608, 728, 659, 576, 612, 608, 659, 658, 612, 608, 659, 612, 572,
        659, 756, 605, 717, 632, 413, 608, 659, 612, 572, 612, 659, 612, 605, 717, 659, 608, 612, 717, 659, 608, 612,
        717, 659, 608, 658, 612, 608, 659, 720, 612, 659, 612, 706, 659, 605, 608, 612, 706, 659, 605, 608, 612, 706,
        659, 605, 608, 714, 699, 728, 612, 608, 659, 575, 576, 612, 608, 659, 612, 632, 659, 612, 632, 659, 575, 373,
        576, 752, 612, 608, 728, 659, 673, 374, 576, 612, 608, 659, 575, 374, 576, 612, 608, 659, 673, 374, 576, 612,
        608, 659, 673, 374, 576, 612, 608, 659, 673, 373, 576, 752, 612, 608, 728, 659, 673, 373, 576, 752, 612, 608,
        728, 659, 612, 605, 659, 608, 612, 605, 659, 608, 752, 605, 728, 608, 612, 659, 711, 632, 714, 659, 699, 728,
        612, 608, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 405, 596, 658, 612, 608, 659, 596, 658, 612, 608,
        659, 405, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659,
        596, 658, 612, 608, 659, 515, 612, 608, 659, 515, 612, 608, 659, 612, 572, 659, 612, 572, 659, 575, 576, 612,
        608, 659, 673, 576, 612, 608, 659, 673, 576, 612, 608, 659, 612, 572, 659, 612, 659, 596, 658, 612, 608, 659,
        728, 612, 608, 659, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608,
        659, 575, 576, 612, 608, 659, 575, 576, 612, 608, 659, 17, 612, 572, 659, 17, 612, 572, 659, 17, 612, 572,
        659, 756, 632, 413, 659, 612, 572, 612, 632, 659, 714, 699, 728, 612, 608, 659, 752, 728, 612, 608, 659, 431,
        756, 632, 413, 659, 612, 572, 752, 728, 612, 608, 659, 658, 612, 608, 659, 612, 659, 741, 699, 728, 612, 608,
        659, 575, 576, 612, 608, 659, 612, 572, 659, 612, 605, 659, 608, 612, 572, 659, 612, 572, 659, 612, 572, 659,
        445, 612, 572, 659, 714, 699, 728, 612, 608, 659, 612, 605, 659, 608, 714, 699, 728, 612, 608, 659, 663, 728,
        612, 608, 659, 752, 576, 515, 728, 612, 608, 659, 515, 608, 515, 608, 714, 699, 728, 612, 608, 659, 673, 576,
        612, 608, 659, 612, 659, 612, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659, 612, 608, 613, 659, 457,
        608, 612, 659, 457, 608, 612, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659, 457, 658, 612, 608, 659,
        457, 658, 612, 608, 659, 457, 605, 706, 612, 608, 659, 457, 605, 706, 612, 608, 659, 457, 605, 717, 612, 608,
        659, 457, 605, 717, 612, 608, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659,
        457, 605, 612, 608, 659, 612, 608, 659, 612, 608, 659, 612, 608, 659, 612, 608, 706, 659, 605, 612, 608, 706,
        659, 605, 612, 717, 659, 608, 612, 717, 659, 608, 612, 608, 659, 612, 608, 659, 612, 608, 659, 612, 659, 485,
        706, 612, 605, 659, 608, 485, 706, 632, 612, 605, 659, 608, 485, 706, 612, 605, 659, 608, 485, 706, 632, 612,
        605, 659, 608, 485, 706, 612, 605, 659, 608, 485, 706, 632, 612, 605, 659, 608, 485, 605, 717, 612, 608, 659,
        485, 605, 717, 632, 612, 608, 659, 485, 605, 717, 612, 608, 659, 485, 605, 717, 632, 612, 608, 659, 485, 605,
        612, 608, 659, 485, 605, 632, 612, 608, 659, 485, 605, 612, 608, 659, 485, 605, 632, 612, 608, 659, 714, 699,
        728, 612, 608, 659, 673, 576, 612, 608, 659, 613, 728, 612, 608, 659, 612, 572, 659, 612, 572, 659, 728, 612,
        608, 659, 639, 612, 659, 639, 612, 659, 673, 576, 612, 608, 659, 658, 612, 608, 659, 575, 576, 612, 608, 659,
        575, 576, 612, 608, 659, 673, 576, 612, 608, 659, 575, 576, 612, 608, 659, 608, 673, 576, 612, 608, 659, 673,
        576, 612, 608, 659, 575, 576, 612, 608, 659, 575, 576, 612, 608, 659, 714, 699, 728, 612, 608, 659, 575, 576,
        612, 608, 659, 521, 575, 576, 612, 608, 659, 515, 612, 608, 659, 542, 524, 542, 524, 542, 524, 542, 524, 524,
        524, 524, 542, 524, 542, 524, 524, 542, 524, 524, 542, 524, 524, 542, 524, 524, 524, 524, 524, 524, 542, 524,
        524, 524, 524, 524, 542, 524, 524, 524, 524, 553, 569, 524, 524, 542, 524, 542, 524, 524, 542, 524, 524, 542,
        524, 524, 524, 542, 524, 542, 524, 524, 542, 524, 524, 524, 524, 542, 524, 714, 699, 728, 612, 608, 659, 575,
        576, 612, 608, 659, 576, 612, 608, 659, 612, 608, 659, 267, 577, 616, 659, 655, 658, 612, 608, 659, 655, 658,
        612, 608, 659, 673, 576, 612, 608, 659, 658, 612, 608, 659, 658, 612, 608, 659, 712, 711, 714, 699, 728, 612,
        608, 659, 659, 612, 572, 659, 714, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608, 659, 589, 714, 699, 728,
        612, 608, 659, 714, 699, 728, 612, 608, 659, 591, 715, 714, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608,
        659, 593, 715, 714, 699, 728, 612, 608, 659, 658, 612, 608, 659, 728, 612, 608, 659, 694, 719, 598, 694, 719,
        598, 694, 719, 598, 694, 719, 521, 575, 576, 612, 608, 659, 659, 699, 614, 728, 612, 608, 659, 608, 615, 612,
        572, 659, 712, 711, 714, 699, 728, 612, 608, 659, 728, 612, 608, 659, 659, 728, 612, 608, 659, 659, 572, 575,
        576, 612, 608, 659, 673, 576, 612, 608, 659, 694, 719, 621, 694, 719, 621, 694, 719, 621, 694, 719, 621, 694,
        719, 621, 694, 719, 621, 694, 719, 714, 699, 728, 612, 608, 659, 612, 632, 659, 669, 575, 576, 612, 608, 659,
        659, 658, 669, 612, 608, 659, 737, 612, 659, 597, 728, 612, 608, 659, 673, 576, 612, 608, 659, 616, 659, 612,
        659, 643, 714, 699, 728, 612, 608, 659, 643, 714, 699, 728, 612, 608, 659, 643, 714, 699, 728, 612, 608, 659,
        714, 699, 728, 612, 608, 659, 663, 728, 612, 608, 659, 515, 728, 608, 612, 659, 694, 719, 647, 694, 719, 647,
        694, 719, 647, 694, 719, 647, 694, 719, 655, 658, 612, 608, 659, 655, 658, 612, 608, 659, 655, 658, 612, 608,
        659, 658, 612, 608, 659, 655, 658, 612, 608, 659, 728, 612, 608, 659, 612, 608, 659, 658, 612, 608, 659, 658,
        612, 608, 659, 658, 612, 608, 659, 728, 612, 608, 659, 712, 711, 714, 699, 728, 612, 608, 659, 714, 699, 728,
        612, 608, 659, 659, 699, 700, 728, 612, 608, 659, 711, 714, 699, 728, 612, 608, 659, 575, 576, 612, 608, 659,
        714, 699, 728, 612, 608, 659, 597, 728, 612, 608, 659, 576, 612, 608, 659, 575, 576, 612, 608, 659, 575, 576,
        612, 608, 659, 575, 576, 612, 608, 659, 575, 576, 612, 608, 659, 673, 576, 612, 608, 659, 673, 576, 612, 608,
        659, 745, 673, 576, 612, 608, 659, 673, 576, 612, 608, 659, 575, 576, 612, 608, 659, 658, 612, 608, 659, 659,
        728, 612, 608, 659, 612, 632, 659, 714, 699, 728, 612, 608, 659, 687, 715, 714, 699, 728, 612, 608, 659, 714,
        699, 728, 612, 608, 659, 689, 715, 714, 699, 728, 612, 608, 659, 612, 605, 659, 608, 693, 639, 612, 659, 639,
        612, 659, 719, 714, 699, 728, 612, 608, 659, 699, 728, 612, 608, 659, 712, 711, 714, 699, 728, 612, 608, 659,
        712, 711, 714, 699, 728, 612, 608, 659, 728, 612, 608, 659, 728, 700, 612, 608, 659, 658, 612, 608, 659, 515,
        612, 608, 659, 714, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608, 659, 605, 608, 712, 711, 714, 699, 728,
        612, 608, 659, 752, 728, 612, 608, 659, 728, 612, 608, 659, 712, 711, 714, 699, 728, 612, 608, 659, 714, 699,
        728, 612, 608, 659, 711, 714, 699, 728, 612, 608, 659, 659, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608,
        659, 608, 515, 612, 608, 659, 658, 752, 612, 608, 728, 659, 714, 699, 728, 612, 608, 659, 659, 296, 699, 614,
        728, 612, 608, 659, 444, 612, 572, 659, 587, 612, 572, 659, 712, 711, 714, 699, 728, 612, 608, 659, 612, 608,
        659, 658, 612, 608, 659, 728, 612, 608, 659, 733, 639, 612, 659, 639, 612, 659, 733, 639, 612, 659, 575, 576,
        612, 608, 659, 612, 632, 659, 612, 659, 612, 659, 699, 728, 612, 608, 659, 699, 728, 612, 608, 659, 699, 728,
        612, 608, 659, 724, 741, 699, 614, 728, 612, 608, 659, 612, 572, 659, 728, 607, 612, 608, 659, 673, 576, 612,
        608, 659, 638, 616, 659, 612, 632, 659, 612, 659, 658, 612, 608, 659, 752, 728, 612, 608, 659, 752, 728, 612,
        608, 659, 728, 612, 608, 659, 714, 699, 728, 612, 608, 659, 728, 612, 608, 659, 612, 572, 659, 413, 612, 572,
        659, 712, 711, 714, 699, 728, 612, 608, 659,
    ]

    /// Where each tag stands in the details, sorted.
    static let extensionTags: [UInt32] = [
        21216, 34642, 34572, 34646, 34576, 27002, 20319, 34710, 27094, 2243, 20430, 34980, 34774, 34823, 34827, 34831,
        34714, 4717, 1401, 6332, 447, 34920, 34872, 34915, 26932, 2075, 2004, 1835, 2287, 25835, 1897, 21931, 21841,
        37403, 2406, 37596, 37634, 37665, 37714, 37795, 37836, 5746, 37903, 14416, 22008, 5855, 23331, 38021, 38017,
        38445, 38325, 22073, 3624, 38329, 3447, 38779, 40175, 46154, 26433, 3443, 3558, 38318, 2689, 39085, 38321,
        20589, 20640, 3835, 46162, 20691, 39128, 39161, 3875, 38867, 23230, 38332, 27696, 33827, 27982, 21518, 27154,
        41739, 46158, 4628, 19236, 22012, 27986, 39513, 43348, 9686, 9691, 23452, 39459, 39798, 1125, 24109, 33221,
        33043, 24193, 33558, 33380, 4569, 20098, 39510, 20910, 14631, 39927, 39932, 63, 21367, 135, 27484, 20966,
        256, 23547, 18761, 21331, 40395, 382, 386, 378, 374, 40299, 40332, 40365, 306, 21277, 4827, 34337, 40167,
        40171, 370, 40397, 5031, 21447, 5622, 4937, 5681, 5751, 40439, 20802, 27748, 27801, 41599, 27435, 6089, 26675,
        6150, 27237, 27303, 27306, 38148, 38207, 6289, 40785, 40817, 40877, 40949, 38193, 40882, 38196, 38199, 2522,
        41014, 41009, 38203, 38493, 3493, 6769, 3497, 6822, 22677, 9351, 6624, 38394, 9427, 24882, 9496, 5912, 38267,
        38211, 27603, 10695, 41221, 41217, 26370, 26478, 26473, 24362, 21408, 26525, 41205, 41146, 41137, 41209, 41142,
        41213, 24351, 24354, 41314, 41272, 41676, 11841, 10748, 10804, 21140, 41361, 27851, 10860, 11966, 27854, 41404,
        33910, 42119, 39804, 41421, 41406, 41409, 42114, 14239, 14203, 41413, 41417, 42894, 42189, 42342, 41487, 41491,
        14267, 16934, 16865, 15380, 14328, 42185, 14875, 41595, 41590, 26863, 26860, 15027, 14973, 42962, 41668, 41663,
        41744, 42822, 26, 24373, 41603, 27913, 27909, 27905, 3768, 3760, 3685, 42741, 22, 15096, 15083, 15185, 21620,
        17418, 41843, 41871, 42405, 42181, 42176, 42172, 42409, 41875, 9887, 42558, 21569, 23226, 33751, 42632, 24494,
        15560, 26813, 11425, 24430, 11088, 11152, 42688, 40512, 28334, 28102, 28443, 28685, 28929, 29798, 29165, 29435,
        29693, 43016, 34389, 34385, 34448, 20514, 34488, 24610, 43097, 43165, 28804, 30039, 29039, 29296, 29563, 29919,
        25572, 11485, 11541, 15819, 43298, 43342, 39090, 43798, 43864, 16037, 494, 24835, 46166, 3501, 995, 1065,
        25576, 43457, 43461, 43443, 43447, 43452, 43465, 16041, 16032, 5133, 9883, 16230, 16334, 43386, 2160, 16809,
        43617, 16400, 16442, 43743, 43389, 43661, 14815, 22821, 32269, 32098, 16495, 22953, 31948, 31786, 23087, 31630,
        31460, 18886, 17055, 806, 743, 584, 16550, 21666, 43954, 17274, 17422, 17348, 17343, 17182, 17579, 25253,
        21097, 25249, 25163, 24730, 44167, 44170, 17481, 25359, 25430, 25520, 33698, 44005, 44055, 17615, 24785, 21777,
        37361, 5261, 18961, 25719, 17682, 17686, 1725, 1785, 20857, 30268, 30820, 30509, 17752, 30513, 34581, 31064,
        26187, 17891, 26030, 25769, 44252, 17927, 17985, 41024, 41018, 18050, 26078, 26183, 26278, 19029, 41672, 37406,
        5330, 18152, 34393, 27541, 33812, 33819, 25925, 25880, 25665, 30956, 30397, 30701, 44491, 31287, 9961, 5561,
        44606, 44610, 44670, 30816, 30264, 31188, 30505, 30140, 31060, 18814, 44835, 44917, 44912, 44972, 11787, 33906,
        43549, 5394, 26739, 27390, 9552, 45039, 45034, 45163, 42292, 44763, 23222, 45224, 45328, 43545, 33985, 45388,
        45395, 45391, 22759, 24947, 24951, 24956, 25037, 45857, 6676, 45913, 45909, 6672, 37718, 19677, 34099, 25983,
        26625, 46087, 19733, 23322, 23326, 23640, 3914, 19845, 19788, 34233, 34294, 19956, 23712, 23777, 23850, 23917,
        23984, 34141, 34182, 24051, 20058, 46240, 46288, 1180, 46334, 46329, 46323, 20129, 22287, 22345, 22152, 32578,
        32425, 22458, 32887, 32719, 22570, 46379, 20232, 34041, 46438, 2247, 46494, 46440, 46490, 46443, 46447, 46451,
        46455, 46542, 46598, 46679, 21037,
    ]

    /// Where the claimants of each tag begin.
    static let extensionStarts: [UInt16] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29,
        30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
        57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,
        84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108,
        109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130,
        131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152,
        153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174,
        175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196,
        197, 198, 199, 200, 201, 202, 203, 204, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 220,
        221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242,
        243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264,
        265, 266, 267, 269, 270, 271, 272, 274, 275, 277, 278, 279, 280, 281, 282, 283, 284, 285, 287, 288, 290, 291,
        292, 293, 294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 311, 313, 315, 316, 317,
        318, 319, 320, 321, 322, 324, 325, 326, 327, 328, 329, 330, 331, 332, 333, 334, 335, 336, 337, 338, 339, 340,
        341, 342, 343, 344, 345, 346, 347, 348, 350, 352, 353, 354, 355, 359, 360, 361, 362, 363, 364, 365, 366, 367,
        368, 369, 370, 371, 372, 373, 374, 375, 376, 377, 378, 379, 380, 381, 382, 383, 384, 385, 386, 387, 388, 389,
        390, 391, 392, 393, 394, 396, 397, 398, 399, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412,
        413, 414, 415, 416, 417, 418, 419, 420, 421, 422, 423, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434,
        435, 436, 437, 438, 440, 441, 442, 443, 444, 445, 446, 447, 448, 449, 450, 451, 452, 453, 454, 455, 456, 457,
        458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468, 469, 470, 471, 473, 474, 475, 476, 477, 478, 479, 480,
        481, 482, 484, 485, 486, 487, 488, 489, 490, 491, 492, 493, 494, 495, 496, 497, 498, 499, 500, 501, 502, 503,
        504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 516, 517, 518, 519, 520, 521, 522, 523, 524, 525,
        526, 527, 528, 529, 530, 531, 532, 533, 534, 535, 536, 537, 538, 539, 540, 541, 542, 543, 544, 546, 547, 548,
        549, 550, 551, 552, 553, 554, 555, 556, 557, 558, 559, 560, 561,
    ]

    /// Rows that claim a tag, likeliest first.
    static let extensionClaimants: [UInt16] = [
        361, 517, 516, 517, 516, 441, 347, 518, 442, 38, 348, 523, 519, 520, 520, 520, 518, 80, 20, 108, 6, 522, 521,
        522, 440, 34, 35, 33, 30, 39, 423, 31, 374, 373, 574, 41, 578, 579, 580, 581, 582, 583, 97, 584, 242, 375,
        99, 388, 587, 587, 593, 591, 376, 59, 591, 56, 602, 637, 748, 432, 56, 58, 591, 45, 609, 591, 350, 351, 62,
        748, 352, 610, 611, 63, 604, 387, 591, 451, 502, 456, 367, 443, 671, 748, 78, 326, 375, 456, 620, 696, 160,
        160, 389, 619, 628, 15, 398, 497, 496, 399, 499, 498, 77, 342, 620, 356, 246, 631, 631, 1, 364, 2, 448, 357,
        3, 390, 318, 363, 643, 5, 5, 5, 5, 640, 641, 642, 4, 362, 82, 511, 637, 637, 5, 643, 86, 366, 95, 84, 96,
        97, 644, 354, 452, 453, 668, 447, 103, 436, 104, 444, 445, 445, 588, 589, 107, 652, 653, 654, 656, 589, 654,
        589, 589, 43, 657, 657, 589, 594, 57, 118, 57, 119, 382, 154, 115, 592, 156, 410, 157, 100, 590, 589, 450,
        181, 661, 661, 431, 433, 433, 401, 365, 434, 661, 660, 660, 661, 660, 661, 401, 401, 663, 662, 670, 197, 182,
        185, 183, 360, 664, 454, 184, 186, 200, 454, 665, 503, 677, 628, 665, 665, 665, 677, 238, 237, 665, 665, 689,
        678, 680, 667, 667, 239, 287, 286, 259, 240, 678, 251, 668, 668, 439, 439, 254, 253, 690, 670, 670, 671, 688,
        0, 401, 668, 455, 455, 455, 61, 61, 60, 687, 0, 255, 255, 256, 369, 294, 674, 675, 681, 682, 678, 678, 678,
        681, 682, 675, 163, 161, 683, 368, 387, 501, 685, 403, 262, 438, 191, 190, 402, 187, 189, 188, 686, 645, 460,
        458, 461, 463, 465, 472, 467, 469, 471, 691, 512, 512, 513, 349, 514, 405, 406, 404, 692, 459, 693, 462, 464,
        474, 466, 468, 470, 473, 419, 192, 194, 193, 268, 695, 696, 609, 704, 705, 272, 7, 409, 748, 57, 13, 14, 419,
        698, 698, 698, 698, 698, 698, 272, 272, 88, 163, 162, 274, 275, 276, 697, 36, 285, 344, 42, 40, 701, 277,
        278, 703, 697, 702, 250, 384, 491, 490, 279, 385, 489, 488, 386, 487, 486, 320, 289, 10, 9, 8, 280, 370, 707,
        292, 294, 293, 293, 291, 297, 415, 359, 415, 414, 407, 371, 710, 710, 295, 416, 417, 418, 500, 708, 709, 298,
        408, 372, 573, 90, 321, 421, 299, 299, 28, 29, 355, 476, 480, 478, 300, 478, 516, 482, 429, 303, 427, 422,
        712, 304, 305, 657, 657, 306, 428, 429, 430, 322, 670, 475, 574, 91, 308, 512, 449, 502, 502, 425, 424, 420,
        481, 477, 479, 718, 484, 164, 94, 721, 721, 722, 480, 476, 483, 478, 475, 482, 319, 725, 726, 726, 727, 196,
        195, 503, 699, 92, 437, 446, 158, 729, 729, 731, 679, 387, 724, 387, 732, 734, 699, 504, 735, 735, 735, 383,
        411, 411, 411, 412, 743, 116, 744, 744, 116, 581, 335, 506, 426, 435, 747, 336, 388, 388, 391, 64, 338, 337,
        509, 510, 339, 392, 393, 394, 395, 396, 507, 508, 397, 341, 749, 750, 16, 751, 751, 751, 343, 378, 379, 377,
        493, 492, 380, 495, 494, 381, 752, 400, 345, 505, 753, 38, 754, 753, 754, 753, 753, 753, 753, 755, 756, 757,
        358,
    ]

    /// Where each tag stands in the details, sorted.
    static let mimeTypeTags: [UInt32] = [
        2574, 38081, 38063, 27992, 27489, 40447, 26679, 27330, 26374, 26559, 41319, 2551, 2526, 14420, 22374, 23121,
        24113, 33755, 39193, 43020, 34407, 498, 658, 43498, 809, 44009, 27545, 44857, 26765, 45168, 23234, 41510,
        16237, 16343, 27158, 21461, 21144, 22349, 22157, 32583, 32892, 23091, 31635, 31953, 32274, 33226, 33563, 28106,
        28216, 28338, 28447, 28563, 28689, 28808, 28933, 29043, 29169, 29300, 29439, 29567, 29697, 29802, 29923, 30043,
        31465, 31791, 32103, 32430, 32724, 33048, 33385, 25167, 25362, 25435, 33830, 30853, 30301, 30549, 30586, 30177,
        31099, 30824, 30960, 30272, 30401, 30517, 30705, 30148, 31068, 31192, 31291, 46092, 27005, 15103, 15201, 38098,
        38044, 38024, 46544, 27242, 27311, 27609, 10916, 11005, 11227, 11333, 11606, 11701, 26530, 14442, 23551, 42639,
        25580, 17186, 25187, 25524, 26213, 26306, 26112, 33854, 26191, 26283, 26083, 44839, 33927, 19856, 46170, 34044,
        46499, 46618, 46338, 46383, 46602, 21041, 34596, 34663, 34719, 34778, 34924, 26936, 20322, 37410, 39463, 39936,
        34342, 41680, 41913, 42491, 42501, 41880, 41891, 41496, 41903, 34397, 34493, 20434, 25256, 23335, 23350, 23360,
        34249, 34729, 34935, 20360, 14271, 15384, 41691, 41962, 41923, 41936, 41540, 41950, 20336, 25279, 25300, 43621,
        23371, 43169, 45332, 34146, 34188, 37639, 37670, 37800, 37842, 22016, 21371, 21451, 20806, 40790, 40823, 40886,
        40955, 41225, 41150, 41161, 41276, 614, 16045, 43665, 648, 25773, 44615, 26743, 26755, 45043, 588, 22681,
        34299, 1129, 20695, 20914, 20970, 21670, 16069, 24434, 24546, 24664, 630, 16056, 17352, 25929, 46244, 27806,
        27752, 17489, 25042, 6628, 38880, 39165, 38871, 45930, 41029, 24377, 26872, 43471, 43554, 45620, 45704, 45594,
        45679, 44059, 33701, 44767, 23257, 45919, 34103, 27438, 27858, 43392, 43480, 43957, 44174, 33711, 27561, 33916,
        45860, 6681, 45945, 46399, 34585, 34651, 37722, 40179, 27935, 42414, 42424, 42193, 42346, 42358, 42204, 37732,
        34452, 17425, 34238, 39517, 390, 14332, 27918, 42214, 42227, 21935, 21845, 23644, 23715, 23781, 23854, 23921,
        23988, 24055, 37746,
    ]

    /// Where the claimants of each tag begin.
    static let mimeTypeStarts: [UInt16] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
        34, 35, 36, 37, 38, 39, 40, 41, 42, 45, 46, 47, 48, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64,
        65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91,
        92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,
        115, 116, 117, 118, 119, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137,
        138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 160,
        161, 162, 163, 164, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183,
        184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205,
        206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227,
        228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249,
        250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 270, 271,
        272, 273, 274, 275, 276, 277, 278, 279, 280, 281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 293,
        294, 295, 296, 297, 298, 299, 300, 301, 302, 303,
    ]

    /// Rows that claim a tag, likeliest first.
    static let mimeTypeClaimants: [UInt16] = [
        43, 587, 587, 456, 448, 644, 436, 445, 431, 434, 663, 43, 43, 242, 379, 380, 381, 386, 384, 385, 398, 399,
        501, 612, 691, 512, 7, 8, 698, 10, 708, 449, 725, 437, 731, 387, 667, 274, 276, 443, 366, 360, 379, 380, 381,
        377, 493, 495, 386, 384, 385, 487, 489, 491, 497, 499, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468,
        469, 470, 471, 472, 473, 474, 486, 488, 490, 492, 494, 496, 498, 414, 416, 417, 502, 480, 476, 478, 478, 475,
        482, 480, 481, 476, 477, 478, 479, 475, 482, 483, 484, 747, 441, 255, 256, 587, 587, 587, 755, 444, 445, 450,
        185, 186, 189, 190, 194, 195, 434, 242, 390, 389, 685, 419, 291, 414, 418, 429, 430, 428, 502, 429, 430, 428,
        725, 503, 338, 748, 505, 754, 756, 751, 752, 756, 358, 516, 517, 518, 519, 522, 440, 347, 574, 619, 631, 511,
        670, 675, 682, 682, 676, 675, 675, 667, 675, 512, 514, 514, 348, 415, 388, 388, 388, 509, 518, 522, 347, 239,
        259, 670, 675, 675, 675, 667, 675, 347, 415, 415, 701, 388, 693, 734, 507, 508, 579, 580, 582, 583, 375, 364,
        366, 354, 652, 653, 654, 656, 661, 660, 660, 662, 8, 272, 702, 8, 422, 721, 437, 437, 729, 8, 382, 510, 15,
        352, 356, 357, 370, 272, 402, 404, 406, 8, 272, 293, 425, 749, 453, 452, 295, 412, 115, 604, 611, 604, 744,
        657, 401, 439, 698, 699, 740, 741, 740, 741, 709, 500, 724, 387, 744, 506, 447, 454, 697, 698, 707, 710, 500,
        449, 503, 743, 116, 744, 752, 516, 517, 581, 637, 455, 681, 681, 678, 680, 680, 678, 581, 513, 294, 509, 620,
        5, 240, 455, 678, 678, 374, 373, 391, 392, 393, 394, 395, 396, 397, 581,
    ]
}
