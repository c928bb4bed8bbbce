import { PLAN_KINDS, type RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import type { Row } from './row.ts'

export function toPlannedEvent(row: Row): RecordOf<'plannedEvents'> {
  const [firstDay, lastDay] = [row.demandDay('first_day'), row.demandDay('last_day')]
  if (lastDay < firstDay) throw new BadValue('last_day', 'must not lie before first_day')
  return {
    kind: row.oneOf('kind', PLAN_KINDS),
    sku: row.codeOrAll('sku'),
    location: row.codeOrAll('location'),
    skuGroup: row.codeOrAll('sku_group'),
    name: row.nameOrNull('name') ?? '',
    ...{ firstDay, lastDay },
    factor: row.factorOrNull('factor'),
    price: row.unitsOrNull('price'),
  }
}
