// The service gives what UI5 asks for here, the app's modules in one file; where another server does, they are loaded one by one.
sap.ui.require.preload({}, 'restock/buyer/Component-preload.js')
