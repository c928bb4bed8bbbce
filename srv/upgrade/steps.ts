// What differs between this version's database and those of former ones, but for what CAP adds by itself.

/** Entities that are no more. Views stand before the tables that they read. */
export const DROPPED = [
  'restock.PlaceableReversals',
  'restock.PendingReversals',
  'restock.Demand',
  'restock.ScheduledRuns',
]

export const DROPPED_COLUMNS: [entity: string, column: string][] = [
  ['restock.Locations', 'seenIn'],
  ['restock.Planning', 'seenIn'],
  ['restock.Skus', 'seenIn'],
  ['restock.Suppliers', 'seenIn'],
]

/** Codes of lists that no row has any more. */
export const DROPPED_CODES: [list: string, code: string][] = [['restock.ApiKeyStates', 'valid']]

interface JoinedColumn {
  table: string
  column: string
  of: 'texts' | 'numbers'
}

/** Lists that were joined by a comma and are JSON now. */
export const JOINED_COLUMNS: JoinedColumn[] = [
  { table: 'restock_ApiKeys', column: 'scopes', of: 'texts' },
  { table: 'restock_Users', column: 'roles', of: 'texts' },
  { table: 'restock_Webhooks', column: 'types', of: 'texts' },
  { table: 'restock_Policies', column: 'orderDays', of: 'numbers' },
  { table: 'restock_Proposals', column: 'exceptions', of: 'texts' },
  { table: 'restock_Proposals', column: 'calculation_drivers', of: 'texts' },
]

/** Queues of CAP's whose service is no more: what waited in them is done from its rows. */
export const DROPPED_QUEUES = ['SchedulesService']
