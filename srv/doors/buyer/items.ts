// Why an item is ordered or not, with the chart and the sum of an item that is not.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import type { Exception } from '#cds-models/BuyerService'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { mayApprove } from '../../base/roles.ts'
import { codeAndName } from '../../base/texts/codes.ts'
import { type Facts, sentenceOf } from '../../base/texts/sentences.ts'
import { hasMessage, message, writtenDay } from '../../base/texts/texts.ts'
import {
  cleaningOfPair,
  explainItems,
  findItem,
  formulaOf,
  type Item,
  outlookOfPair,
  settleException as settle,
} from '../../domain/proposals/index.ts'
import { addNames } from './computed-elements.ts'
import { pastWeeksOf, showCalculation, showCleanedDays, showOutlook } from './explain.ts'
import { proposalIdOf as numberIn } from './visible-proposal.ts'

/** Registers the handlers of srv/doors/buyer/model/explore.cds. */
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

// Exceptions, which no order can solve, as the app shows and settles them.

type ShownException = Partial<Exception>

/** Settles the exception that the request is bound to. @returns its number */
export async function settleException(req: Request): Promise<number> {
  const ID = Number(numberIn(req))
  const { comment } = req.data as { comment?: string | null }
  try {
    await settle({ ID, comment: comment || null })
  } catch (error) {
    throw isRefusal(error) ? toODataError(error, textOfRefusal(error)) : error
  }
  return ID
}

function textOfRefusal({ code, message: text }: Refusal) {
  const key = code === 'not_found' ? 'exception_not_found' : code
  return code !== 'approval_limit_exceeded' && hasMessage(key) ? message(key) : text
}

export function showExceptions(rows: ShownException[]) {
  const isDecider = mayApprove()
  for (const row of rows) {
    if ('message' in row) row.message = textOf(row)
    if ('sku' in row) row.skuText = row.sku ? codeAndName(row.sku, row.skuName) : null
    if ('supplier' in row)
      row.supplierText = row.supplier ? codeAndName(row.supplier, row.supplierName) : null
    if ('settledAt' in row) row.canSettle = isDecider && row.settledAt === null
  }
}

/** The sentence in the language of the user; as it was stored if the ERP's order has no number. */
function textOf(row: ShownException) {
  const { kind, quantity, document, promisedOn, wantedOn, facts } = row
  if (facts) return sentenceOf(JSON.parse(facts) as Facts)
  const isUndated = kind === 'expedite' && promisedOn === null
  const key = isUndated ? 'exception_expedite_undated' : `exception_${kind}`
  const hasText = hasMessage(key) && (document || (promisedOn === null && !isUndated))
  if (!hasText || quantity === undefined) return row.message
  return message(key, {
    ...{ quantity, document },
    ...{ promisedOn: writtenDay(promisedOn), wantedOn: writtenDay(wantedOn) },
  })
}
