// UI5 asks for a bundle of the app; its few files are loaded one by one.
sap.ui.require.preload({}, 'restock/admin/Component-preload.js')
