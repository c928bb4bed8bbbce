// Upgrades a database of a former version: the file before the deployment, its rows after it. Each step may be
// killed anywhere and be done again.
import cds from '@sap/cds'
import { forgetTasks } from '../cap/queue.ts'
import { ApiKeys } from '../store/entities.ts'
import { DROPPED_CODES, DROPPED_EVENTS, JOINED_COLUMNS } from './steps.ts'
import { addMissingKeys } from './unique-keys.ts'

export { addMissingKeys }
export { dropFromFile } from './sqlite-file.ts'

/** After the deployment and before anything is served. */
export async function upgradeRows() {
  await addMissingKeys()
  await convertJoinedColumns()
  await shortenKeys()
  for (const [list, code] of DROPPED_CODES) {
    await DELETE.from(list).where({ code })
    await DELETE.from(`${list}.texts`).where({ code })
  }
  for (const { service, event } of DROPPED_EVENTS) await forgetTasks(service, event)
}

/** Keys live a year at most: those that were issued for longer end a year from now. */
async function shortenKeys() {
  const now = new Date()
  const aYearOn = new Date(now.setUTCFullYear(now.getUTCFullYear() + 1)).toISOString()
  await UPDATE.entity(ApiKeys)
    .set({ expiresAt: aYearOn })
    .where({ expiresAt: { '>': aYearOn } })
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
