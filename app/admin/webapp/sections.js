// The ways between the areas of the app, where it runs by itself.
import { language } from '../shell/texts.js'

const SECTIONS = [
  ['', 'Overview', 'Übersicht'],
  ['Sources', 'ERP connections', 'ERPs'],
  ['Syncs', 'Syncs', 'Abgleiche'],
  ['QuarantinedRows', 'Rejected', 'Abgewiesen'],
  ['BlockedPairs', 'Blocked', 'Blockiert'],
  ['Policies', 'Rules', 'Regeln'],
  ['PlannedEvents', 'Calendar', 'Kalender'],
  ['HolidayCalendars', 'Holidays', 'Feiertage'],
  ['ApiKeys', 'API keys', 'API-Schlüssel'],
  ['Webhooks', 'Webhooks', 'Webhooks'],
  ['Approvers', 'Users', 'Benutzer'],
  ['UserLimits', 'Limits', 'Grenzen'],
  ['ForecastQuality', 'Forecasts', 'Prognosen'],
  ['AuditLog', 'Change log', 'Protokoll'],
]

const isGerman = language.startsWith('de')
const bar = document.getElementById('sections')
bar.setAttribute('aria-label', isGerman ? 'Bereiche' : 'Areas')

const links = SECTIONS.map(([area, english, german]) => {
  const text = isGerman ? german : english
  return Object.assign(document.createElement('a'), { href: `#/${area}`, textContent: text })
})
bar.append(...links)

/** `Sources` from `#/Sources(1)?…`; the wizard belongs to the ERP connections. */
const areaOf = (hash) => {
  const [area] = /^\w*/.exec(hash.replace(/^#?\/?/, ''))
  return area === 'SourceTypes' ? 'Sources' : area
}

function mark() {
  const area = areaOf(location.hash)
  for (const link of links) {
    const isShown = areaOf(link.hash) === area
    if (!isShown) link.removeAttribute('aria-current')
    else {
      link.setAttribute('aria-current', 'page')
      link.scrollIntoView({ block: 'nearest', inline: 'center' })
    }
  }
}

window.addEventListener('hashchange', () => {
  // Fiori elements looks into the state of each place in the history: a link makes none.
  if (!window.history.state) window.history.replaceState({}, '')
  mark()
})
mark()
