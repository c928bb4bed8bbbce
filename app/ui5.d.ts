// UI5 as the apps find it on their pages; its own types are not installed.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
declare const sap: any
