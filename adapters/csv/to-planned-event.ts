import { PLAN_KINDS, type RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import type { Row } from './row.ts'

/** The columns of a file that has a row for each day with a promotion. */
export const BY_DAY = ['sku', 'location', 'date', 'promo']

type PlannedEvent = RecordOf<'plannedEvents'>

/** Of the rows of a day without a promotion one tells that it is known: a promotion of no effect, for all. */
export function plannedEventMapper() {
  const quiet = new Set<string>()
  return (row: Row): PlannedEvent | null => {
    if (row.has('kind')) return ofRange(row)
    const event = ofDay(row)
    if (event.factor === null) return event
    if (quiet.has(event.firstDay)) return null
    quiet.add(event.firstDay)
    return event
  }
}

function ofDay(row: Row): PlannedEvent {
  const pair = { sku: row.code('sku'), location: row.code('location') }
  const day = row.demandDay('date')
  const isOn = row.flagOrNull('promo')
  return {
    ...{ kind: 'promotion', name: '', skuGroup: '', firstDay: day, lastDay: day, price: null },
    ...(isOn ? { ...pair, factor: null } : { sku: '', location: '', factor: 1 }),
  }
}

function ofRange(row: Row): PlannedEvent {
  const kind = row.oneOf('kind', PLAN_KINDS)
  const firstDay = row.demandDay('from')
  const lastDay = row.has('to') ? row.demandDay('to') : firstDay
  if (lastDay < firstDay) throw new BadValue('to', 'must not lie before from')
  const factor = row.factorOrNull('factor')
  const price = row.priceOrNull('price')
  if (kind === 'closure' && factor !== null)
    throw new BadValue('factor', 'must be empty for a closure, which leaves no demand')
  return {
    kind,
    sku: row.codeOrNull('sku') ?? '',
    location: row.codeOrNull('location') ?? '',
    skuGroup: row.codeOrNull('group') ?? '',
    name: row.nameOrNull('name') ?? '',
    ...{ firstDay, lastDay, factor, price },
  }
}
