// Answers that only a sync changes, by what the user sees. What is kept are values: whoever holds SQLite's one connection
// must not wait for another's read.
import { LRUCache } from 'lru-cache'
import type { Predicate } from '../../authority/index.ts'
import { readAs, Syncs } from '../../store/entities.ts'
import { today } from '../../store/today.ts'

const KEPT_MS = 600_000

const kept = new LRUCache<string, object>({ max: 200, ttl: KEPT_MS })

export async function keptUntilSync<T extends object>(
  name: string,
  visible: Predicate | null,
  read: () => Promise<T>,
): Promise<T> {
  const [last] = await readAs<{ ID: number; finishedAt: string }>(
    SELECT.from(Syncs)
      .columns('max(finishedAt) as finishedAt', 'count(*) as ID')
      .where({ finishedAt: { '!=': null } }) as never,
  )
  const key = JSON.stringify([name, visible, last, today()])
  const known = kept.get(key) as T | undefined
  if (known) return known
  const found = await read()
  kept.set(key, found)
  return found
}
