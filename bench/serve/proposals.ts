// proposals.ts COUNT: copies the proposals in the database `BENCH_DATABASE` until there are COUNT.
import { openCopier } from './databases.ts'

const STATUSES = ['pending', 'approved', 'rejected', 'superseded', 'expired', 'ordered']

const wanted = Number(process.argv[2])
const { run, columns, dayAfter, close } = await openCopier()
const values: Record<string, string> = {
  id: '1000000 + n.i',
  openkey: 'null',
  status: `case n.i % ${STATUSES.length} ${STATUSES.map((status, at) => `when ${at} then '${status}'`).join(' ')} end`,
  urgencyrank: 'n.i % 4',
  value: '(cast(n.i as bigint) * 7919 % 1000003) / 100.0',
  sku: `p.sku || '-' || (n.i % 5000)`,
  orderby: dayAfter('n.i % 90'),
}
const names = await columns('restock_Proposals')
const [found] = await run('select min(ID) as least, count(*) as many from restock_Proposals')
const [least, many] = [Number(found!.least), Number(found!.many)]
await run(`
  insert into restock_Proposals (${names.join(', ')})
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${wanted - many})
  select ${names.map((name) => values[name.toLowerCase()] ?? `p.${name}`).join(', ')}
  from n join restock_Proposals p on p.ID = ${least} + n.i % ${many}`)
await run('analyze')
await close()
