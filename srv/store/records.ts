import cds from '@sap/cds'
import type { AnyRecord, RecordKind } from '../../adapters/records.ts'
import type { DeletionGuard } from './deletion-guard.ts'
import { guardDeletion } from './deletion-guard.ts'
import { type Marked, markForProposal } from './proposal-marks.ts'
import { TABLES } from './tables.ts'
import { sameValues, type Written } from './written.ts'

const { DELETE, SELECT, UPDATE, UPSERT } = cds.ql

/** What decides about proposals; each row has a SKU, and a location but where it is a SKU's. */
const DECIDING: readonly RecordKind[] = ['skus', 'planning', 'stock', 'openOrders']

type Kind = Exclude<RecordKind, 'demand'>
type Row = Record<string, unknown>

async function visibleGeneration(source: number, record: Kind): Promise<number | null> {
  const row = await SELECT.one
    .from('restock.Snapshots')
    .columns('generation')
    .where({ source_ID: source, record })
  return row?.generation ?? null
}

/** Upserts records by their natural key, stamped with the read that saw them. */
export async function writeRecords(
  source: number,
  kind: Kind,
  read: number,
  { records, deleted: keys = [] }: { records: AnyRecord[]; deleted?: Row[] },
): Promise<Written & { deleted: number }> {
  const deleted = await deleteRecords(source, kind, keys)
  if (!records.length) return { upserted: 0, unchanged: 0, deleted }
  const { entity, key, values, generations } = TABLES[kind]
  const rows = records as unknown as Row[]
  const keyOf = (row: Row) => JSON.stringify(key.map((column) => row[column]))
  const [first] = key as [string]
  const where: Row = {
    source_ID: source,
    [first]: { in: [...new Set(rows.map((row) => row[first]))] },
  }
  if (generations) where.generation = await visibleGeneration(source, kind)
  const stored = new Map<string, Row>()
  for (const row of await SELECT.from(entity)
    .columns(...key, ...values)
    .where(where)) {
    stored.set(keyOf(row), row)
  }
  const isUnchanged = (row: Row) => {
    const before = stored.get(keyOf(row))
    return before !== undefined && sameValues(before, row, values)
  }
  const changed = rows.filter((row) => !isUnchanged(row))
  const unchanged = rows.length - changed.length
  if (DECIDING.includes(kind)) {
    const before = changed.map((row) => stored.get(keyOf(row))).filter((row) => row !== undefined)
    await markForProposal(source, [...changed, ...before] as unknown as Marked[])
  }
  const stamp = generations ? { generation: read } : { seenIn: read }
  await UPSERT.into(entity).entries(rows.map((row) => ({ source_ID: source, ...stamp, ...row })))
  return { upserted: rows.length - unchanged, unchanged, deleted }
}

/** Deletes what the ERP says is gone. @returns the number of rows that were there */
async function deleteRecords(source: number, kind: Kind, keys: Row[]): Promise<number> {
  let deleted = 0
  for (const key of keys) {
    const where = { source_ID: source, ...key }
    await markGone(source, kind, where)
    deleted += await DELETE.from(TABLES[kind].entity).where(where)
  }
  return deleted
}

/** What is about to be deleted no longer decides about its pairs. */
async function markGone(source: number, kind: Kind, where: Row) {
  if (!DECIDING.includes(kind)) return
  const columns = kind === 'skus' ? ['sku'] : ['sku', 'location']
  const rows = await SELECT.from(TABLES[kind].entity)
    .columns(...columns)
    .where(where)
  await markForProposal(source, rows as Marked[])
}

/**
 * Ends a whole read: what it did not see is deleted, and a new generation becomes visible.
 * @returns the number of rows that are gone
 * @throws DeletionWithheld when suspiciously many would go; then nothing has changed
 */
export async function finishRead(
  source: number,
  kind: Kind,
  read: number,
  guard: DeletionGuard,
): Promise<number> {
  const { entity, key, generations } = TABLES[kind]
  if (!generations) {
    const gone = { source_ID: source, seenIn: { '!=': read } }
    await guardDeletion(entity, { source_ID: source }, gone, guard)
    await markGone(source, kind, gone)
    return await DELETE.from(entity).where(gone)
  }
  const before = await visibleGeneration(source, kind)
  const rowsOf = async (generation: number): Promise<Row[]> =>
    await SELECT.from(entity)
      .columns(...new Set([...key, 'sku', 'location']))
      .where({ source_ID: source, generation })
  const keyOf = (row: Row) => JSON.stringify(key.map((column) => row[column]))
  const now = new Set((await rowsOf(read)).map(keyOf))
  const gone = before === null ? [] : (await rowsOf(before)).filter((row) => !now.has(keyOf(row)))
  await markForProposal(source, gone as unknown as Marked[])
  await UPSERT.into('restock.Snapshots').entries({
    source_ID: source,
    record: kind,
    generation: read,
  })
  await DELETE.from(entity).where({ source_ID: source, generation: { '!=': read } })
  return gone.length
}

/** Rows of a read that was broken off, never seen by anybody. */
export async function discardRead(source: number, kind: Kind) {
  if (!TABLES[kind].generations) return
  const visible = await visibleGeneration(source, kind)
  await DELETE.from(TABLES[kind].entity).where({
    source_ID: source,
    generation: { '!=': visible ?? -1 },
  })
}

/** Removes all that was read from a source, e.g. when its connection is deleted. */
export async function removeRecords(source: number) {
  for (const { entity } of Object.values(TABLES))
    await DELETE.from(entity).where({ source_ID: source })
  await DELETE.from('restock.Snapshots').where({ source_ID: source })
  await DELETE.from('restock.StreamStates').where({ source_ID: source })
  await DELETE.from('restock.Learnt').where({ source_ID: source })
  await DELETE.from('restock.QuarantinedRows').where({ source_ID: source })
  await UPDATE.entity('restock.Sources').set({ dataAsOf: null }).where({ ID: source })
}
