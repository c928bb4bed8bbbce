// proposals.ts FILE COUNT: copies the proposals in a SQLite database until there are so many.
import { DatabaseSync } from 'node:sqlite'

const STATUSES = ['pending', 'approved', 'rejected', 'superseded', 'expired', 'ordered']

const [file, count] = [process.argv[2]!, Number(process.argv[3])]
const db = new DatabaseSync(file, { timeout: 60_000 })
const columns = db
  .prepare(`select name from pragma_table_info('restock_Proposals')`)
  .all()
  .map(({ name }) => String(name))
const values: Record<string, string> = {
  ID: '1000000 + n.i',
  openKey: 'null',
  status: `case n.i % ${STATUSES.length} ${STATUSES.map((status, at) => `when ${at} then '${status}'`).join(' ')} end`,
  urgencyRank: 'n.i % 4',
  value: '(n.i * 7919 % 1000003) / 100.0',
  sku: `p.sku || '-' || (n.i % 5000)`,
  orderBy: `date('2026-11-01', '+' || (n.i % 90) || ' days')`,
}
const [{ least, many }] = db
  .prepare('select min(ID) as least, count(*) as many from restock_Proposals')
  .all() as [{ least: number; many: number }]
db.exec(`
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count - many})
  insert into restock_Proposals (${columns.join(', ')})
  select ${columns.map((column) => values[column] ?? `p.${column}`).join(', ')}
  from n join restock_Proposals p on p.ID = ${least} + n.i % ${many}`)
db.exec('analyze')
db.close()
