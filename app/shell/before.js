// Before UI5 starts: its theme by what the system prefers, its texts in a language that we have, and its first page.
const { first } = document.currentScript.dataset
if (first && !location.hash && !location.search.includes('view=')) location.replace(first)

document.documentElement.lang = navigator.language.startsWith('de') ? 'de' : 'en'

const prefers = (query) => matchMedia(query).matches
const isDark = prefers('(prefers-color-scheme: dark)')
const isContrasted = prefers('(forced-colors: active), (prefers-contrast: more)')
const contrasted = isDark ? 'sap_horizon_hcb' : 'sap_horizon_hcw'
const usual = isDark ? 'sap_horizon_dark' : 'sap_horizon'

globalThis['sap-ui-config'] = {
  theme: isContrasted ? contrasted : usual,
  language: navigator.language.startsWith('de') ? 'de' : 'en',
  formatLocale: navigator.language,
}
