import cds from '@sap/cds'
import { Refusal } from '../errors.ts'

const { SELECT } = cds.ql

type Row = Record<string, unknown>

const parsed = (json: unknown) => JSON.parse(String(json ?? '[]')) as string[]

async function toSource(row: Row) {
  const last = await SELECT.one
    .from('restock.Syncs')
    .columns('ID', 'status', 'finishedAt')
    .where({ source_ID: row.ID })
    .orderBy('ID desc')
  const { ID, type, account, role, baseUrl, status, createdAt, dataAsOf } = row
  return {
    ...{ ID, type, account, role, baseUrl, status, createdAt, dataAsOf },
    neededRights: parsed(row.neededRights),
    grantedRights: parsed(row.grantedRights),
    lastSync: last ?? null,
    authorizationUrl: null,
    consentExpiresAt: null,
  }
}

export async function readSource(ID: number) {
  const row = await SELECT.one.from('restock.Sources').where({ ID })
  if (!row) throw new Refusal('source_not_found', `There is no source src_${ID}.`)
  return await toSource(row)
}

/** Newest first; `after` is the last ID seen. */
export async function listSources({ after, limit }: { after?: string | null; limit: number }) {
  const rows: Row[] = await SELECT.from('restock.Sources')
    .where(after ? { ID: { '<': Number(after) } } : {})
    .orderBy('ID desc')
    .limit(limit + 1)
  const data = []
  for (const row of rows.slice(0, limit)) data.push(await toSource(row))
  return { data, next: rows.length > limit ? String(data.at(-1)!.ID) : null }
}
