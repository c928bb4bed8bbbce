import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import type { Scope } from '../terms/pair-inputs.ts'
import { runProposals } from '../run/run.ts'
import type { PolicyKey } from './values.ts'

/** What a changed rule selects; an empty name selects everything. */
type Concerned = Partial<Record<Exclude<keyof PolicyKey, 'level'> | 'abcClass', string | null>>

const LOG = cds.log('proposals')

/** Sources that wait to be recomputed, with the scope; null for all their pairs. */
const waiting = new Map<number, Scope | null>()
let running: Promise<void> | undefined

/** Recomputes affected proposals in the background. If a restart interrupts this, the next run does it. */
export function recomputeProposals(concerned: Concerned): Promise<void> {
  const scope = scopeOf(concerned)
  const name = Object.values(scope ?? { of: 'all' }).join(' ')
  return runDetached(`change ${name}`, async () => {
    for (const source of await sourcesOf(scope)) {
      waiting.set(source, waiting.has(source) ? null : scope)
    }
    running ??= recomputeWaiting().finally(() => (running = undefined))
    await running
  }).catch((error) => LOG.error(`proposals after a change of ${name}:`, error))
}

async function recomputeWaiting() {
  for (const [source, scope] of waiting) {
    waiting.delete(source)
    await runProposals({ source, sync: null, scope })
  }
}

function scopeOf({ sku, location, supplier, skuGroup, abcClass }: Concerned): Scope | null {
  const named = Object.entries({ sku, location, supplier, skuGroup, abcClass }).filter(
    ([, value]) => value,
  )
  return named.length ? Object.fromEntries(named) : null
}

async function sourcesOf(scope: Scope | null): Promise<number[]> {
  const query = scope
    ? SELECT.distinct
        .from('restock.PairPlanning')
        .columns('source_ID as source')
        .where({ ...scope })
    : SELECT.from('restock.Sources').columns('ID as source')
  const rows = (await query) as { source: number }[]
  return rows.map(({ source }) => source)
}
