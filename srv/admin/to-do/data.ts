// What was read and cannot be used as it is: blocked items, rejected records, currencies without a rate.
import { settings } from '../../config.ts'
import { readRates } from '../../money/read-rates.ts'
import { codeNames } from '../../texts.ts'
import { BlockedPairs, Proposals, QuarantinedRows, readAs } from '../../store/entities.ts'
import { countRows } from '../health.ts'
import type { Task } from './task.ts'

export async function dataTasks(): Promise<Task[]> {
  return [...(await blockedTasks()), ...(await rejectedTasks()), ...(await rateTasks())]
}

/** Another connection's pair is not missing: it is proposed there. */
const LED = 'led_by_another_source'

async function blockedTasks(): Promise<Task[]> {
  const rows = await readAs<{ missing: string; pairs: unknown }>(
    SELECT.from(BlockedPairs).columns('missing', 'count(*) as pairs').groupBy('missing'),
  )
  const nameOf = await codeNames('MissingInputs')
  return rows
    .filter(({ missing }) => missing !== LED)
    .map(({ missing, pairs }) => ({
      key: missing === 'lead_time' ? 'blocked_lead_time' : 'blocked_other',
      places: { count: Number(pairs), what: nameOf(missing) },
      criticality: 2,
      cure: missing === 'lead_time' ? 'lead_time' : 'blocked',
      link: '#/BlockedPairs',
    }))
}

async function rejectedTasks(): Promise<Task[]> {
  const count = await countRows(QuarantinedRows, { note: null })
  if (!count) return []
  const where = { cure: 'rejected', link: '#/QuarantinedRows' }
  return [{ key: 'rejected', places: { count }, criticality: 2, ...where }]
}

/** Open proposals whose value nobody with a limit may approve. */
async function rateTasks(): Promise<Task[]> {
  const { currency } = settings()
  const rows = await readAs<{ currency: string; lines: unknown }>(
    SELECT.from(Proposals)
      .columns('currency', 'count(*) as lines')
      .where({ status: 'pending', currency: { '!=': null } })
      .groupBy('currency'),
  )
  const names = rows.map((row) => row.currency).filter((each) => each !== currency)
  if (!names.length) return []
  const rates = await readRates()
  return rows
    .filter((row) => names.includes(row.currency) && !rates.between(row.currency, currency))
    .map(({ currency: from, lines }) => ({
      key: 'no_rate',
      places: { from, to: currency, count: Number(lines) },
      criticality: 2,
      ...{ cure: 'rate', link: '#/UserLimits' },
    }))
}
