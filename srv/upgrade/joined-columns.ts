import cds from '@sap/cds'
import { JOINED_COLUMNS } from './steps.ts'

/** Makes `["a","b"]` of `a,b`. A list that is JSON already begins with a bracket and is left alone. */
export async function convertJoinedColumns() {
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
