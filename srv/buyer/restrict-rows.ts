// Restricts lists, counts and value helps of the app to the rows that the user may see.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { type Predicate, rowsOf, visiblePlannedEvents, visibleTo } from '../authority/index.ts'
import { addCondition, innermostQuery } from '../cap/query.ts'

type Restriction = (user: Request['user']) => Promise<object | null>

/** Of entities with `sku`, `location` and `source`. */
const ofOwnRow: Restriction = (user) => visibleTo(user, 'source')

/** Of all others, by the proposals that they belong to. */
function ofVisibleProposals(column: string, of: string): Restriction {
  const within = (visible: Predicate) => ({
    xpr: [{ ref: [column] }, 'in', SELECT.from('restock.Proposals').columns(of).where(visible)],
  })
  return async (user) => {
    const visible = await visibleTo(user)
    return visible && within(visible)
  }
}

/** Groups of SKUs with proposals that the user sees. */
const ofVisibleSkus: Restriction = async (user) => {
  const skus = await ofVisibleProposals('sku', 'sku')(user)
  return (
    skus && {
      xpr: [
        { ref: ['skuGroup'] },
        'in',
        SELECT.from('restock.Skus').columns('skuGroup').where(skus),
      ],
    }
  )
}

const RESTRICTIONS: Record<string, Restriction> = {
  'BuyerService.Proposals': ofOwnRow,
  'BuyerService.Decisions': ofOwnRow,
  'BuyerService.Blocked': ofOwnRow,
  'BuyerService.Exceptions': ofOwnRow,
  'BuyerService.ForecastOverrides': (user) => Promise.resolve(visiblePlannedEvents(user)),
  'BuyerService.Events': ofVisibleProposals('proposal', 'ID'),
  'BuyerService.Skus': ofVisibleProposals('sku', 'sku'),
  'BuyerService.SkuGroups': ofVisibleSkus,
  'BuyerService.Locations': ofVisibleProposals('location', 'location'),
  'BuyerService.Suppliers': ofVisibleProposals('supplier', 'supplier'),
}

export const RESTRICTED_ENTITIES = Object.keys(RESTRICTIONS).map((name) => name.split('.')[1]!)

export async function restrictRows({ query, target, user }: Request) {
  const condition = await RESTRICTIONS[target?.name ?? '']?.(user)
  if (condition) addCondition(innermostQuery(query), condition)
}

/** Nothing is read by way of a row that the user does not see, not even the name of its status. @throws 404 */
export async function refuseUnseenWay(service: cds.ApplicationService, req: Request) {
  const [first, ...rest] = innermostQuery(req.query).SELECT?.from?.ref ?? []
  if (!rest.length || !rowsOf(req.user)) return
  if (!((first as { id?: string }).id! in RESTRICTIONS)) return
  const row: unknown = await service.run(SELECT.one.from({ ref: [first] } as never))
  if (!row) req.reject(404)
}
