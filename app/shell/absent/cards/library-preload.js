// Fiori elements asks for sap.cards.ap.common, which npm does not have: here it has no cards.
sap.ui.predefine('sap/cards/ap/common/library', ['sap/ui/core/Lib'], (Lib) =>
  Lib.init({ name: 'sap.cards.ap.common', apiVersion: 2, version: '1.136.0', noLibraryCSS: true }),
)
sap.ui.predefine('sap/cards/ap/common/services/RetrieveCard', [], () => ({
  getObjectPageCardManifestForPreview: () => Promise.resolve(),
}))
sap.ui.require.preload({
  'sap/cards/ap/common/manifest.json': JSON.stringify({
    'sap.app': {
      id: 'sap.cards.ap.common',
      type: 'library',
      embeds: [],
      applicationVersion: { version: '1.136.0' },
    },
    'sap.ui5': {
      dependencies: { minUI5Version: '1.136', libs: {} },
      library: { i18n: false, css: false },
    },
  }),
})
