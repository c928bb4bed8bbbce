// Words that users no longer read, and what they read instead.

/** Where a word is looked for: `apps` are texts of the apps in English and German, `all` also the command line and the docs. */
export interface OldWord {
  old: RegExp
  better: string
  where: 'apps' | 'all'
}

const inAll = (old: RegExp, better: string): OldWord => ({ old, better, where: 'all' })
const inApps = (old: RegExp, better: string): OldWord => ({ old, better, where: 'apps' })

export const OLD_WORDS: OldWord[] = [
  inAll(/\bout before (arrival|delivery)/i, 'Stockout before delivery'),
  inAll(/\bleast order\b/i, 'Minimum order quantity'),
  inAll(/the sum, line by line/i, 'Calculation'),
  inAll(/\btaken off\b/i, 'less, deducted'),
  inAll(/what another quantity would mean/i, 'What-if'),
  inAll(/what moved the quantity/i, 'Drivers'),
  inAll(/nothing can be said at present/i, 'No risk figures available'),
  inAll(/\bblocked pairs?\b/i, 'Blocked items'),
  inAll(/\b(rows|records) set aside\b/i, 'Rejected records'),
  inAll(/\bacts of people\b/i, 'Change log'),
  inAll(/is everything working/i, 'System health'),
  inAll(/\babsent person\b/i, 'Delegator'),
  inAll(/\bstands? in for (whom|a person|somebody)\b/i, 'Deputy'),
  inAll(/\broles? that only displays?\b/i, 'Display-only role'),
  inAll(/\bno whole answer\b/i, 'ERP unreachable while reading …'),
  inAll(/\bowed\b/i, 'Backorders'),
  inAll(/\bput off\b/i, 'snoozed, postponed'),
  inAll(/\bheld against (your|the) limit\b/i, 'compared with'),
  inAll(/\b(order|prop_\w+) over \d/i, 'Order for 24'),
  inAll(/\btrail is whole\b/i, 'is intact'),
  inApps(
    /^(acts|ahead|how|is|absent|aim)$/i,
    'Change log, Not yet due, Explanation, Value, Delegator, Target',
  ),
  inApps(/\bprop_\w/, 'the SKU and its location'),
  inApps(/\bout of stock before\b/i, 'Stockout before delivery'),
  inApps(/\b(plants?|warehouses?|materials?|articles?)\b/i, 'Location, SKU'),
  inApps(/\bdelivery times?\b/i, 'Lead time'),
  inApps(/\brhythm\b/i, 'Review period'),
  inApps(/\b(surplus|redistribution)\b/i, 'Overstock, Transfer'),
  inApps(/\bon behalf\b/i, 'As deputy for'),
  inApps(/\bchosen\b(?! target)/i, 'selected'),
  inApps(/\bLieferzeit/i, 'Wiederbeschaffungszeit'),
  inApps(/\bStück\b/, 'Einheiten'),
  inApps(/\bvolle[rn]? Abgleich/i, 'vollständiger Abgleich'),
  inApps(/\b(Grenze|Kurs|Wiederbeschaffungszeit) setzen\b/, 'festlegen'),
  inApps(/\bMaterial(nummer)?\b/, 'SKU'),
]
