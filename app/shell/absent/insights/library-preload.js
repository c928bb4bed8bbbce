// Fiori elements asks for sap.insights, which npm does not have: here it is told so without a failed request.
sap.ui.predefine('sap/insights/library', [], () => {
  throw new Error('sap.insights is not part of this installation')
})
sap.ui.require.preload({
  'sap/insights/manifest.json': JSON.stringify({
    'sap.app': {
      id: 'sap.insights',
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
