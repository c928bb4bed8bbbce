// Why an item is ordered or not, with the chart and the sum of an item that is not.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { sentenceOf } from '../../../base/texts/sentences.ts'
import { message } from '../../../base/texts/texts.ts'
import {
  cleaningOfPair,
  explainItems,
  findItem,
  formulaOf,
  type Item,
  outlookOfPair,
} from '../../../domain/proposals/index.ts'
import { addNames } from '../computed-elements.ts'
import { pastWeeksOf, showCalculation, showCleanedDays, showOutlook } from '../explain.ts'
import { codeAndName } from '../../../base/texts/codes.ts'

/** Registers the handlers of srv/doors/buyer/model/items.cds. */
export function handleItems(service: cds.ApplicationService) {
  service.on('outlook', 'Items', async (req: Request) => {
    const outlook = await outlookOfPair(await visibleItem(service, req), pastWeeksOf(req))
    return outlook ? showOutlook(outlook, 0) : []
  })
  service.on('cleaning', 'Items', async (req: Request) =>
    showCleanedDays((await cleaningOfPair(await visibleItem(service, req))).days),
  )
  service.on('calculation', 'Items', async (req: Request) => {
    const { calculation } = await findItem(await visibleItem(service, req))
    return calculation ? showCalculation(calculation, formulaOf(calculation), null) : []
  })
}

interface Row {
  ID?: number
  source?: number
  sku?: string
  location?: string
  skuName?: string | null
  skuText?: string
  locationName?: string | null
  locationText?: string
}

/** Elements that a row has as it is read; all others are explained. */
const PLAIN = [
  ...['ID', 'source', 'sku', 'location', 'skuName', 'skuText'],
  ...['unit', 'locationName', 'locationText'],
]

/** @param requested elements; undefined for all */
export async function showItems(rows: Row[], requested: Set<string> | undefined) {
  await addNames(rows, requested)
  for (const row of rows) {
    if (row.sku) row.skuText = codeAndName(row.sku, row.skuName)
    if (row.location) row.locationText = codeAndName(row.location, row.locationName)
  }
  const isExplained = !requested || [...requested].some((name) => !PLAIN.includes(name))
  if (!isExplained) return
  const IDs = rows.flatMap(({ ID }) => (ID === undefined ? [] : Number(ID)))
  const items = new Map((await explainItems(IDs)).map((item) => [item.ID, item]))
  for (const row of rows) {
    const item = items.get(Number(row.ID))
    if (item) Object.assign(row, toElements(item))
  }
}

const toElements = ({ state, why, change, proposal, ...item }: Item) => ({
  stateText: message(`item_state_${state}`),
  criticality: CRITICALITY[state] ?? 0,
  why: sentenceOf(why),
  change: change && sentenceOf(change),
  proposal,
  proposalText: proposal && `prop_${proposal}`,
  proposalHref: proposal && `#/Proposals(${proposal})`,
  ...{ onHand: item.onHand, leadTimeDays: item.leadTimeDays },
  ...{ enoughUntil: item.enoughUntil, orderAbout: item.orderAbout },
})

/** The colours of the list. */
const CRITICALITY: Partial<Record<Item['state'], number>> = {
  ...{ blocked: 2, limit: 2, rejected: 2, enough: 3, can_wait: 3 },
}

/** The number of the item in the path of a request. @throws 404 where the user may not see it */
async function visibleItem(service: cds.ApplicationService, req: Request): Promise<number> {
  const [first] = req.params as (number | { ID: number })[]
  const ID = Number(typeof first === 'object' ? first.ID : first)
  const row: unknown = await service.run(
    SELECT.one.from('BuyerService.Items').columns('ID').where({ ID }),
  )
  if (row) return ID
  throw Object.assign(new Error(message('item_not_found')), { code: 'not_found', status: 404 })
}
