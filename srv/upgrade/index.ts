// Upgrades a database of a former version: the file before the deployment, its rows after it. Each step may be
// killed anywhere and be done again.
import cds from '@sap/cds'
import { type AnyEntity, ApiKeys, Sources } from '../store/entities.ts'
import { DEFAULT_PRECEDENCE } from '../store/leads.ts'
import { DROPPED_CODES, DROPPED_QUEUES, JOINED_COLUMNS } from './steps.ts'
import { addMissingKeys } from './unique-keys.ts'

export { addMissingKeys }
export { dropFromFile } from './sqlite-file.ts'

/** CAP brings the entity, and no type of it. */
const MESSAGES = 'cds.outbox.Messages' as AnyEntity

/** After the deployment and before anything is served. */
export async function upgradeRows() {
  await addMissingKeys()
  await convertJoinedColumns()
  await shortenKeys()
  await setPrecedence()
  for (const [list, code] of DROPPED_CODES) {
    await DELETE.from(list).where({ code })
    await DELETE.from(`${list}.texts`).where({ code })
  }
  for (const target of DROPPED_QUEUES) await DELETE.from(MESSAGES).where({ target })
}

/** Keys live a year at most: those that were issued for longer end a year from now. */
async function shortenKeys() {
  const now = new Date()
  const aYearOn = new Date(now.setUTCFullYear(now.getUTCFullYear() + 1)).toISOString()
  await UPDATE.entity(ApiKeys)
    .set({ expiresAt: aYearOn })
    .where({ expiresAt: { '>': aYearOn } })
}

/**
 * Sources from before there was a precedence get the usual one. Of that time is also the default of sending no PKCE,
 * which stands in the options of each: from now on it is sent.
 */
async function setPrecedence() {
  const rows = await SELECT.from(Sources).columns('ID', 'options').where({ precedence: null })
  for (const { ID, options } of rows) {
    const parsed = JSON.parse(options ?? '{}') as { pkce?: boolean }
    const changed = parsed.pkce === false ? { ...parsed, pkce: true } : parsed
    await UPDATE.entity(Sources)
      .set({ precedence: DEFAULT_PRECEDENCE, options: options && JSON.stringify(changed) })
      .where({ ID })
  }
}

/** Makes `["a","b"]` of `a,b`. A list that is JSON already begins with a bracket and is left alone. */
async function convertJoinedColumns() {
  for (const { table, column, of } of JOINED_COLUMNS) {
    const list =
      of === 'numbers'
        ? `'[' || ${column} || ']'`
        : `'["' || replace(${column}, ',', '","') || '"]'`
    await cds.tx(() =>
      cds.run(
        `UPDATE ${table} SET ${column} = CASE WHEN length(${column}) = 0 THEN '[]' ELSE ${list} END
         WHERE ${column} NOT LIKE '[%'`,
      ),
    )
  }
}
