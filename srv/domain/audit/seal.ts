import { setImmediate as others } from 'node:timers/promises'
import cds from '@sap/cds'
import { Worker } from '../../base/work/worker.ts'
import { noteHead } from './anchor.ts'
import { type Entry, hashAfter, toEntry, type Trail, TRAILS } from './entries.ts'
import { lockHead, moveHead, prepareHead } from './head.ts'

type Place = Pick<Entry, 'ID' | 'seq' | 'previousHash' | 'hash'>

// CAP's UPSERT writes every column, which the service's own database user may not (srv/base/database/grants.ts).
const STATEMENTS: Record<string, (table: string) => string> = {
  sqlite: (table) => `UPDATE ${table} AS e SET seq = n.value ->> 'seq',
    previousHash = n.value ->> 'previousHash', hash = n.value ->> 'hash'
    FROM json_each(?) AS n WHERE e.ID = n.value ->> 'ID'`,
  postgres: (table) => `UPDATE ${table} AS e SET seq = (n ->> 'seq')::integer,
    previousHash = n ->> 'previousHash', hash = n ->> 'hash'
    FROM json_array_elements($1::json) AS n WHERE e.ID = n ->> 'ID'`,
}

/** Gives entries of one trail their places. */
export async function placeEntries({ entity }: Trail, entries: Entry[]) {
  if (!entries.length) return
  const places = entries.map(({ ID, seq, previousHash, hash }): Place => {
    return { ID, seq, previousHash, hash }
  })
  const statement = STATEMENTS[cds.db.kind]?.(entity.replaceAll('.', '_'))
  await (statement
    ? cds.run(statement, [JSON.stringify(places)])
    : UPSERT.into(entity).entries(places))
}

/** Entries that are sealed in one transaction: so long, and no longer, others wait for their turn. */
const BATCH = 1000

/**
 * Gives every entry that was committed meanwhile its place in the chain, by time. Instances take
 * turns: the head is locked while a batch is sealed.
 * @returns the number of entries sealed
 */
export async function sealEntries(): Promise<number> {
  for (let sealed = 0, isPrepared = false; ; isPrepared = true) {
    if (!(await isAnyWaiting())) return sealed
    if (!isPrepared) await prepareHead()
    const { head, count } = await cds.tx(sealBatch)
    noteHead(head)
    sealed += count
    await others()
  }
}

async function isAnyWaiting(): Promise<boolean> {
  for (const { entity } of TRAILS) {
    if (await SELECT.one.from(entity).columns('ID').where({ seq: null })) return true
  }
  return false
}

async function sealBatch() {
  const head = await lockHead()
  const entries = await nextEntries()
  let [seq, hash] = [head.seq, head.hash]
  for (const entry of entries) {
    entry.previousHash = hash
    entry.hash = hash = hashAfter(hash, entry)
    entry.seq = ++seq
  }
  for (const trail of TRAILS) {
    await placeEntries(
      trail,
      entries.filter((entry) => entry.trail === trail),
    )
  }
  const count = entries.length
  return { count, head: count ? await moveHead(head, { seq, hash }) : head }
}

async function nextEntries(): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const trail of TRAILS) {
    const rows = await SELECT.from(trail.entity)
      .where({ seq: null })
      .orderBy('at', 'ID')
      .limit(BATCH)
    entries.push(...rows.map((row) => toEntry(trail, row)))
  }
  const byTime = (a: Entry, b: Entry) =>
    a.at === b.at ? (a.ID < b.ID ? -1 : 1) : a.at < b.at ? -1 : 1
  return entries.sort(byTime).slice(0, BATCH)
}

/** Gives what was committed its place in the chain. */
export const sealWorker = new Worker({
  name: 'audit',
  every: 2_000,
  isVital: true,
  // After a large run many entries wait.
  deadlineSeconds: 600,
  work: sealEntries,
})
