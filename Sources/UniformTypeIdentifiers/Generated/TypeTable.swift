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
        "org.portolan.color",
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
        ca.mcgill.mni.bic.mnc|mnc,minc||MINC||
        com.adobe.edn|edn||||
        com.adobe.encapsulated-postscript|eps||EPSF|NeXT Encapsulated PostScript v1.2 pasteboard type,NSPostScriptPboardType|
        com.adobe.etd|etd||||
        com.adobe.fdf|fdf||||
        com.adobe.flash.video|flv,f4v,f4p,f4a,f4b|video/x-flv|||Flash film
        com.adobe.illustrator.ai-image|ai||||Illustrator drawing
        com.adobe.pdf|pdf|application/pdf|PDF |Apple PDF pasteboard type|PDF
        com.adobe.photoshop-image|psd|image/vnd.adobe.photoshop,image/photoshop,image/x-photoshop,image/psd,application/photoshop|8BPS||Photoshop image (PSD)
        com.adobe.photoshop-large-image|psb||8BPB||
        com.adobe.postscript|ps|application/postscript|||PostScript file
        com.adobe.postscript-font|||||
        com.adobe.postscript-lwfn-font|||LWFN||
        com.adobe.postscript-pfa-font|pfa||||
        com.adobe.postscript-pfb-font|pfb||||
        com.adobe.raw-image|dng|image/x-adobe-dng|||DNG raw image
        com.adobe.xfdf|xfdf||||
        com.allume.stuffit-archive|||||
        com.apple.accounts-icon|||acct||
        com.apple.active-webpage|||||
        com.apple.afp-internet-location|afploc||ilaf||
        com.apple.airdrop|||sbNC||
        com.apple.alert|||||
        com.apple.alert-caution|||caut||
        com.apple.alert-note|||note||
        com.apple.alert-stop|||stop||
        com.apple.alias-file|||||Finder alias
        com.apple.alias-record|||alis||
        com.apple.applescript.script|scpt||osas||AppleScript, compiled
        com.apple.applescript.script-bundle|scptd||||AppleScript bundle
        com.apple.applescript.text|applescript||||AppleScript source
        com.apple.applesingle-archive|as||||
        com.apple.application|||||app
        com.apple.application-and-system-extension|appex||||app extension
        com.apple.application-bundle|app||APPL||macOS app
        com.apple.application-file|app||APPL||
        com.apple.application-placeholder|placeholder||||
        com.apple.applications-folder|||apps,tAps,sbAp||
        com.apple.archive|aar,yaa||||Apple Archive file
        com.apple.arobject|arobject||||AR object scan
        com.apple.ascii-property-list|plist||||
        com.apple.audio-unit-preset|aupreset||||
        com.apple.binary-property-list|plist||||property list in binary form
        com.apple.binhex-archive|hqx|application/mac-binhex40,application/mac-binhex,application/binhex|||BinHex file
        com.apple.bom-archive|||||
        com.apple.bom-compressed-cpio|cpgz||||
        com.apple.bonjour|||bonj,sbBj||
        com.apple.bookmark|||||Apple bookmark
        com.apple.bundle|||||bundle of code and resources
        com.apple.cinema-display|||||
        com.apple.cocoa.pasteboard.character-formatting||||NeXT font pasteboard type|
        com.apple.cocoa.pasteboard.color||||NSColor pasteboard type|
        com.apple.cocoa.pasteboard.find-panel-search-options||||NSFindPanel search options pasteboard type|
        com.apple.cocoa.pasteboard.multiple-text-selection||||Apple multiple text selection pasteboard type|
        com.apple.cocoa.pasteboard.paragraph-formatting||||NeXT ruler pasteboard type|
        com.apple.cocoa.pasteboard.sound||||NSSoundPboardType|
        com.apple.color-file|clr,ccl||||
        com.apple.colorsync-profile|icc,icm,pf||clsp,prof||
        com.apple.configprofile|configprofile||||
        com.apple.coreaudio-format|caf||caff||
        com.apple.coreml.mlpackage|mlpackage||||
        com.apple.coreml.model|mlmodel,mlkitmodel||||
        com.apple.crashreport|crash||||
        com.apple.csstore|csstore||||
        com.apple.dashboard-widget|wdgt||||
        com.apple.data-container|||||
        com.apple.deprecated-application-file|||APPC,APPD,APPE,appe,CDEV,cdev,dfil||
        com.apple.desktop-folder|||desk,tDsk,sbDt||
        com.apple.developer-folder|||devf||
        com.apple.device|||||
        com.apple.device-model-code|||||
        com.apple.document-type|||||
        com.apple.document-type.dictionary|||dict||
        com.apple.document-type.system-folder|||macs||
        com.apple.documents-folder|||docs,tDoc,sbDc||
        com.apple.dot-mac|||mymc||
        com.apple.downloads-folder|||dwnf,tDwn,sbDl||
        com.apple.drawing|drawing||||
        com.apple.driver-extension|dext||||
        com.apple.drop-folder|||dbox,sbDB||
        com.apple.encrypted-archive|aea||||
        com.apple.everyone-icon|||evry||
        com.apple.file-internet-location|fileloc||ilfi||
        com.apple.file-server|||srvr||
        com.apple.file-system-plug-in|fs||||
        com.apple.file-vault|||fVlt||
        com.apple.finder.burn-folder|fpbf||bfld,sbBF||
        com.apple.finder.clipping|||clpu||
        com.apple.finder.pictclipping|pictclipping||clpp||
        com.apple.finder.recent-items|||rcnt,sbRc,sbAF||
        com.apple.finder.smart-folder|savedSearch||sfld,sbSF||
        com.apple.finder.sound-clipping|sndClipping||clps||
        com.apple.finder.textclipping|textclipping||clpt||
        com.apple.flat-rtfd|||rtfd|NeXT RTFD pasteboard type,NSRTFDPboardType|RTF with attachments, in one file
        com.apple.font-suitcase|suit||FFIL,ffil,sfnt,tfil||
        com.apple.framework|framework||FMWK||macOS framework
        com.apple.ftp-internet-location|ftploc||ilft||
        com.apple.garageband.project|band,gbProj||||
        com.apple.generic-airdisk|||aird||
        com.apple.generic-bundle|bundle||BNDL||
        com.apple.generic-internet-location|inetloc||ilge||
        com.apple.generic-stationery|||sdoc||
        com.apple.generic-time-machine-disk|||gtmi,sbTM||
        com.apple.gpuRestart|gpuRestart||||
        com.apple.groupactivities.activity|groupactivity||||
        com.apple.groups-folder|||gfld||
        com.apple.guest-user|||gusr||
        com.apple.hangreport|hang||||
        com.apple.haptics.ahap|ahap||||haptic pattern
        com.apple.help-document|||help||
        com.apple.home-folder|||ufld,thom,sbHm||
        com.apple.homebuttonless-device|||||
        com.apple.homebuttonless-ipad|||||
        com.apple.homebuttonless-iphone|||||
        com.apple.homepod|||||
        com.apple.ical.ics|ics|text/calendar|||iCalendar file
        com.apple.ical.vcs|vcs,vcal|text/x-vcalendar|||vCalendar file
        com.apple.iCloud|||sbIC||
        com.apple.icloud-file-fault|icloud||||
        com.apple.icns|icns||icns||macOS icon
        com.apple.icon-decoration|||||
        com.apple.icon-decoration-position|||||
        com.apple.icon-decoration-position.center|||||
        com.apple.icon-decoration-position.leading-bottom|||||
        com.apple.icon-decoration-position.overlay|||||
        com.apple.icon-decoration-position.trailing-bottom|||||
        com.apple.icon-decoration.badge|||||
        com.apple.icon-decoration.badge.checkmark|||||
        com.apple.icon-decoration.badge.comments|||||
        com.apple.icon-decoration.badge.drop-folder|||||
        com.apple.icon-decoration.badge.heart|||||
        com.apple.icon-decoration.badge.in-review|||||
        com.apple.icon-decoration.badge.locked|||||
        com.apple.icon-decoration.badge.locked-by-collaborator|||||
        com.apple.icon-decoration.badge.locked-by-user|||||
        com.apple.icon-decoration.badge.pinned|||||
        com.apple.icon-decoration.badge.private-folder|||||
        com.apple.icon-decoration.badge.syncing|||||
        com.apple.icon-decoration.badge.trending|||||
        com.apple.icon-decoration.badge.warning|||||
        com.apple.icon-decoration.emboss|||||
        com.apple.icon-decoration.system|||||
        com.apple.icon-decoration.system.alias|||||
        com.apple.icon-decoration.system.caution-alert|||||
        com.apple.icon-decoration.system.new-folder|||||
        com.apple.icon-decoration.system.unsupported|||||
        com.apple.icon-overlay.alert-caution-badge|||cbdg||
        com.apple.icon-overlay.alias-badge|||abdg||
        com.apple.icon-overlay.drop-folder-badge|||drfb||
        com.apple.icon-overlay.locked-badge|||lbdg||
        com.apple.icon-overlay.new-folder-badge|||nfbg||
        com.apple.icon-overlay.private-folder|||prvf||
        com.apple.icon-overlay.private-folder-badge|||prfb||
        com.apple.icon-overlay.unsupported-badge|||ubdg||
        com.apple.iconset|iconset||||
        com.apple.idisk|||idsk,sbID||
        com.apple.iig-source|iig||||
        com.apple.iMovieLibrary|imovielibrary||||
        com.apple.iMovieTheater|theater||||
        com.apple.ink.inktext|||inkt|Apple InkText pasteboard type|
        com.apple.installer-distribution-package|dist,distz||dist||
        com.apple.installer-meta-package|mpkg||mpkg||
        com.apple.installer-package|pkg||pkg1||
        com.apple.installer-package-archive|pkg,mpkg||||
        com.apple.intelligentsuggestions.assets|suggestionsassets||||
        com.apple.internet-location|||||Internet location file
        com.apple.ios-device|||||
        com.apple.ios-simulator|||||
        com.apple.ipad|||||
        com.apple.iphone|||||
        com.apple.iphone-8|||||
        com.apple.iphone-8-plus|||||
        com.apple.iphone-x|||||
        com.apple.ipod-classic|||||
        com.apple.ipod-mini|||||
        com.apple.ipod-nano|||||
        com.apple.ipod-shuffle|||||
        com.apple.ipod-shuffle-gen1|||||
        com.apple.ipod-shuffle-gen2|||||
        com.apple.ipod-shuffle-gen3|||||
        com.apple.ipod-shuffle-gen4|||||
        com.apple.itunes.store-url|itms||||
        com.apple.iWork.Keynote.key|key||||
        com.apple.iWork.Keynote.key-tef|key-tef||||
        com.apple.iWork.Keynote.kth|kth||||
        com.apple.iWork.Keynote.sffkey|key|application/x-iwork-keynote-sffkey|||Keynote slides
        com.apple.iWork.Keynote.sffkth|kth|application/x-iwork-keynote-sffkth|||
        com.apple.iWork.Numbers.numbers|numbers||||
        com.apple.iWork.Numbers.numbers-tef|numbers-tef||||
        com.apple.iWork.Numbers.sffnumbers|numbers|application/x-iwork-numbers-sffnumbers|||Numbers sheet
        com.apple.iWork.Numbers.sfftemplate|nmbtemplate|application/x-iwork-numbers-sfftemplate|||
        com.apple.iWork.Numbers.template|nmbtemplate||||
        com.apple.iWork.Pages.pages|pages||||
        com.apple.iWork.Pages.pages-tef|pages-tef||||
        com.apple.iWork.Pages.sffpages|pages|application/x-iwork-pages-sffpages|||Pages text
        com.apple.iWork.Pages.sfftemplate|template|application/x-iwork-pages-sfftemplate|||
        com.apple.iWork.Pages.template|template||||
        com.apple.kernel-extension|kext||||
        com.apple.keynote.key|||||
        com.apple.keynote.kth|||||
        com.apple.ktrace|ktrace||||
        com.apple.led-cinema-display-24|||||
        com.apple.led-cinema-display-27|||||
        com.apple.legacy-ipod|||||
        com.apple.legacy.actions-icon|||acts||
        com.apple.legacy.backward-arrow|||baro,sbar||
        com.apple.legacy.burn|||burn||
        com.apple.legacy.clock-icon|||clck||
        com.apple.legacy.connect-to|||cnct||
        com.apple.legacy.customize-toolbar|||tcus||
        com.apple.legacy.delete-toolbar|||tdel||
        com.apple.legacy.eject-media|||ejec||
        com.apple.legacy.erasing|||eras||
        com.apple.legacy.favorite-items|||favs||
        com.apple.legacy.finder-icon|||scsh,scmp,ramd,dsrv,FNDR,capl,mntd,shfl,ownd,prnt,strt,shdf,amnu,ctrl,prfƒ,font,appr,intƒ,scrƒ,ƒloc,asup,ƒhlp,sapl,asnd,dsnd,mbdg,scrp,shrt,ftps,htps,isrv,atzn,afps,atlk,nfld,writ,shrw,shro,shna,shuk,nfil,susr,edtf,pref,ƒscr,ƒnet,ƒtex,ƒprd,ppdf,ctrD,extD,strD,shdD,macD,astƒ,cmnu,rapp,rdoc,rsrv,psys,papp,capl,ramd,shlb,Shlb,sbdg,dali,rofl||
        com.apple.legacy.forward-arrow|||faro,sfar||
        com.apple.legacy.general-icon|||gnrl||
        com.apple.legacy.grid|||grid||
        com.apple.legacy.keep-arranged|||arng||
        com.apple.legacy.locked|||lock||
        com.apple.legacy.magnifying-glass|||glas||
        com.apple.legacy.multiple-items|||mitm||
        com.apple.legacy.no-write|||nwrt||
        com.apple.legacy.open-folder|||ofld||
        com.apple.legacy.question-mark|||ques||
        com.apple.legacy.right-container-arrow|||rcar||
        com.apple.legacy.sidebar-prefs-icon|||sdbp||
        com.apple.legacy.synchronize|||sync||
        com.apple.legacy.toolbar-advanced-icon|||tbav||
        com.apple.legacy.toolbar-info-icon|||tbin||
        com.apple.legacy.toolbar-labels-icon|||tblb||
        com.apple.legacy.unlocked|||ulck||
        com.apple.legacy.window|||gwin||
        com.apple.library-folder|||ƒlib,extn,tLib||
        com.apple.linkpresentation.metadata|||||link preview data
        com.apple.live-photo|||||Live Photo
        com.apple.localizable-name-bundle|||||
        com.apple.localized-pdf-bundle|lpdf||||
        com.apple.log|log||||
        com.apple.m4a-audio|m4a|audio/x-m4a|M4A ||M4A audio
        com.apple.m4v-video|m4v|video/x-m4v|M4V ||M4V film
        com.apple.mac|||||
        com.apple.macbinary-archive|bin|application/macbinary,application/x-macbinary|||MacBinary file
        com.apple.mach-o-binary|||||
        com.apple.mach-o-bundle|||||
        com.apple.mach-o-core|||||
        com.apple.mach-o-dylib|dylib||||
        com.apple.mach-o-executable|||||
        com.apple.mach-o-object|||||
        com.apple.macmini|||sbMM||
        com.apple.macpaint-image|pntg||PNTG||
        com.apple.mail-internet-location|mailloc||ilma||
        com.apple.mapkit.map-item|||||
        com.apple.menu-extra|menu||||
        com.apple.metadata-importer|mdimporter||||Spotlight importer plug-in
        com.apple.mobileconfig|mobileconfig,mobile|application/x-apple-aspen-config|||Apple device profile
        com.apple.mobileprovision|mobileprovision|application/x-apple-aspen-mobileprovision|||iOS provisioning file
        com.apple.mount-point|||||mount point
        com.apple.movie-folder|||fvoc,tMov,sbMv||
        com.apple.mpeg-4-ringtone|m4r|audio/x-m4r|M4R ||iPhone ringtone
        com.apple.music-folder|||spki,tMus,sbMs||
        com.apple.network-neighborhood|||gnet,macn,sbNw||
        com.apple.news-internet-location|newsloc||ilnw||
        com.apple.not-loaded|||nldd||
        com.apple.notifications|||||
        com.apple.nspboard-type|||||
        com.apple.ostype|||||
        com.apple.package|||||folder shown as one file
        com.apple.panicreport|panic||||
        com.apple.pasteboard.promised-file-content-type|||||
        com.apple.pasteboard.promised-file-url|||||
        com.apple.pef-binary|||||
        com.apple.pict|pict,pct,pic|image/pict,image/x-pict,image/x-macpict|PICT|Apple PICT pasteboard type,NSPICTPboardType|PICT image
        com.apple.pictures-folder|||tPic,morƒ,sbPc||
        com.apple.pkpass|pkpass|application/vnd.apple.pkpass|||Wallet pass
        com.apple.pkpass-data|pkpass||||
        com.apple.pkpasses-data|pkpasses|application/vnd.apple.pkpasses|||Wallet passes
        com.apple.plugin|plugin||plug||macOS plug-in
        com.apple.pluginkit|pluginkit||||
        com.apple.ppp-plug-in|ppp||||
        com.apple.private.live-photo-bundle|pvt||||
        com.apple.pro-display-xdr|||||
        com.apple.profile-background-color|||pbcl||
        com.apple.profile-font-and-color|||pfcl||
        com.apple.profile-font-icon|||pfnt||
        com.apple.property-list|plist||||property list of any form
        com.apple.protected-mpeg-4-audio|m4p||M4P ||MPEG-4 audio with copy protection
        com.apple.protected-mpeg-4-audio-b|m4b||M4B ||
        com.apple.protected-mpeg-4-video|||||MPEG-4 video with copy protection
        com.apple.provisionprofile|provisionprofile||||
        com.apple.public-folder|||tPub,pubf||
        com.apple.quartz-composer-composition|qtz|application/x-quartzcomposer|||Quartz Composer file
        com.apple.quicklook-generator|qlgenerator||||Quick Look plug-in
        com.apple.quicktime-image|qtif,qti|image/x-quicktime|qtif||QuickTime still image
        com.apple.quicktime-movie|mov,qt|video/quicktime|MooV||QuickTime film
        com.apple.reality|reality|model/vnd.reality|||Reality scene
        com.apple.resolvable|||||reference to something else
        com.apple.rez-source|r||||
        com.apple.rtfd|rtfd||||RTF with attachments
        com.apple.scenekit.scene|scn,scnz||||SceneKit scene
        com.apple.scripting-definition|sdef||||
        com.apple.server-applications-folder|||sapp||
        com.apple.servers-folder|||shpt||
        com.apple.service-application|service||||
        com.apple.shazamcatalog|shazamcatalog||||
        com.apple.shazamsignature|shazamsignature||||
        com.apple.shutdownStall|shutdownStall||||
        com.apple.sites-folder|||issf,tSts||
        com.apple.spinreport|spin||||
        com.apple.storage-external|||rmov,edsk,sbAD,sbED,sbSD||
        com.apple.storage-internal|||hdsk,sbIn||
        com.apple.storage-netboot|||netB||
        com.apple.storage-removable|||flpy,sbRm||
        com.apple.structured-text|||||
        com.apple.structured-text.address|||||
        com.apple.structured-text.date|||||
        com.apple.structured-text.telephone-number|||||
        com.apple.structured-text.transit-information|||||
        com.apple.symbol-export|exp||||
        com.apple.system-extension|systemextension||||
        com.apple.systempreference.prefpane|prefPane||||macOS preference pane
        com.apple.systempreference.screen-saver|saver||||
        com.apple.systempreference.screen-slide-saver|slideSaver||||
        com.apple.traditional-mac-plain-text|||TEXT,ttro||
        com.apple.trash-empty|||trsh,sbTr||
        com.apple.trash-full|||ftrh||
        com.apple.truetype-datafork-suitcase-font|dfont||dfon||
        com.apple.txn.text-multimedia-data|||txtn||
        com.apple.unknown-object|||unfs||
        com.apple.user|||user||
        com.apple.user-group|||grup||
        com.apple.user-idisk|||udsk||
        com.apple.user-unknown|||unus||
        com.apple.users-folder|||wfld||
        com.apple.utilities-folder|||utiƒ,tUtl,sbUF||
        com.apple.vnc-internet-location|vncloc||ilvn||
        com.apple.watchface|watchface||||
        com.apple.web-internet-location|webloc||ilht||
        com.apple.webarchive|webarchive|application/x-webarchive|weba|Apple Web Archive pasteboard type|saved web page (Safari)
        com.apple.webkit-plugin|webplugin||||
        com.apple.x11-mach-o-executable|||||
        com.apple.xar-archive|xar||||
        com.apple.xcode.dsym|dsym||||
        com.apple.xip-archive|xip||||
        com.apple.xml-property-list|plist||||property list in XML
        com.apple.xpc-service|xpc||||XPC service bundle
        com.audible.aa-audio|||||
        com.audible.aa-audiobook|aa|audio/audible,audio/x-pn-audibleaudio,audio/x-audible|AUDB||Audible audiobook (AA)
        com.audible.aax-audiobook|aax|audio/vnd.audible.aax|AUDX||Audible audiobook (AAX)
        com.avid.open-media-framework|omf||OMF ||
        com.canon.cr2-raw-image|cr2||||
        com.canon.cr3-raw-image|cr3||||
        com.canon.crw-raw-image|crw|image/x-canon-crw|||
        com.canon.tif-raw-image|||||
        com.compuserve.gif|gif|image/gif|GIFf||GIF image
        com.digidesign.sd2-audio|sd2||Sd2f||
        com.dxo.raw-image|dxo|image/x-dxo-dxo|||
        com.epson.raw-image|erf|image/x-epson-erf|||
        com.facebook.zstandard-archive|zst|application/zstd|||Zstandard archive
        com.fuji.raw-image|raf||||
        com.google.earth.kml|kml|application/vnd.google-earth.kml+xml|||KML
        com.hasselblad.3fr-raw-image|3fr||||
        com.hasselblad.fff-raw-image|fff||||
        com.ilm.openexr-image|exr||||OpenEXR high-range image
        com.j2.efx-fax|efx|image/efax|||
        com.j2.jfx-fax|jfx||||
        com.kodak.flashpix-image|fpx|image/fpx,application/vnd.fpx|||FlashPix picture
        com.kodak.raw-image|dcr||||
        com.konicaminolta.raw-image|mrw||||
        com.leafamerica.raw-image|mos||||
        com.leica.pwl-raw-image|pwl|image/x-leica-pwl|||
        com.leica.raw-image|raw||||
        com.leica.rwl-raw-image|rwl||||
        com.microsoft.advanced-stream-redirector|asx|video/x-ms-asx|ASX_||
        com.microsoft.advanced-systems-format|asf|video/x-ms-asf|ASF_||ASF film
        com.microsoft.bmp|bmp,dib|image/bmp|BMP ,BMPf||BMP image
        com.microsoft.cab|cab||||Windows cabinet file
        com.microsoft.excel.sheet.binary.macroenabled|xlsb|application/vnd.ms-excel.sheet.binary.macroEnabled.12|||Excel binary file (XLSB)
        com.microsoft.excel.xla|xla||XLA5||
        com.microsoft.excel.xls|xls|application/vnd.ms-excel,application/msexcel|XLS8||Excel 97 file (XLS)
        com.microsoft.excel.xlt|xlt|application/vnd.ms-excel,application/msexcel|sLS8||Excel 97 template (XLT)
        com.microsoft.excel.xlw|xlw|application/vnd.ms-excel,application/msexcel|XLW8||
        com.microsoft.ico|ico|image/vnd.microsoft.icon|||Windows icon
        com.microsoft.internet-shortcut|url||||Windows link to a URL
        com.microsoft.powerpoint.pot|pot|application/vnd.ms-powerpoint,application/mspowerpoint|PPOT||PowerPoint 97 template (POT)
        com.microsoft.powerpoint.pps|pps|application/vnd.ms-powerpoint,application/mspowerpoint|PPSS||PowerPoint 97 show (PPS)
        com.microsoft.powerpoint.ppt|ppt|application/vnd.ms-powerpoint,application/mspowerpoint|SLD8||PowerPoint 97 file (PPT)
        com.microsoft.typescript|ts,tsx,mts,cts|application/typescript,text/typescript|||TypeScript source
        com.microsoft.waveform-audio|wav,wave,bwf|audio/vnd.wave,audio/wav,audio/wave,audio/x-wav|.WAV,WAVE||WAV audio
        com.microsoft.windows-dynamic-link-library|dll|application/x-msdownload|||Windows DLL
        com.microsoft.windows-executable|exe|application/x-msdownload|||Windows program
        com.microsoft.windows-media-wax|wax|video/x-ms-wax|||
        com.microsoft.windows-media-wm|wm|video/x-ms-wm|||
        com.microsoft.windows-media-wma|wma|video/x-ms-wma|||Windows Media audio
        com.microsoft.windows-media-wmp|wmp|video/x-ms-wmp|||
        com.microsoft.windows-media-wmv|wmv|video/x-ms-wmv|||Windows Media film
        com.microsoft.windows-media-wmx|wmx|video/x-ms-wmx|||
        com.microsoft.windows-media-wvx|wvx|video/x-ms-wvx|||
        com.microsoft.word.doc|doc|application/msword|W8BN||Word 97 file (DOC)
        com.microsoft.word.dot|dot|application/msword|W8TN||Word 97 template (DOT)
        com.microsoft.word.wordml|xml||||
        com.netscape.javascript-source|js,jscript,javascript,mjs|text/javascript|||JavaScript
        com.nikon.nrw-raw-image|nrw|image/x-nikon-nrw|||
        com.nikon.raw-image|nef||||
        com.olympus.or-raw-image|orf|image/x-olympus-or|||
        com.olympus.raw-image|orf||||
        com.olympus.sr-raw-image|orf|image/x-olympus-sr|||
        com.panasonic.raw-image|raw||||
        com.panasonic.rw2-raw-image|rw2||||
        com.pentax.raw-image|pef||||
        com.phaseone.raw-image|iiq||||
        com.pixar.universal-scene-description|usd,usda,usdc||||USD scene
        com.pixar.universal-scene-description-mobile|usdz|model/vnd.usdz+zip|||USDZ scene
        com.pkware.zip-archive|||||
        com.rarlab.rar-archive|rar|application/vnd.rar,application/x-rar-compressed|||RAR archive
        com.real.realaudio|ram,ra|audio/vnd.rn-realaudio,audio/x-pn-realaudio,audio/x-realaudio|PNRA||RealAudio
        com.real.realmedia|rm|application/vnd.rn-realmedia|PNRM||RealMedia film
        com.real.realmedia-vbr|rmvb|application/vnd.rn-realmedia-vbr|||
        com.redhat.rpm-archive|rpm|application/x-rpm|||RPM package
        com.rsa.pkcs-12|p12,pfx|application/x-pkcs12|||PKCS #12 keys
        com.samsung.raw-image|srw||||
        com.scenarist.closed-caption|scc||||
        com.sgi.sgi-image|sgi|image/sgi|.SGI||SGI image
        com.sony.arw-raw-image|arw||||
        com.sony.raw-image|srf||||
        com.sony.sr2-raw-image|sr2|image/x-sony-sr2|||
        com.sony.wave64|w64||||
        com.soundblaster.soundfont|sf2||||
        com.stuffit.archive.sidx|sidx|application/x-stuffitx-index,application/x-sitx-index|SIDX||
        com.stuffit.archive.sit|sit,sea|application/x-stuffit,application/x-sit|SIT5||StuffIt file
        com.stuffit.archive.sitx|sitx|application/x-stuffitx,application/x-sitx|SITX||StuffIt X file
        com.sun.java-archive|jar|application/java-archive|||Java JAR
        com.sun.java-class|class||||compiled Java class
        com.sun.java-source|java,jav||||Java source
        com.sun.java-web-start|jnlp|application/x-java-jnlp-file,application/jnlp|||Java Web Start file
        com.sun.web-application-archive|war||||
        com.topografix.gpx|gpx|application/gpx+xml|||GPS exchange
        com.truevision.tga-image|tga|image/targa,image/tga,application/tga|TPIC||Targa image
        gov.nih.nifti-1|nii||NII1||
        net.daringfireball.markdown|md,markdown|text/markdown|||Markdown text
        org.3gpp.adaptive-multi-rate-audio|amr|audio/amr|amr ||AMR audio
        org.7-zip.7-zip-archive|7z|application/x-7z-compressed|||7z file
        org.aafassociation.advanced-authoring-format|aaf||AAF ||
        org.debian.deb-archive|deb|application/vnd.debian.binary-package|||Debian package
        org.gnu.gnu-tar-archive|gtar|application/x-gtar|||GNU tar file
        org.gnu.gnu-zip-archive|gz,gzip|application/x-gzip,application/gzip|||gzip file
        org.gnu.gnu-zip-tar-archive|tgz||||tar file compressed with gzip
        org.golang.go-script|go|text/x-go|||Go source
        org.idpf.epub-container|epub|application/epub+zip|||EPUB book
        org.iso.sql|sql|application/sql,text/x-sql|||SQL source
        org.jupyter.ipynb|ipynb|application/x-ipynb+json|||Jupyter notebook
        org.khronos.collada.digital-asset-exchange|dae||||COLLADA 3D model
        org.khronos.glb|glb|model/gltf-binary|||glTF binary
        org.khronos.gltf|gltf|model/gltf+json|||glTF
        org.kotlinlang.source|kt,kts|text/x-kotlin|||Kotlin source
        org.matroska.mkv|mkv,mks,mk3d|video/x-matroska,video/matroska|||Matroska video
        org.nema.dicom|dcm,dicom|application/dicom|DICM||DICOM image
        org.oasis-open.opendocument|||||
        org.oasis-open.opendocument.chart|odc|application/vnd.oasis.opendocument.chart|||OpenDocument diagram
        org.oasis-open.opendocument.chart-template|otc|application/vnd.oasis.opendocument.chart-template|||
        org.oasis-open.opendocument.database|odb|application/vnd.oasis.opendocument.database|||OpenDocument data
        org.oasis-open.opendocument.formula|odf|application/vnd.oasis.opendocument.formula|||OpenDocument maths
        org.oasis-open.opendocument.formula-template|otf|application/vnd.oasis.opendocument.formula-template|||
        org.oasis-open.opendocument.graphics|odg|application/vnd.oasis.opendocument.graphics|||OpenDocument drawing
        org.oasis-open.opendocument.graphics-template|otg|application/vnd.oasis.opendocument.graphics-template|||
        org.oasis-open.opendocument.image|odi|application/vnd.oasis.opendocument.image|||OpenDocument picture
        org.oasis-open.opendocument.image-template|oti|application/vnd.oasis.opendocument.image-template|||
        org.oasis-open.opendocument.presentation|odp|application/vnd.oasis.opendocument.presentation|||OpenDocument slides
        org.oasis-open.opendocument.presentation-template|otp|application/vnd.oasis.opendocument.presentation-template|||
        org.oasis-open.opendocument.spreadsheet|ods|application/vnd.oasis.opendocument.spreadsheet|||OpenDocument sheet
        org.oasis-open.opendocument.spreadsheet-template|ots|application/vnd.oasis.opendocument.spreadsheet-template|||
        org.oasis-open.opendocument.text|odt|application/vnd.oasis.opendocument.text|||OpenDocument text file
        org.oasis-open.opendocument.text-master|odm|application/vnd.oasis.opendocument.text-master|||
        org.oasis-open.opendocument.text-template|ott|application/vnd.oasis.opendocument.text-template|||
        org.oasis-open.opendocument.text-web|oth|application/vnd.oasis.opendocument.text-web|||
        org.openoffice.formula|sxm,smf|application/vnd.sun.xml.math,application/vnd.stardivision.math|||
        org.openoffice.graphics|sxd,sda|application/vnd.sun.xml.draw,application/vnd.stardivision.draw|||OpenOffice 1 drawing
        org.openoffice.graphics-template|std|application/vnd.sun.xml.draw.template|||
        org.openoffice.presentation|sxi,sdd,sdp|application/vnd.sun.xml.impress,application/vnd.stardivision.impress,application/vnd.stardivision.impress-packed|||OpenOffice 1 slides
        org.openoffice.presentation-template|sti|application/vnd.sun.xml.impress.template|||
        org.openoffice.spreadsheet|sxc,sdc|application/vnd.sun.xml.calc,application/vnd.stardivision.calc|||OpenOffice 1 sheet
        org.openoffice.spreadsheet-template|stc|application/vnd.sun.xml.calc.template|||
        org.openoffice.text|sxw,sdw|application/vnd.sun.xml.writer,application/vnd.stardivision.writer|||OpenOffice 1 text
        org.openoffice.text-master|sxg|application/vnd.sun.xml.writer.global|||
        org.openoffice.text-template|stw|application/vnd.sun.xml.writer.template|||
        org.openxmlformats.openxml|||||
        org.openxmlformats.presentationml.presentation|pptx|application/vnd.openxmlformats-officedocument.presentationml.presentation|||PowerPoint file (PPTX)
        org.openxmlformats.presentationml.presentation.macroenabled|pptm|application/vnd.ms-powerpoint.presentation.macroEnabled.12|||PowerPoint file with macros (PPTM)
        org.openxmlformats.presentationml.slideshow|ppsx|application/vnd.openxmlformats-officedocument.presentationml.slideshow|||PowerPoint show (PPSX)
        org.openxmlformats.presentationml.slideshow.macroenabled|ppsm|application/vnd.ms-powerpoint.slideshow.macroEnabled.12|||PowerPoint show with macros (PPSM)
        org.openxmlformats.presentationml.template|potx|application/vnd.openxmlformats-officedocument.presentationml.template|||PowerPoint template (POTX)
        org.openxmlformats.presentationml.template.macroenabled|potm|application/vnd.ms-powerpoint.template.macroEnabled.12|||PowerPoint template with macros (POTM)
        org.openxmlformats.spreadsheetml.sheet|xlsx|application/vnd.openxmlformats-officedocument.spreadsheetml.sheet|||Excel file (XLSX)
        org.openxmlformats.spreadsheetml.sheet.macroenabled|xlsm|application/vnd.ms-excel.sheet.macroEnabled.12|||Excel file with macros (XLSM)
        org.openxmlformats.spreadsheetml.template|xltx|application/vnd.openxmlformats-officedocument.spreadsheetml.template|||Excel template (XLTX)
        org.openxmlformats.spreadsheetml.template.macroenabled|xltm|application/vnd.ms-excel.template.macroEnabled.12|||Excel template with macros (XLTM)
        org.openxmlformats.wordprocessingml.document|docx|application/vnd.openxmlformats-officedocument.wordprocessingml.document|||Word file (DOCX)
        org.openxmlformats.wordprocessingml.document.macroenabled|docm|application/vnd.ms-word.document.macroEnabled.12|||Word file with macros (DOCM)
        org.openxmlformats.wordprocessingml.template|dotx|application/vnd.openxmlformats-officedocument.wordprocessingml.template|||Word template (DOTX)
        org.openxmlformats.wordprocessingml.template.macroenabled|dotm|application/vnd.ms-word.template.macroEnabled.12|||Word template with macros (DOTM)
        org.portolan.color|||||Colour
        org.rust-lang.rust-script|rs|text/rust,text/x-rust|||Rust source
        org.smpte.mxf|mxf|application/mxf|||MXF film
        org.sqlite.v3|sqlite,sqlite3,db|application/vnd.sqlite3,application/x-sqlite3|||SQLite database
        org.tug.tex|tex,latex|text/x-tex,application/x-tex|||TeX source
        org.tukaani.tar-xz-archive|txz||||tar file compressed with xz
        org.tukaani.xz-archive|xz|application/x-xz|||xz file
        org.w3.webvtt|vtt|text/vtt|||WebVTT subtitles
        org.w3c.woff|woff|font/woff|||WOFF font
        org.w3c.woff2|woff2|font/woff2|||WOFF2 font
        org.webmproject.webm|webm|video/webm,audio/webm|||WebM film
        org.webmproject.webp|webp|image/webp|||WebP image
        org.xiph.flac|flac|audio/flac|||FLAC sound
        org.xiph.ogg-audio|ogg,oga,spx|audio/ogg,application/ogg|||Ogg audio
        org.xiph.ogv|ogv|video/ogg|||Ogg video
        org.xiph.opus|opus|audio/opus,audio/ogg|||Opus audio
        public.3d-content|||||3D model
        public.3gpp|3gp,3gpp,sdv|video/3gpp,audio/3gpp|3gpp,sdv ||3GPP film
        public.3gpp2|3g2,3gp2|video/3gpp2,audio/3gpp2|3gp2||3GPP2 film
        public.aac-audio|aac,adts|audio/aac,audio/x-aac|aac ||AAC audio
        public.ac3-audio|ac3|audio/ac3|ac-3||AC-3 audio
        public.ada-source|ada,adb,ads||||
        public.aifc-audio|aifc||AIFC||
        public.aiff-audio|aiff,aif|audio/aiff,audio/x-aiff|AIFF||AIFF audio
        public.alembic|abc||||Alembic 3D model
        public.app-category|||||
        public.app-category.action-games|||||
        public.app-category.adventure-games|||||
        public.app-category.arcade-games|||||
        public.app-category.board-games|||||
        public.app-category.bookmarks|||||
        public.app-category.books|||||
        public.app-category.business|||||
        public.app-category.card-games|||||
        public.app-category.casino-games|||||
        public.app-category.developer-tools|||||
        public.app-category.dice-games|||||
        public.app-category.education|||||
        public.app-category.educational-games|||||
        public.app-category.entertainment|||||
        public.app-category.family-games|||||
        public.app-category.finance|||||
        public.app-category.food-and-drink|||||
        public.app-category.games|||||
        public.app-category.graphics-design|||||
        public.app-category.healthcare-fitness|||||
        public.app-category.kids-games|||||
        public.app-category.lifestyle|||||
        public.app-category.magazines-and-newspapers|||||
        public.app-category.medical|||||
        public.app-category.music|||||
        public.app-category.music-games|||||
        public.app-category.navigation|||||
        public.app-category.news|||||
        public.app-category.photography|||||
        public.app-category.photography-and-video|||||
        public.app-category.productivity|||||
        public.app-category.puzzle-games|||||
        public.app-category.racing-games|||||
        public.app-category.reference|||||
        public.app-category.role-playing-games|||||
        public.app-category.shopping|||||
        public.app-category.simulation-games|||||
        public.app-category.social-networking|||||
        public.app-category.sports|||||
        public.app-category.sports-games|||||
        public.app-category.strategy-games|||||
        public.app-category.travel|||||
        public.app-category.trivia-games|||||
        public.app-category.utilities|||||
        public.app-category.video|||||
        public.app-category.weather|||||
        public.app-category.word-games|||||
        public.archive|||||archive
        public.assembly-source|s||||assembler source
        public.au-audio|au,snd|audio/basic|||AU audio
        public.audio|||||sound
        public.audiovisual-content|||||sound or moving images
        public.audiovisual-content-collection|||||
        public.avchd-collection|avchd||||
        public.avci|avci|image/avci|||AVC still image
        public.avcs|avcs|image/avcs|||AVC images in sequence
        public.avi|avi,vfw|video/avi,video/msvideo,video/x-msvideo|VfW ,Vfw ||AVI film
        public.avif|avif|image/avif|||AVIF picture
        public.avis|avifs|image/avif-sequence|||AVIF pictures in sequence
        public.bash-script|bash||||
        public.block-special|||||
        public.bookmark|||bmrk||saved place
        public.bzip2-archive|bz2,bz|application/x-bzip2,application/x-bzip,application/bzip2,application/bzip,application/x-bz2|||bzip2 file
        public.c-header|h||||C header
        public.c-plus-plus-header|hh,hp,hpp,hxx,h++,ipp||||C++ header
        public.c-plus-plus-inline-header|inl||||
        public.c-plus-plus-source|cp,cpp,c++,cc,cxx||||C++ source
        public.c-plus-plus-source.preprocessed|ii||||
        public.c-source|c||||C source
        public.c-source.preprocessed|i||||
        public.calendar-event|||||calendar entry
        public.camera-raw-image|||||raw image from a camera
        public.case-insensitive-text|||||
        public.cd-based-media|||||
        public.cd-media|||cddr||
        public.cd-r-media|||cshm||
        public.cd-rw-media|||||
        public.cdda-audio|cdda||cdda||
        public.character-special|||||
        public.comma-separated-values-text|csv|text/csv,text/comma-separated-values|||CSV table
        public.composite-content|||||content of several kinds
        public.computer|||||
        public.contact|||||contact
        public.content|||||content of any kind
        public.cpio-archive|cpio,pax||||cpio file
        public.csh-script|csh||||
        public.css|css|text/css|||CSS style sheet
        public.data||application/octet-stream|sbFl||bytes of any kind
        public.database|||||database
        public.delimited-values-text|||||table as delimited text
        public.device|||||
        public.directory|||||directory of any kind
        public.disk-image|||||disk image
        public.display|||sbDp||
        public.downloadable-sound|dls|audio/dls|||DLS sounds
        public.dv-movie|dv,dif|video/x-dv|dvc!||DV film
        public.dvd-based-media|||||
        public.dvd-media|||dvd ||
        public.dvd-plus-r-media|||||
        public.dvd-plus-rw-media|||||
        public.dvd-r-media|||dvdr||
        public.dvd-ram-media|||nyrc||
        public.dvd-rw-media|||dvdw||
        public.dylan-source|dlyan,lid||||
        public.elf-binary|||||ELF program or library
        public.email-message|||||e-mail
        public.enhanced-ac3-audio|eac3,ec3|audio/eac3|ec-3||E-AC-3 audio
        public.executable|||||something that can be run
        public.fax|||||
        public.file-sharepoint|||||
        public.file-url|||furl||URL of a file
        public.filename-extension|||||
        public.flc-animation|flc,fli,cel|video/flc|FLI ||FLC animation
        public.folder|||fold,fldr,adcL,sbFd||folder
        public.font|||||font
        public.fortran-77-source|f77||||
        public.fortran-90-source|f90||||
        public.fortran-95-source|f95||||
        public.fortran-source|f,for||||Fortran source
        public.geojson|geojson|application/geo+json|||GeoJSON map data
        public.geometry-definition-format|obj||||OBJ 3D model
        public.haptics-content|||||
        public.hd-dvd-based-media|||||
        public.hd-dvd-media|||||
        public.hd-dvd-r-media|||||
        public.hd-dvd-ram-media|||||
        public.hd-dvd-rw-media|||||
        public.heic|heic|image/heic|||HEIC image
        public.heics|heics|image/heic-sequence|||HEIC images in sequence
        public.heif|heif,hif|image/heif|||HEIF image
        public.heif-standard|||||
        public.heifs|heifs|image/heif-sequence|||HEIF images in sequence
        public.html|html,htm,shtml,shtm|text/html|HTML|Apple HTML pasteboard type|HTML page
        public.image|||||image of any kind
        public.item|||||anything stored or sent
        public.jpeg|jpeg,jpg,jpe|image/jpeg,image/jpg|JPEG||JPEG image
        public.jpeg-2000|jp2,jpf,jpx,j2k,j2c|image/jp2|jp2 ||JPEG 2000 image
        public.jpeg-xl|jxl|image/jxl|||JPEG XL picture
        public.json|json|application/json|||JSON
        public.ksh-script|ksh||||
        public.lex-source|l,lm,lmm,lpp,lxx,ll||||
        public.log|||||log
        public.m3u-playlist|m3u,m3u8|audio/mpegurl,application/vnd.apple.mpegurl,audio/x-mpegurl|||M3U playlist
        public.make-source|make,mak,gmk,mk||||makefile
        public.message|||||message
        public.midi-audio|midi,mid,smf,kar|audio/midi,audio/x-midi|Midi||MIDI file
        public.mig-source|defs,mig||||
        public.mime-type|||||
        public.movie|||||film with or without sound
        public.mp2|mp2||||
        public.mp3|mp3,mpga|audio/mpeg,audio/mpeg3,audio/mpg,audio/mp3,audio/x-mpeg,audio/x-mpeg3,audio/x-mpg,audio/x-mp3|MPG3,mpg3,Mp3 ,MP3 ,mp3!,MP3!||MP3 audio
        public.mp4a-latm||audio/mp4a-latm|||
        public.mp4a-loas|loas,latm||||
        public.mpeg|mpg,mpeg,mpe,m75,m15|video/mpeg,video/mpg,video/x-mpeg,video/x-mpg|MPG ,MPEG||MPEG-1 or MPEG-2 film
        public.mpeg-2-transport-stream|ts||||MPEG-2 transport stream
        public.mpeg-2-video|m2v|video/mpeg2,video/mpeg2-video|||MPEG-2 video
        public.mpeg-4|mp4,mpg4|video/mp4,video/mp4v-es|mpg4,MP4 ||MPEG-4 film
        public.mpeg-4-audio|mp4,mpg4|audio/mp4,audio/mp4a-latm|mpg4,MP4 ||MPEG-4 audio
        public.mpo-image|mpo||||
        public.named-pipe|||||
        public.ndjson|ndjson|application/x-ndjson|||JSON lines
        public.object-code|o||||
        public.objective-c-plus-plus-source|mm||||Objective-C++ source
        public.objective-c-plus-plus-source.preprocessed|mii||||
        public.objective-c-source|m||||Objective-C source
        public.objective-c-source.preprocessed|mi||||
        public.ofd|ofd|application/ofd|||OFD pages
        public.opentype-collection-font|otc||||
        public.opentype-font|otf|font/otf|OTTO||OpenType font
        public.optical-storage-media|||sbOD,sbCD||
        public.pascal-source|pas||||
        public.patch-file|patch,diff||||diff or patch
        public.perl-script|pl,pm|text/x-perl-script|||Perl script
        public.php-script|php,php3,php4,ph3,ph4,phtml|text/php,text/x-php-script,application/php|||PHP script
        public.plain-text|txt,text|text/plain|||plain text
        public.playlist|||||playlist
        public.pls-playlist|pls|audio/x-scpls|||PLS playlist
        public.png|png|image/png|PNGf|Apple PNG pasteboard type|PNG image
        public.polygon-file-format|ply||||PLY 3D model
        public.precompiled-c-header|pch||||
        public.precompiled-c-plus-plus-header|pch++||||
        public.presentation|||||slides
        public.python-script|py|text/x-python-script|||Python script
        public.rss|rss|application/rss+xml|||RSS feed
        public.rtf|rtf|text/rtf|RTF |NeXT Rich Text Format v1.0 pasteboard type,NSRTFPboardType|RTF text
        public.ruby-script|rb,rbw|text/x-ruby-script|||Ruby script
        public.script|||||script of any kind
        public.shell-script|sh||||shell script
        public.socket|||||
        public.source-code|||||program source
        public.source-code.preprocessed|||||
        public.speaker|||||
        public.spreadsheet|||||spreadsheet
        public.standard-tesselated-geometry-format|stl||||STL 3D model
        public.storage|||||
        public.stored-url|||||
        public.svg-image|svg,svgz|image/svg+xml|svg ,svgz||SVG drawing
        public.swift-source|swift||||Swift source
        public.symlink|||||symbolic link
        public.tab-separated-values-text|tsv|text/tab-separated-values|||TSV table
        public.tar-archive|tar|application/x-tar,application/tar|||tar file
        public.tar-bzip2-archive|tbz2,tbz||||tar file compressed with bzip2
        public.tcsh-script|tcsh||||
        public.text|||||text of any kind
        public.tiff|tiff,tif|image/tiff|TIFF|NeXT TIFF v4.0 pasteboard type,NSTIFFPboardType|TIFF image
        public.to-do-item|||||task
        public.toml|toml|application/toml|||TOML
        public.truetype-collection-font|ttc||ttcf||
        public.truetype-font|||||
        public.truetype-ttf-font|ttf|font/ttf|||TrueType font
        public.ulaw-audio|ul,ulw,ulaw||ULAW||
        public.unix-executable|||xTol||Unix program
        public.url|||url ,gurl||web address or other URL
        public.url-name|||urln||
        public.utf16-external-plain-text|||ut16||plain text in UTF-16 with a byte order mark
        public.utf16-plain-text||text/plain;charset=utf-16,text/plain;charset=\"utf-16\"|utxt||plain text in UTF-16
        public.utf8-plain-text||text/plain;charset=utf-8,text/plain;charset=\"utf-8\"|utf8|NSStringPboardType|plain text in UTF-8
        public.utf8-tab-separated-values-text||||NeXT tabular text pasteboard type|TSV table in UTF-8
        public.uuencoded-archive|uu|text/x-uuencode|||uuencoded file
        public.vcard|vcf,vcard|text/vcard,text/directory,text/x-vcard|vCrd|Apple VCard pasteboard type|vCard
        public.video|||||moving images alone
        public.volume|||disk||volume
        public.webassembly|wasm|application/wasm|||WebAssembly module
        public.x509-certificate|cer,der,crt,pem|application/x-x509-ca-cert|||X.509 certificate
        public.xbitmap-image|xbm|image/x-xbitmap|||X bitmap
        public.xfd|xfd||||
        public.xhtml|xhtml,xhtm,xht|application/xhtml+xml|||XHTML page
        public.xml|xml|application/xml,text/xml|||XML
        public.yacc-source|y,ym,ymm,ypp,yxx,yy||||
        public.yaml|yml,yaml|application/x-yaml|||YAML
        public.z-archive|z|application/x-compress|||compress (.Z) file
        public.zip-archive|zip|application/zip,application/x-zip-compressed|||ZIP file
        public.zsh-script|zsh||||
        """

    /// Where each line of the details begins.
    static let detailStarts: [UInt32] = [
        0, 39, 61, 179, 201, 223, 290, 347, 416, 566, 610, 675, 706, 746, 784, 822, 880, 904, 936, 969, 999, 1046,
        1073, 1094, 1127, 1157, 1187, 1225, 1257, 1320, 1384, 1445, 1482, 1512, 1578, 1628, 1667, 1717, 1766, 1814,
        1860, 1900, 1941, 2010, 2120, 2147, 2186, 2218, 2256, 2306, 2336, 2414, 2475, 2575, 2676, 2755, 2810, 2843,
        2895, 2937, 2976, 3017, 3063, 3095, 3125, 3161, 3191, 3268, 3312, 3348, 3370, 3403, 3432, 3476, 3523, 3569,
        3596, 3642, 3672, 3708, 3744, 3780, 3813, 3862, 3893, 3930, 3960, 4007, 4042, 4093, 4142, 4197, 4249, 4300,
        4404, 4456, 4509, 4556, 4601, 4636, 4676, 4728, 4766, 4816, 4852, 4905, 4938, 4968, 4998, 5044, 5077, 5118,
        5155, 5190, 5227, 5250, 5304, 5366, 5392, 5431, 5469, 5500, 5540, 5587, 5642, 5690, 5746, 5783, 5830, 5876,
        5925, 5968, 6015, 6059, 6119, 6171, 6215, 6267, 6312, 6358, 6403, 6441, 6479, 6523, 6575, 6624, 6674, 6726,
        6770, 6820, 6865, 6914, 6961, 7014, 7064, 7094, 7124, 7153, 7195, 7231, 7291, 7351, 7397, 7437, 7486, 7548,
        7603, 7629, 7658, 7678, 7700, 7724, 7753, 7777, 7805, 7830, 7855, 7883, 7916, 7949, 7982, 8015, 8051, 8087,
        8131, 8167, 8254, 8327, 8371, 8423, 8521, 8612, 8661, 8699, 8745, 8830, 8914, 8958, 8994, 9021, 9048, 9076,
        9113, 9150, 9177, 9216, 9262, 9293, 9330, 9367, 9411, 9452, 9490, 9524, 9565, 9948, 9993, 10032, 10063, 10103,
        10136, 10179, 10220, 10255, 10293, 10333, 10381, 10426, 10464, 10512, 10556, 10602, 10637, 10670, 10715, 10773,
        10809, 10848, 10888, 10910, 10962, 11013, 11032, 11127, 11156, 11185, 11212, 11245, 11278, 11307, 11334, 11372,
        11421, 11452, 11482, 11551, 11650, 11758, 11796, 11838, 11902, 11944, 11994, 12043, 12073, 12102, 12131, 12153,
        12200, 12232, 12285, 12329, 12355, 12483, 12529, 12596, 12629, 12709, 12754, 12788, 12818, 12862, 12893, 12937,
        12979, 13016, 13075, 13153, 13200, 13271, 13319, 13357, 13451, 13515, 13596, 13666, 13726, 13779, 13806, 13850,
        13902, 13942, 13988, 14022, 14064, 14106, 14152, 14194, 14231, 14261, 14317, 14358, 14393, 14435, 14466, 14505,
        14541, 14589, 14640, 14672, 14719, 14789, 14839, 14900, 14951, 14987, 15017, 15073, 15117, 15151, 15175, 15205,
        15235, 15267, 15299, 15346, 15393, 15427, 15474, 15594, 15632, 15669, 15699, 15729, 15759, 15817, 15865, 15891,
        16002, 16084, 16126, 16158, 16190, 16239, 16268, 16317, 16354, 16395, 16440, 16512, 16539, 16607, 16644, 16681,
        16735, 16768, 16791, 16869, 16897, 16933, 16967, 17016, 17044, 17076, 17143, 17215, 17272, 17318, 17450, 17486,
        17585, 17688, 17768, 17830, 17891, 18014, 18133, 18252, 18351, 18462, 18548, 18628, 18682, 18733, 18806, 18860,
        18932, 18986, 19040, 19111, 19186, 19220, 19306, 19355, 19383, 19434, 19464, 19515, 19547, 19583, 19612, 19643,
        19708, 19790, 19818, 19908, 20012, 20084, 20148, 20207, 20268, 20298, 20335, 20383, 20414, 20441, 20488, 20512,
        20547, 20638, 20729, 20822, 20883, 20931, 20975, 21071, 21111, 21169, 21254, 21282, 21352, 21417, 21482, 21539,
        21621, 21684, 21764, 21829, 21875, 21937, 21993, 22061, 22128, 22180, 22225, 22284, 22363, 22424, 22457, 22559,
        22659, 22764, 22868, 22972, 23080, 23186, 23288, 23388, 23503, 23617, 23729, 23841, 23943, 24037, 24135, 24223,
        24320, 24438, 24516, 24691, 24776, 24895, 24976, 25091, 25163, 25239, 25271, 25422, 25583, 25728, 25883, 26030,
        26187, 26317, 26453, 26593, 26739, 26880, 27023, 27168, 27315, 27345, 27410, 27455, 27551, 27615, 27677, 27730,
        27776, 27816, 27860, 27920, 27970, 28013, 28082, 28121, 28174, 28205, 28273, 28336, 28400, 28448, 28482, 28513,
        28581, 28620, 28645, 28683, 28724, 28762, 28799, 28834, 28865, 28899, 28935, 28973, 29014, 29050, 29085, 29128,
        29167, 29205, 29238, 29278, 29309, 29350, 29394, 29430, 29465, 29515, 29548, 29579, 29616, 29652, 29682, 29719,
        29766, 29804, 29842, 29880, 29915, 29959, 29993, 30035, 30078, 30110, 30148, 30188, 30220, 30258, 30293, 30324,
        30357, 30393, 30420, 30465, 30511, 30534, 30588, 30631, 30665, 30711, 30764, 30843, 30886, 30952, 30980, 31006,
        31042, 31175, 31205, 31267, 31308, 31366, 31412, 31442, 31477, 31518, 31570, 31604, 31631, 31656, 31683, 31707,
        31738, 31768, 31856, 31910, 31931, 31958, 31997, 32039, 32065, 32107, 32169, 32198, 32255, 32274, 32317, 32350,
        32374, 32427, 32475, 32503, 32529, 32558, 32588, 32616, 32646, 32675, 32709, 32754, 32786, 32851, 32899, 32915,
        32943, 32981, 33012, 33075, 33119, 33140, 33173, 33206, 33239, 33285, 33348, 33402, 33430, 33461, 33486, 33513,
        33542, 33570, 33611, 33676, 33721, 33747, 33812, 33896, 33931, 33971, 34034, 34103, 34150, 34191, 34217, 34259,
        34278, 34382, 34429, 34456, 34531, 34562, 34584, 34628, 34647, 34802, 34839, 34870, 34982, 35043, 35112, 35182,
        35261, 35286, 35309, 35364, 35389, 35452, 35509, 35559, 35605, 35648, 35688, 35742, 35785, 35814, 35860, 35918,
        36020, 36071, 36100, 36153, 36219, 36266, 36302, 36350, 36381, 36442, 36488, 36585, 36644, 36681, 36720, 36739,
        36777, 36814, 36834, 36869, 36932, 36952, 36975, 37038, 37080, 37113, 37188, 37256, 37324, 37352, 37385, 37481,
        37508, 37549, 37593, 37619, 37673, 37711, 37755, 37804, 37829, 37914, 38020, 38140, 38234, 38295, 38396, 38433,
        38462, 38524, 38611, 38663, 38682, 38745, 38791, 38834, 38881, 38944, 39023, 39049,
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
        1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 1, 1, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1,
        7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7,
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
        1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1,
        1, 2, 0, 2, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 1, 1, 1, 2, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 0, 2, 1,
        1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 2,
        0, 0, 2, 1, 2, 2, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1,
        2, 1, 1,
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
        1819, 1825, 1832, 1837, 1843, 1848, 1854, 1859, 1865, 1870, 1871, 1875, 1878, 1881, 1885, 1888, 1891, 1896,
        1900, 1905, 1910, 1915, 1920, 1921, 1926, 1931, 1936, 1941, 1947, 1952, 1958, 1962, 1962, 1964, 1966, 1968,
        1970, 1971, 1972, 1973, 1975, 1977, 1978, 1980, 1981, 1983, 1984, 1986, 1987, 1988, 1989, 1990, 1991, 1993,
        1994, 1995, 1996, 1997, 1999, 2000, 2001, 2002, 2005, 2006, 2008, 2010, 2011, 2013, 2014, 2016, 2017, 2018,
        2020, 2022, 2023, 2025, 2026, 2027, 2028, 2030, 2030, 2036, 2041, 2045, 2048, 2048, 2052, 2057, 2062, 2067,
        2071, 2075, 2083, 2084, 2084, 2087, 2093, 2099, 2106, 2112, 2120, 2126, 2134, 2134, 2138, 2142, 2144, 2147,
        2150, 2153, 2159, 2160, 2166, 2167, 2168, 2168, 2168, 2171, 2179, 2183, 2184, 2184, 2188, 2188, 2189, 2190,
        2190, 2195, 2200, 2202, 2205, 2208, 2211, 2214, 2217, 2220, 2226, 2229, 2230, 2235, 2236, 2241, 2241, 2244,
        2249, 2254, 2256, 2258, 2265, 2272, 2279, 2285, 2290, 2295, 2295, 2297, 2300, 2303, 2306, 2309, 2314, 2319,
        2324, 2328, 2333, 2337, 2340, 2340, 2344, 2348, 2352, 2356, 2364, 2370, 2371, 2377, 2384, 2384, 2389, 2395,
        2400, 2404, 2409, 2414, 2419, 2424, 2429, 2434, 2440, 2445, 2450, 2454, 2455, 2459, 2462, 2468, 2476, 2482,
        2490, 2494, 2498, 2501, 2502, 2508, 2513, 2521, 2529, 2533, 2533, 2538, 2542, 2546, 2552, 2558, 2560, 2568,
        2573, 2577, 2585, 2591, 2598, 2599, 2604, 2610, 2610, 2611, 2615, 2615, 2615, 2621, 2627, 2629, 2635, 2639,
        2643, 2651, 2654, 2658, 2658, 2662, 2666, 2669, 2673, 2678, 2681, 2683, 2685, 2690, 2695, 2700, 2708, 2711,
        2716, 2721, 2724, 2727, 2729, 2733, 2738, 2743, 2747, 2753, 2757, 2760, 2764, 2772,
    ]

    /// Rows of what each type conforms to, nearest first.
    static let lineages: [UInt16] = [
        659, 613, 609, 660, 613, 660, 10, 613, 606, 660, 609, 613, 660, 613, 660, 674, 577, 613, 609, 660, 659, 613,
        609, 660, 613, 606, 660, 609, 659, 613, 609, 660, 659, 613, 609, 660, 613, 606, 660, 609, 640, 613, 660, 11,
        640, 613, 660, 11, 640, 613, 660, 11, 640, 613, 660, 597, 659, 613, 609, 660, 613, 606, 660, 609, 613, 573,
        660, 71, 660, 165, 721, 613, 660, 22, 22, 22, 613, 296, 660, 613, 296, 660, 613, 712, 660, 715, 700, 729,
        609, 48, 267, 617, 660, 712, 715, 700, 729, 613, 609, 660, 613, 573, 660, 633, 660, 345, 48, 267, 617, 660,
        32, 236, 267, 633, 48, 617, 660, 32, 613, 633, 660, 34, 32, 236, 267, 633, 48, 617, 660, 639, 617, 660, 613,
        573, 660, 613, 660, 729, 285, 613, 609, 660, 344, 753, 285, 729, 613, 609, 660, 285, 613, 660, 613, 573, 660,
        573, 613, 44, 660, 573, 613, 296, 660, 617, 660, 619, 613, 660, 613, 660, 613, 660, 613, 660, 613, 660, 613,
        660, 613, 660, 613, 660, 753, 729, 613, 609, 660, 576, 577, 613, 609, 660, 267, 617, 660, 613, 660, 742, 667,
        700, 660, 729, 613, 609, 613, 614, 660, 236, 267, 48, 617, 660, 639, 236, 617, 48, 660, 35, 32, 613, 633,
        660, 639, 617, 660, 639, 617, 660, 616, 729, 613, 609, 660, 660, 71, 660, 639, 617, 660, 639, 617, 660, 639,
        617, 660, 659, 613, 609, 660, 236, 267, 48, 617, 660, 639, 617, 660, 613, 573, 660, 71, 660, 165, 721, 613,
        660, 720, 277, 48, 267, 617, 660, 639, 617, 660, 613, 660, 87, 659, 613, 609, 660, 90, 613, 660, 613, 660,
        87, 613, 660, 87, 613, 660, 613, 606, 660, 609, 640, 613, 660, 48, 617, 660, 165, 721, 613, 660, 267, 577,
        617, 613, 609, 660, 720, 48, 267, 617, 660, 165, 721, 613, 660, 613, 660, 720, 742, 667, 700, 660, 729, 613,
        609, 613, 660, 639, 617, 660, 329, 742, 667, 700, 660, 729, 613, 609, 647, 664, 729, 613, 609, 660, 613, 660,
        639, 617, 660, 168, 111, 169, 111, 166, 717, 69, 616, 729, 660, 596, 613, 609, 729, 660, 596, 613, 609, 660,
        613, 660, 659, 613, 609, 660, 121, 121, 121, 121, 125, 120, 121, 125, 126, 121, 120, 125, 126, 121, 120, 125,
        126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 123, 141, 121, 120, 125, 126, 121, 120, 125, 126, 121,
        120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 122,
        120, 121, 120, 141, 120, 141, 120, 141, 120, 141, 120, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        71, 660, 71, 660, 639, 617, 660, 594, 715, 700, 729, 613, 609, 660, 267, 617, 660, 267, 617, 660, 613, 660,
        48, 267, 617, 660, 48, 267, 617, 660, 48, 267, 617, 660, 613, 573, 660, 48, 267, 617, 660, 721, 613, 660,
        69, 616, 166, 69, 616, 169, 169, 113, 169, 111, 203, 69, 616, 203, 69, 616, 203, 69, 616, 203, 69, 616, 176,
        203, 69, 616, 176, 203, 69, 616, 176, 203, 69, 616, 176, 203, 69, 616, 738, 613, 660, 267, 707, 198, 617,
        606, 660, 609, 267, 707, 198, 617, 606, 660, 609, 267, 707, 199, 617, 606, 660, 609, 613, 707, 660, 606, 609,
        613, 707, 660, 606, 609, 267, 606, 718, 617, 609, 660, 267, 606, 718, 617, 609, 660, 613, 606, 718, 660, 609,
        613, 606, 718, 660, 609, 267, 606, 718, 617, 609, 660, 267, 606, 617, 609, 660, 267, 606, 617, 609, 660, 613,
        606, 660, 609, 613, 606, 660, 609, 267, 606, 617, 609, 660, 48, 267, 617, 660, 267, 707, 617, 606, 660, 609,
        267, 707, 617, 606, 660, 609, 613, 667, 660, 619, 619, 69, 616, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        639, 617, 660, 613, 660, 48, 617, 660, 236, 267, 606, 48, 617, 609, 660, 700, 667, 729, 660, 613, 609, 683,
        576, 577, 613, 609, 660, 682, 674, 577, 613, 609, 660, 613, 573, 660, 737, 613, 633, 660, 243, 737, 613, 633,
        660, 243, 737, 613, 633, 660, 243, 737, 613, 633, 660, 243, 737, 613, 633, 660, 243, 737, 613, 633, 660, 241,
        659, 613, 609, 660, 165, 721, 613, 660, 613, 660, 267, 48, 617, 660, 277, 48, 267, 617, 660, 753, 729, 613,
        609, 660, 613, 660, 660, 296, 639, 617, 660, 683, 576, 577, 613, 609, 660, 639, 617, 660, 165, 721, 613, 660,
        71, 660, 729, 613, 609, 660, 729, 613, 609, 660, 617, 660, 742, 667, 700, 660, 729, 613, 609, 613, 633, 660,
        659, 613, 609, 660, 639, 617, 660, 48, 267, 617, 660, 613, 660, 613, 660, 48, 267, 617, 660, 48, 267, 617,
        660, 277, 48, 267, 617, 660, 235, 48, 267, 617, 660, 619, 613, 660, 613, 660, 660, 613, 660, 576, 577, 613,
        609, 660, 286, 576, 577, 613, 609, 660, 240, 682, 674, 577, 613, 609, 660, 753, 729, 613, 609, 660, 639, 617,
        660, 613, 633, 660, 277, 48, 267, 617, 660, 659, 613, 609, 660, 674, 577, 613, 609, 660, 613, 660, 715, 700,
        729, 613, 609, 660, 267, 606, 617, 609, 660, 613, 516, 660, 609, 753, 729, 613, 609, 660, 639, 617, 660, 639,
        617, 660, 34, 32, 236, 267, 633, 48, 617, 660, 613, 660, 613, 660, 742, 667, 700, 660, 729, 613, 609, 639,
        617, 660, 742, 667, 700, 660, 729, 613, 609, 720, 720, 720, 720, 700, 729, 613, 609, 660, 313, 700, 729, 613,
        609, 660, 313, 700, 729, 613, 609, 660, 313, 700, 729, 613, 609, 660, 313, 700, 729, 613, 609, 660, 715, 700,
        729, 613, 609, 660, 236, 267, 48, 617, 660, 267, 48, 617, 660, 267, 48, 617, 660, 267, 48, 617, 660, 700,
        729, 613, 609, 660, 639, 617, 660, 639, 617, 660, 734, 640, 613, 660, 613, 606, 660, 609, 71, 660, 639, 617,
        660, 639, 617, 660, 165, 721, 613, 660, 613, 609, 660, 165, 721, 613, 660, 613, 606, 660, 609, 277, 48, 267,
        617, 660, 243, 737, 613, 633, 660, 613, 573, 660, 267, 617, 660, 341, 613, 573, 660, 753, 285, 729, 613, 609,
        660, 48, 267, 617, 660, 576, 577, 613, 609, 660, 346, 576, 577, 613, 609, 660, 346, 576, 577, 613, 609, 660,
        577, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613,
        609, 660, 659, 613, 609, 660, 576, 577, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 613,
        573, 660, 597, 659, 613, 609, 660, 753, 729, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660,
        659, 613, 609, 660, 634, 659, 670, 613, 609, 660, 634, 659, 670, 613, 609, 660, 659, 613, 609, 660, 597, 659,
        613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609,
        660, 597, 659, 613, 609, 660, 577, 753, 613, 609, 729, 660, 577, 613, 609, 660, 659, 613, 609, 660, 613, 573,
        660, 757, 606, 718, 633, 413, 609, 660, 613, 573, 613, 660, 613, 606, 718, 660, 609, 613, 718, 660, 609, 613,
        718, 660, 609, 659, 613, 609, 660, 721, 613, 660, 613, 707, 660, 606, 609, 613, 707, 660, 606, 609, 613, 707,
        660, 606, 609, 715, 700, 729, 613, 609, 660, 576, 577, 613, 609, 660, 613, 633, 660, 613, 633, 660, 576, 373,
        577, 753, 613, 609, 729, 660, 674, 374, 577, 613, 609, 660, 576, 374, 577, 613, 609, 660, 674, 374, 577, 613,
        609, 660, 674, 374, 577, 613, 609, 660, 674, 373, 577, 753, 613, 609, 729, 660, 674, 373, 577, 753, 613, 609,
        729, 660, 613, 606, 660, 609, 613, 606, 660, 609, 753, 606, 729, 609, 613, 660, 712, 633, 715, 660, 700, 729,
        613, 609, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 405, 597, 659, 613, 609, 660, 597, 659, 613, 609,
        660, 405, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660,
        597, 659, 613, 609, 660, 516, 613, 609, 660, 516, 613, 609, 660, 613, 573, 660, 613, 573, 660, 576, 577, 613,
        609, 660, 674, 577, 613, 609, 660, 674, 577, 613, 609, 660, 613, 573, 660, 613, 660, 597, 659, 613, 609, 660,
        729, 613, 609, 660, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609,
        660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 17, 613, 573, 660, 17, 613, 573, 660, 17, 613, 573,
        660, 757, 633, 413, 660, 613, 573, 613, 633, 660, 715, 700, 729, 613, 609, 660, 753, 729, 613, 609, 660, 431,
        757, 633, 413, 660, 613, 573, 753, 729, 613, 609, 660, 659, 613, 609, 660, 613, 660, 742, 700, 729, 613, 609,
        660, 576, 577, 613, 609, 660, 613, 573, 660, 613, 606, 660, 609, 613, 573, 660, 613, 573, 660, 613, 573, 660,
        445, 613, 573, 660, 715, 700, 729, 613, 609, 660, 613, 606, 660, 609, 715, 700, 729, 613, 609, 660, 664, 729,
        613, 609, 660, 753, 577, 516, 729, 613, 609, 660, 516, 609, 516, 609, 715, 700, 729, 613, 609, 660, 674, 577,
        613, 609, 660, 613, 660, 613, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660, 613, 609, 614, 660, 457,
        609, 613, 660, 457, 609, 613, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660, 457, 659, 613, 609, 660,
        457, 659, 613, 609, 660, 457, 606, 707, 613, 609, 660, 457, 606, 707, 613, 609, 660, 457, 606, 718, 613, 609,
        660, 457, 606, 718, 613, 609, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660,
        457, 606, 613, 609, 660, 613, 609, 660, 613, 609, 660, 613, 609, 660, 613, 609, 707, 660, 606, 613, 609, 707,
        660, 606, 613, 718, 660, 609, 613, 718, 660, 609, 613, 609, 660, 613, 609, 660, 613, 609, 660, 613, 660, 485,
        707, 613, 606, 660, 609, 485, 707, 633, 613, 606, 660, 609, 485, 707, 613, 606, 660, 609, 485, 707, 633, 613,
        606, 660, 609, 485, 707, 613, 606, 660, 609, 485, 707, 633, 613, 606, 660, 609, 485, 606, 718, 613, 609, 660,
        485, 606, 718, 633, 613, 609, 660, 485, 606, 718, 613, 609, 660, 485, 606, 718, 633, 613, 609, 660, 485, 606,
        613, 609, 660, 485, 606, 633, 613, 609, 660, 485, 606, 613, 609, 660, 485, 606, 633, 613, 609, 660, 664, 729,
        613, 609, 660, 715, 700, 729, 613, 609, 660, 674, 577, 613, 609, 660, 614, 729, 613, 609, 660, 613, 573, 660,
        613, 573, 660, 729, 613, 609, 660, 640, 613, 660, 640, 613, 660, 674, 577, 613, 609, 660, 659, 613, 609, 660,
        576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 674, 577, 613, 609, 660, 576, 577, 613, 609, 660, 609, 674,
        577, 613, 609, 660, 674, 577, 613, 609, 660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 715, 700, 729,
        613, 609, 660, 576, 577, 613, 609, 660, 522, 576, 577, 613, 609, 660, 516, 613, 609, 660, 543, 525, 543, 525,
        543, 525, 543, 525, 525, 525, 525, 543, 525, 543, 525, 525, 543, 525, 525, 543, 525, 525, 543, 525, 525, 525,
        525, 525, 525, 543, 525, 525, 525, 525, 525, 543, 525, 525, 525, 525, 554, 570, 525, 525, 543, 525, 543, 525,
        525, 543, 525, 525, 543, 525, 525, 525, 543, 525, 543, 525, 525, 543, 525, 525, 525, 525, 543, 525, 715, 700,
        729, 613, 609, 660, 576, 577, 613, 609, 660, 577, 613, 609, 660, 613, 609, 660, 267, 578, 617, 660, 656, 659,
        613, 609, 660, 656, 659, 613, 609, 660, 674, 577, 613, 609, 660, 659, 613, 609, 660, 659, 613, 609, 660, 713,
        712, 715, 700, 729, 613, 609, 660, 660, 613, 573, 660, 715, 700, 729, 613, 609, 660, 715, 700, 729, 613, 609,
        660, 590, 715, 700, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 592, 716, 715, 700, 729, 613, 609, 660,
        715, 700, 729, 613, 609, 660, 594, 716, 715, 700, 729, 613, 609, 660, 659, 613, 609, 660, 729, 613, 609, 660,
        695, 720, 599, 695, 720, 599, 695, 720, 599, 695, 720, 522, 576, 577, 613, 609, 660, 660, 700, 615, 729, 613,
        609, 660, 609, 616, 613, 573, 660, 713, 712, 715, 700, 729, 613, 609, 660, 729, 613, 609, 660, 660, 729, 613,
        609, 660, 660, 573, 576, 577, 613, 609, 660, 674, 577, 613, 609, 660, 695, 720, 622, 695, 720, 622, 695, 720,
        622, 695, 720, 622, 695, 720, 622, 695, 720, 622, 695, 720, 715, 700, 729, 613, 609, 660, 613, 633, 660, 670,
        576, 577, 613, 609, 660, 660, 659, 670, 613, 609, 660, 738, 613, 660, 598, 729, 613, 609, 660, 674, 577, 613,
        609, 660, 617, 660, 613, 660, 644, 715, 700, 729, 613, 609, 660, 644, 715, 700, 729, 613, 609, 660, 644, 715,
        700, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 664, 729, 613, 609, 660, 516, 729, 609, 613, 660, 695,
        720, 648, 695, 720, 648, 695, 720, 648, 695, 720, 648, 695, 720, 656, 659, 613, 609, 660, 656, 659, 613, 609,
        660, 656, 659, 613, 609, 660, 659, 613, 609, 660, 656, 659, 613, 609, 660, 729, 613, 609, 660, 613, 609, 660,
        659, 613, 609, 660, 659, 613, 609, 660, 659, 613, 609, 660, 729, 613, 609, 660, 713, 712, 715, 700, 729, 613,
        609, 660, 715, 700, 729, 613, 609, 660, 660, 700, 701, 729, 613, 609, 660, 712, 715, 700, 729, 613, 609, 660,
        576, 577, 613, 609, 660, 715, 700, 729, 613, 609, 660, 598, 729, 613, 609, 660, 577, 613, 609, 660, 576, 577,
        613, 609, 660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 674, 577, 613, 609,
        660, 674, 577, 613, 609, 660, 746, 674, 577, 613, 609, 660, 674, 577, 613, 609, 660, 576, 577, 613, 609, 660,
        659, 613, 609, 660, 660, 729, 613, 609, 660, 613, 633, 660, 715, 700, 729, 613, 609, 660, 688, 716, 715, 700,
        729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 690, 716, 715, 700, 729, 613, 609, 660, 613, 606, 660, 609,
        694, 640, 613, 660, 640, 613, 660, 720, 715, 700, 729, 613, 609, 660, 700, 729, 613, 609, 660, 713, 712, 715,
        700, 729, 613, 609, 660, 713, 712, 715, 700, 729, 613, 609, 660, 729, 613, 609, 660, 729, 701, 613, 609, 660,
        659, 613, 609, 660, 516, 613, 609, 660, 715, 700, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 606, 609,
        713, 712, 715, 700, 729, 613, 609, 660, 753, 729, 613, 609, 660, 729, 613, 609, 660, 713, 712, 715, 700, 729,
        613, 609, 660, 715, 700, 729, 613, 609, 660, 712, 715, 700, 729, 613, 609, 660, 660, 700, 729, 613, 609, 660,
        715, 700, 729, 613, 609, 660, 609, 516, 613, 609, 660, 659, 753, 613, 609, 729, 660, 715, 700, 729, 613, 609,
        660, 660, 296, 700, 615, 729, 613, 609, 660, 444, 613, 573, 660, 588, 613, 573, 660, 713, 712, 715, 700, 729,
        613, 609, 660, 613, 609, 660, 659, 613, 609, 660, 729, 613, 609, 660, 734, 640, 613, 660, 640, 613, 660, 734,
        640, 613, 660, 576, 577, 613, 609, 660, 613, 633, 660, 613, 660, 613, 660, 700, 729, 613, 609, 660, 700, 729,
        613, 609, 660, 700, 729, 613, 609, 660, 725, 742, 700, 615, 729, 613, 609, 660, 613, 573, 660, 729, 608, 613,
        609, 660, 674, 577, 613, 609, 660, 639, 617, 660, 613, 633, 660, 613, 660, 659, 613, 609, 660, 753, 729, 613,
        609, 660, 753, 729, 613, 609, 660, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 729, 613, 609, 660, 613,
        573, 660, 413, 613, 573, 660, 713, 712, 715, 700, 729, 613, 609, 660,
    ]

    /// Where each tag stands in the details, sorted.
    static let extensionTags: [UInt32] = [
        16636, 28286, 28217, 28290, 28221, 21441, 15916, 28353, 21527, 1784, 16028, 28596, 28417, 28466, 28470, 28474,
        28357, 3772, 1031, 5021, 321, 28536, 28500, 28531, 21387, 1607, 1555, 1411, 1833, 20406, 1475, 17181, 17117,
        30481, 1928, 30655, 30677, 30723, 30775, 30855, 30898, 4585, 30971, 11060, 17233, 4661, 18389, 31067, 31063,
        31428, 31341, 17290, 2964, 31345, 2835, 31725, 33041, 38548, 20902, 2831, 2919, 31334, 2177, 32017, 31337,
        16150, 16182, 3085, 38556, 16214, 32057, 32076, 3113, 31803, 18288, 31348, 22104, 27484, 22378, 16889, 21562,
        34549, 38552, 3699, 15059, 17237, 22382, 32446, 35838, 7332, 7337, 18505, 32400, 32695, 842, 19063, 26938,
        26784, 19134, 27226, 27068, 3660, 15720, 32443, 16372, 11235, 32812, 32817, 53, 16750, 95, 21899, 16415, 193,
        18581, 14664, 16703, 33261, 257, 261, 253, 249, 33165, 33198, 33231, 215, 16673, 3846, 27984, 33033, 33037,
        245, 33263, 3989, 16816, 4476, 3923, 4541, 4590, 33300, 16287, 22144, 22197, 34410, 21850, 4837, 21130, 4887,
        21645, 21708, 21711, 31191, 31245, 4989, 33582, 33624, 33688, 33760, 31231, 33693, 31234, 31237, 2035, 33829,
        33824, 31241, 31471, 2871, 5420, 2875, 5446, 17786, 7082, 5269, 31405, 7145, 19635, 7177, 4712, 31300, 31249,
        22011, 8042, 34067, 34063, 20843, 20956, 20951, 19262, 16783, 20998, 34051, 33992, 33983, 34055, 33988, 34059,
        19251, 19254, 34162, 34118, 34487, 8985, 8079, 8119, 16560, 34209, 22247, 8159, 9065, 22250, 34235, 27567,
        34861, 32701, 34252, 34237, 34240, 34856, 10902, 10879, 34244, 34248, 35535, 34899, 35063, 34298, 34302, 10930,
        13188, 13108, 11864, 10982, 34895, 11405, 34406, 34401, 21313, 21310, 11510, 11473, 35598, 34479, 34474, 34554,
        35501, 26, 19273, 34414, 22309, 22305, 22301, 3048, 3040, 3003, 35425, 22, 11587, 11574, 11676, 16959, 13622,
        34639, 34658, 35126, 34891, 34886, 34882, 35130, 34662, 7477, 35278, 16925, 18284, 27424, 35323, 19375, 12027,
        21270, 8645, 19330, 8359, 8407, 35383, 33382, 22696, 22491, 22800, 23009, 23220, 23983, 23429, 23657, 23874,
        35616, 28036, 28032, 28095, 16114, 28135, 19456, 35680, 35709, 23126, 24172, 23331, 23553, 23778, 24079, 20223,
        8689, 8731, 12222, 35806, 35832, 32022, 36294, 36340, 12375, 361, 19604, 38560, 2879, 776, 814, 20227, 35950,
        35954, 35936, 35940, 35945, 35958, 12379, 12370, 4072, 7473, 12546, 12653, 35879, 1701, 13040, 36120, 12726,
        12774, 36246, 35882, 36164, 11359, 17920, 26086, 25926, 12810, 18043, 25785, 25627, 18162, 25482, 25318, 14755,
        13298, 631, 598, 442, 12854, 16991, 36402, 13481, 13626, 13546, 13541, 13395, 13800, 19931, 16531, 19927,
        19841, 19539, 36604, 36607, 13684, 20031, 20107, 20171, 27371, 36453, 36499, 13821, 19575, 17068, 30443, 4172,
        14829, 20327, 13875, 13879, 1286, 1356, 16342, 24348, 24807, 24548, 13933, 24552, 28226, 25000, 20666, 14052,
        20539, 20353, 36701, 14088, 14132, 33839, 33833, 14176, 20572, 20662, 20754, 14885, 34483, 30484, 4229, 14252,
        28040, 21949, 27469, 27476, 20464, 20433, 20290, 24931, 24471, 24728, 36912, 25192, 7526, 4428, 36992, 36996,
        37058, 24803, 24344, 25118, 24544, 24246, 24996, 14699, 37207, 37286, 37281, 37343, 8945, 27563, 36042, 4279,
        21194, 21792, 7219, 37402, 37397, 37520, 35013, 37146, 18280, 37581, 37644, 36038, 27642, 37691, 37698, 37694,
        17862, 19681, 19685, 19690, 19753, 38259, 5327, 38312, 38308, 5323, 30779, 15378, 27744, 20504, 21103, 38481,
        15413, 18380, 18384, 18660, 3152, 15495, 15459, 27881, 27941, 15618, 18713, 18765, 18838, 18892, 18964, 27789,
        27830, 19018, 15691, 38632, 38674, 895, 38706, 38701, 38695, 15751, 17474, 17510, 17364, 26369, 26226, 17609,
        26648, 26495, 17712, 38756, 15839, 27700, 38810, 1788, 38850, 38812, 38846, 38815, 38819, 38823, 38827, 38898,
        38963, 39041, 16471,
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
        361, 518, 517, 518, 517, 441, 347, 519, 442, 38, 348, 524, 520, 521, 521, 521, 519, 80, 20, 108, 6, 523, 522,
        523, 440, 34, 35, 33, 30, 39, 423, 31, 374, 373, 575, 41, 579, 580, 581, 582, 583, 584, 97, 585, 242, 375,
        99, 388, 588, 588, 594, 592, 376, 59, 592, 56, 603, 638, 749, 432, 56, 58, 592, 45, 610, 592, 350, 351, 62,
        749, 352, 611, 612, 63, 605, 387, 592, 451, 503, 456, 367, 443, 672, 749, 78, 326, 375, 456, 621, 697, 160,
        160, 389, 620, 629, 15, 398, 497, 496, 399, 499, 498, 77, 342, 621, 356, 246, 632, 632, 1, 364, 2, 448, 357,
        3, 390, 318, 363, 644, 5, 5, 5, 5, 641, 642, 643, 4, 362, 82, 512, 638, 638, 5, 644, 86, 366, 95, 84, 96,
        97, 645, 354, 452, 453, 669, 447, 103, 436, 104, 444, 445, 445, 589, 590, 107, 653, 654, 655, 657, 590, 655,
        590, 590, 43, 658, 658, 590, 595, 57, 118, 57, 119, 382, 154, 115, 593, 156, 410, 157, 100, 591, 590, 450,
        181, 662, 662, 431, 433, 433, 401, 365, 434, 662, 661, 661, 662, 661, 662, 401, 401, 664, 663, 671, 197, 182,
        185, 183, 360, 665, 454, 184, 186, 200, 454, 666, 504, 678, 629, 666, 666, 666, 678, 238, 237, 666, 666, 690,
        679, 681, 668, 668, 239, 287, 286, 259, 240, 679, 251, 669, 669, 439, 439, 254, 253, 691, 671, 671, 672, 689,
        0, 401, 669, 455, 455, 455, 61, 61, 60, 688, 0, 255, 255, 256, 369, 294, 675, 676, 682, 683, 679, 679, 679,
        682, 683, 676, 163, 161, 684, 368, 387, 502, 686, 403, 262, 438, 191, 190, 402, 187, 189, 188, 687, 646, 460,
        458, 461, 463, 465, 472, 467, 469, 471, 692, 513, 513, 514, 349, 515, 405, 406, 404, 693, 459, 694, 462, 464,
        474, 466, 468, 470, 473, 419, 192, 194, 193, 268, 696, 697, 610, 705, 706, 272, 7, 409, 749, 57, 13, 14, 419,
        699, 699, 699, 699, 699, 699, 272, 272, 88, 163, 162, 274, 275, 276, 698, 36, 285, 344, 42, 40, 702, 277,
        278, 704, 698, 703, 250, 384, 491, 490, 279, 385, 489, 488, 386, 487, 486, 320, 289, 10, 9, 8, 280, 370, 708,
        292, 294, 293, 293, 291, 297, 415, 359, 415, 414, 407, 371, 711, 711, 295, 416, 417, 418, 501, 709, 710, 298,
        408, 372, 574, 90, 321, 421, 299, 299, 28, 29, 355, 476, 480, 478, 300, 478, 517, 482, 429, 303, 427, 422,
        713, 304, 305, 658, 658, 306, 428, 429, 430, 322, 671, 475, 575, 91, 308, 513, 449, 503, 503, 425, 424, 420,
        481, 477, 479, 719, 484, 164, 94, 722, 722, 723, 480, 476, 483, 478, 475, 482, 319, 726, 727, 727, 728, 196,
        195, 504, 700, 92, 437, 446, 158, 730, 730, 732, 680, 387, 725, 387, 733, 735, 700, 505, 736, 736, 736, 383,
        411, 411, 411, 412, 744, 116, 745, 745, 116, 582, 335, 507, 426, 435, 748, 336, 388, 388, 391, 64, 338, 337,
        510, 511, 339, 392, 393, 394, 395, 396, 508, 509, 397, 341, 750, 751, 16, 752, 752, 752, 343, 378, 379, 377,
        493, 492, 380, 495, 494, 381, 753, 400, 345, 506, 754, 38, 755, 754, 755, 754, 754, 754, 754, 756, 757, 758,
        358,
    ]

    /// Where each tag stands in the details, sorted.
    static let mimeTypeTags: [UInt32] = [
        2087, 31127, 31109, 22388, 21904, 33308, 21134, 21735, 20847, 21032, 34167, 2064, 2039, 11064, 17539, 18196,
        19067, 27428, 32120, 35620, 28054, 365, 516, 35991, 634, 36457, 21953, 37229, 21220, 37525, 18292, 34321,
        12553, 12662, 21566, 16830, 16564, 17514, 17369, 26374, 26653, 18166, 25487, 25790, 26091, 26943, 27231, 22495,
        22606, 22700, 22804, 22917, 23013, 23130, 23224, 23335, 23433, 23557, 23661, 23782, 23878, 23987, 24083, 24176,
        25323, 25632, 25931, 26231, 26500, 26789, 27073, 19845, 20034, 20112, 27487, 24840, 24381, 24588, 24625, 24283,
        25035, 24811, 24935, 24352, 24475, 24556, 24732, 24254, 25004, 25122, 25196, 38486, 21444, 11594, 11692, 31144,
        31090, 31070, 38900, 21650, 21716, 22017, 8202, 8289, 8466, 8569, 8782, 8873, 21003, 11086, 18585, 35330,
        20231, 13399, 19865, 20175, 20692, 20782, 20606, 27511, 20670, 20759, 20577, 37211, 27584, 15506, 38564, 27703,
        38855, 38983, 38710, 38760, 38967, 16475, 28241, 28307, 28362, 28421, 28540, 21391, 15919, 30488, 32404, 32821,
        27989, 34491, 34700, 35211, 35221, 34667, 34678, 34307, 34690, 28044, 28140, 16032, 19934, 18393, 18408, 18418,
        27897, 28372, 28551, 15957, 10934, 11868, 34502, 34749, 34710, 34723, 34351, 34737, 15933, 19957, 19978, 36124,
        18429, 35713, 37648, 27794, 27836, 30682, 30728, 30860, 30904, 17241, 16754, 16820, 16291, 33587, 33630, 33697,
        33766, 34071, 33996, 34007, 34122, 472, 12383, 36168, 506, 20357, 37001, 21198, 21210, 37406, 446, 17790,
        27946, 846, 16218, 16376, 16419, 16995, 12407, 19334, 19412, 19493, 488, 12394, 13550, 20468, 38636, 22202,
        22148, 13692, 19758, 5273, 31816, 32080, 31807, 38329, 33844, 19277, 21322, 35964, 36047, 37965, 38069, 37939,
        38044, 36503, 27374, 37150, 18315, 38318, 27748, 21853, 22254, 35885, 35973, 36405, 36611, 27384, 21969, 27573,
        38262, 5332, 38344, 38776, 28230, 28295, 30783, 33045, 22331, 35135, 35145, 34903, 35067, 35079, 34914, 30793,
        28099, 13629, 27886, 32450, 265, 10986, 22314, 34924, 34937, 17185, 17121, 18664, 18716, 18769, 18842, 18896,
        18968, 19022, 30807,
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
        43, 588, 588, 456, 448, 645, 436, 445, 431, 434, 664, 43, 43, 242, 379, 380, 381, 386, 384, 385, 398, 399,
        502, 613, 692, 513, 7, 8, 699, 10, 709, 449, 726, 437, 732, 387, 668, 274, 276, 443, 366, 360, 379, 380, 381,
        377, 493, 495, 386, 384, 385, 487, 489, 491, 497, 499, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468,
        469, 470, 471, 472, 473, 474, 486, 488, 490, 492, 494, 496, 498, 414, 416, 417, 503, 480, 476, 478, 478, 475,
        482, 480, 481, 476, 477, 478, 479, 475, 482, 483, 484, 748, 441, 255, 256, 588, 588, 588, 756, 444, 445, 450,
        185, 186, 189, 190, 194, 195, 434, 242, 390, 389, 686, 419, 291, 414, 418, 429, 430, 428, 503, 429, 430, 428,
        726, 504, 338, 749, 506, 755, 757, 752, 753, 757, 358, 517, 518, 519, 520, 523, 440, 347, 575, 620, 632, 512,
        671, 676, 683, 683, 677, 676, 676, 668, 676, 513, 515, 515, 348, 415, 388, 388, 388, 510, 519, 523, 347, 239,
        259, 671, 676, 676, 676, 668, 676, 347, 415, 415, 702, 388, 694, 735, 508, 509, 580, 581, 583, 584, 375, 364,
        366, 354, 653, 654, 655, 657, 662, 661, 661, 663, 8, 272, 703, 8, 422, 722, 437, 437, 730, 8, 382, 511, 15,
        352, 356, 357, 370, 272, 402, 404, 406, 8, 272, 293, 425, 750, 453, 452, 295, 412, 115, 605, 612, 605, 745,
        658, 401, 439, 699, 700, 741, 742, 741, 742, 710, 501, 725, 387, 745, 507, 447, 454, 698, 699, 708, 711, 501,
        449, 504, 744, 116, 745, 753, 517, 518, 582, 638, 455, 682, 682, 679, 681, 681, 679, 582, 514, 294, 510, 621,
        5, 240, 455, 679, 679, 374, 373, 391, 392, 393, 394, 395, 396, 397, 582,
    ]
}
