// The former decisions about a proposal's SKU and location.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { addCondition, innermostQuery } from '../cap/query.ts'

/** CAP asks of each decision ever made whether it belongs to the proposal; here they are found by their series. */
export async function findBySeries(service: cds.ApplicationService, { query }: Request) {
  const { from } = innermostQuery(query).SELECT ?? {}
  const [first, way] = from?.ref ?? []
  if (way !== 'similar') return
  const proposal = (await service.run(
    SELECT.one.from({ ref: [first] } as never).columns('ID', 'series'),
  )) as { ID: number; series: number } | null
  from!.ref = ['BuyerService.Decisions']
  const { ID = null, series = null } = proposal ?? {}
  const others = [
    { ref: ['series'] },
    '=',
    { val: series },
    'and',
    { ref: ['ID'] },
    '!=',
    { val: ID },
  ]
  addCondition(innermostQuery(query), { xpr: others })
}
