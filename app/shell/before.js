// Before UI5 starts: its theme by what the system prefers, its texts in a language that we have.
globalThis['sap-ui-config'] = {
  theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'sap_horizon_dark' : 'sap_horizon',
  language: navigator.language.startsWith('de') ? 'de' : 'en',
  formatLocale: navigator.language,
}
