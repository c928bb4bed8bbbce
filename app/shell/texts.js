// What the pages around the apps say, in English and German.
const TEXTS = {
  en: {
    home: 'Restock',
    dataAsOf: (day) => `Data as of ${day}`,
    age: (days) => (days === 0 ? 'today' : days === 1 ? '1 day old' : `${days} days old`),
    noData: 'No data yet',
    syncing: 'reading the ERP now',
    failing: (n) => (n === 1 ? '1 ERP connection fails' : `${n} ERP connections fail`),
    loading: 'Loading. The first view of a fresh installation takes up to 20 seconds.',
    noCounts: 'The numbers cannot be read at present.',
    connectionLost:
      'The service cannot be reached. What you entered is kept, and everything goes on by itself when it is back.',
    connectionBack: 'The service is back.',
    signIn: 'Sign in to see your numbers.',
    session: {
      unknown: {
        title: 'Sign in',
        text: 'Sign in in the tab that opens, come back here and continue.',
        act: 'Sign in',
      },
      ended: {
        title: 'Session ended',
        text: 'Your session has ended. Nothing is lost: sign in again in the tab that opens, come back here and continue.',
        act: 'Sign in again',
      },
    },
    goOn: 'Continue',
    signOut: 'Sign out',
    pages: {
      label: 'Pages',
      today: ['Today', '#/Home'],
      proposals: ['Proposals', '#/?view=open'],
      orders: ['Supplier orders', '#/Suppliers'],
      simulation: ['Simulation', '#/Simulation', 'ApproverHigh,Admin'],
      costs: ['Costs', '#/Costs', 'ApproverHigh,Admin'],
    },
    today: ['Today', 'What is due, at stake and missing, in money'],
    tiles: 'Tasks',
    reference: 'For developers',
    open: ['Open proposals', 'Everything that waits for a decision'],
    due: ['Due today', 'An order of tomorrow would come too late'],
    small: ['Small lines', 'Waiting costs little: one row for each supplier'],
    stockout: ['Stockout before delivery', 'For these, an order placed today arrives too late'],
    second: ['Second approval', 'Waiting for another person'],
    blocked: ['Blocked', 'Cannot be proposed: something is missing'],
    admin: ['Administration', 'ERP connections, ordering rules, keys, limits, health'],
    api: ['API reference', 'Forecasts and proposals over HTTP'],
    waiting: 'The app is being prepared',
    waitingWhy: 'Its UI5 libraries are being fetched from npm. This page goes on by itself.',
    missing: 'The UI5 libraries are missing',
    missingHow:
      'The service works, but its apps need the UI5 libraries. Get them with this command; it needs npm’s registry once:',
    missingWhy: (line) => `What was said last: ${line}`,
  },
  de: {
    home: 'Restock',
    dataAsOf: (day) => `Datenstand ${day}`,
    age: (days) => (days === 0 ? 'heute' : days === 1 ? '1 Tag alt' : `${days} Tage alt`),
    noData: 'Noch keine Daten',
    syncing: 'das ERP wird gerade gelesen',
    failing: (n) => (n === 1 ? '1 ERP-Verbindung gestört' : `${n} ERP-Verbindungen gestört`),
    loading:
      'Wird geladen. Nach einer neuen Installation dauert das beim ersten Mal bis zu 20 Sekunden.',
    noCounts: 'Die Zahlen lassen sich zurzeit nicht lesen.',
    connectionLost:
      'Der Dienst ist nicht erreichbar. Ihre Eingaben bleiben erhalten, und alles geht von selbst weiter, sobald er wieder da ist.',
    connectionBack: 'Der Dienst ist wieder da.',
    signIn: 'Melden Sie sich an, um Ihre Zahlen zu sehen.',
    session: {
      unknown: {
        title: 'Anmelden',
        text: 'Melden Sie sich in dem Tab an, der sich öffnet, kommen Sie hierher zurück und fahren Sie fort.',
        act: 'Anmelden',
      },
      ended: {
        title: 'Sitzung beendet',
        text: 'Ihre Sitzung ist beendet. Nichts ist verloren: Melden Sie sich in dem Tab an, der sich öffnet, kommen Sie hierher zurück und fahren Sie fort.',
        act: 'Neu anmelden',
      },
    },
    goOn: 'Fortfahren',
    signOut: 'Abmelden',
    pages: {
      label: 'Seiten',
      today: ['Heute', '#/Home'],
      proposals: ['Vorschläge', '#/?view=open'],
      orders: ['Lieferantenbestellungen', '#/Suppliers'],
      simulation: ['Simulation', '#/Simulation', 'ApproverHigh,Admin'],
      costs: ['Kosten', '#/Costs', 'ApproverHigh,Admin'],
    },
    today: ['Heute', 'Was fällig ist, auf dem Spiel steht und fehlt, in Geld'],
    tiles: 'Aufgaben',
    reference: 'Für Entwickler',
    open: ['Offene Vorschläge', 'Alles, was auf eine Entscheidung wartet'],
    due: ['Heute fällig', 'Eine Bestellung von morgen käme zu spät'],
    small: ['Kleine Positionen', 'Warten kostet wenig: eine Zeile je Lieferant'],
    stockout: ['Fehlbestand vor Wareneingang', 'Eine heutige Bestellung träfe hier zu spät ein'],
    second: ['Zweite Freigabe', 'Wartet auf eine andere Person'],
    blocked: ['Blockiert', 'Kein Vorschlag möglich: Es fehlt etwas'],
    admin: ['Verwaltung', 'ERP-Verbindungen, Bestellregeln, Schlüssel, Grenzen, Zustand'],
    api: ['API-Referenz', 'Prognosen und Vorschläge über HTTP'],
    waiting: 'Die App wird vorbereitet',
    waitingWhy: 'Ihre UI5-Bibliotheken werden von npm geholt. Diese Seite geht von selbst weiter.',
    missing: 'Die UI5-Bibliotheken fehlen',
    missingHow:
      'Der Dienst arbeitet, aber seine Apps brauchen die UI5-Bibliotheken. Dieser Befehl holt sie; er braucht einmal das Register von npm:',
    missingWhy: (line) => `Zuletzt gemeldet: ${line}`,
  },
}

export const language = navigator.language
export const texts = language.startsWith('de') ? TEXTS.de : TEXTS.en
document.documentElement.lang = language.startsWith('de') ? 'de' : 'en'

/** @param day `YYYY-MM-DD` */
export const shownDay = (day) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** How old the numbers are, in one line. */
export function dataAge({ dataAsOf, dataAgeDays, isSyncing, failingSources }) {
  const parts = [
    dataAsOf ? `${texts.dataAsOf(shownDay(dataAsOf))} · ${texts.age(dataAgeDays)}` : texts.noData,
    isSyncing && texts.syncing,
    failingSources > 0 && texts.failing(failingSources),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** What waits for the present user; throws where it cannot be read, with the answer's status. */
export async function readOverview() {
  const answer = await fetch('/odata/v4/buyer/overview()', {
    headers: { Accept: 'application/json' },
  })
  if (!answer.ok) throw Object.assign(new Error('overview'), { status: answer.status })
  return answer.json()
}
