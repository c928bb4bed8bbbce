// A supplier's order as one page of the app, and the supplier's scorecard as another.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import { z } from 'zod'
import type { OrderGoal } from '../../../engine/proposal/index.ts'
import { validate } from '../../base/input.ts'
import { type Facts, sentenceOf } from '../../base/texts/sentences.ts'
import { codeNames, message, writtenPrice } from '../../base/texts/texts.ts'
import { mayApprove } from '../../base/roles.ts'
import {
  listOpenOrders,
  type OrderSuggestion,
  scorecardOfSupplier,
  supplierOrderOf,
  type WorkbenchLine,
} from '../../domain/proposals/index.ts'
import { rejectParameter } from './refusals.ts'
import { parseSelection, toChosen } from './decide-many.ts'
import { withSupplierNames } from './computed-elements.ts'
import { formatMoney } from './supplier-orders.ts'

interface OrderInput {
  source: number
  supplier: string
  location?: string | null
  currency?: string | null
  chosen?: string | null
  /** A decimal number or string. */
  budget?: string | number | null
}

/** Registers the handlers of srv/doors/buyer/model/workbench.cds and scorecard.cds. */
export function handleWorkbench(service: cds.ApplicationService) {
  service.on('openOrders', async () => withSupplierNames(await listOpenOrders()))
  service.on('supplierOrder', (req: Request<OrderInput>) => readOrder(service, req))
  service.on('scorecard', readScorecard)
}

const ScorecardInput = z.object({ source: z.int(), supplier: z.string().min(1) })

async function readScorecard({ data }: Request) {
  const { source, supplier } = validate(ScorecardInput, data)
  const [named] = await withSupplierNames([await scorecardOfSupplier(source, supplier)])
  return named
}

async function readOrder(service: cds.ApplicationService, req: Request<OrderInput>) {
  const { chosen: text, budget, ...key } = req.data
  if (budget != null && !(Number(budget) > 0))
    return rejectParameter(req, 'budget', message('budget_invalid'))
  const chosen = text == null ? null : text ? parseSelection(req, text).map(toChosen) : []
  const { goals, suggestions, lines, ...order } = await supplierOrderOf({
    ...{ ...key, chosen, budget: budget == null ? null : String(budget) },
  })
  const shown = await toLines(service, lines, order.currency)
  const [named] = await withSupplierNames([order])
  const refused = shown.filter(({ refusal }) => refusal)
  return {
    ...named,
    value: order.value.toFixed(2),
    valueAtRisk: order.valueAtRisk.toFixed(2),
    leftAtRisk: order.leftAtRisk.toFixed(2),
    lines: shown,
    goals: goals.map((goal) => toGoal(goal, order.currency)),
    suggestions: suggestions.map((each) => toSuggestion(each, order.currency)),
    mayDecide: mayApprove(),
    second: shown.filter(({ approval }) => approval === 'first').length,
    refused: refused.length,
    refusal: refused[0]?.refusal ?? null,
    approvers: order.approvers.join(', '),
  }
}

interface Stored {
  ID: number
  quantity: number | string
}

const SHOWN = [
  ...['ID', 'number', 'version', 'source', 'sku', 'location', 'urgency', 'orderBy'],
  'isDueToday',
  ...['daysOfSupply', 'reviewPeriodDays', 'moq', 'lotSize', 'calculatedQuantity', 'quantity'],
  ...['skuName', 'unit', 'locationName'],
]

/** The proposals of these lines that the user sees, in the same order. */
async function toLines(
  service: cds.ApplicationService,
  lines: WorkbenchLine[],
  currency: string | null,
) {
  if (!lines.length) return []
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns(...SHOWN)
      .where({ ID: { in: lines.map(({ ID }) => ID) } }),
  )) as (Stored & { urgency: string })[]
  const nameOf = await codeNames('Urgencies')
  const byID = new Map(rows.map((row) => [row.ID, row]))
  return lines.flatMap(({ breakFrom, breakCost, refusal, ...line }) => {
    const row = byID.get(line.ID)
    if (!row) return []
    const price = breakCost && `${writtenPrice(Number(breakCost))} ${currency ?? ''}`.trim()
    return {
      ...row,
      proposedQuantity: row.quantity,
      ...line,
      ...{ urgencyText: nameOf(row.urgency), criticality: CRITICALITY[row.urgency] ?? 0 },
      breakText: price ? message('workbench_break', { from: Number(breakFrom), price }) : null,
      refusal: refusal && sentenceOf(JSON.parse(refusal) as Facts),
    }
  })
}

/** The colours of the list. */
const CRITICALITY: Record<string, number> = {
  ...{ stocked_out: 1, stockout_before_arrival: 1, due: 2 },
}

function toGoal(goal: OrderGoal, currency: string | null) {
  const { kind, required, reached, missing, containers } = goal
  const write = writerOf(kind, currency)
  const args = {
    ...{ required: write(required), reached: write(reached), missing: write(missing) },
    containers: containers ?? 0,
  }
  const isReached = missing === 0
  return {
    ...{ kind, isReached, percent: Math.min(100, Math.floor((100 * reached) / required)) },
    name: message(`workbench_${kind}`, args),
    text: message(isReached ? 'workbench_reached' : 'workbench_missing', args),
  }
}

/** Writes an amount as money or as units. */
const writerOf = (kind: string, currency: string | null) => (amount: number) =>
  kind === 'minimum_value' || kind === 'free_freight'
    ? formatMoney(amount, currency)
    : message('workbench_units', { units: Math.round(amount) })

function toSuggestion(suggestion: OrderSuggestion, currency: string | null) {
  const { action, why, lines, value, valueAtRisk, saving, isEnough } = suggestion
  const args = {
    count: message(lines.length === 1 ? 'workbench_line' : 'workbench_lines', {
      count: lines.length,
    }),
    value: formatMoney(value, currency),
    risk: formatMoney(valueAtRisk, currency),
    saving: formatMoney(saving ?? 0, currency),
  }
  const text = message(`workbench_${action}_${why}`, args)
  const short = isEnough ? '' : ` ${message('workbench_not_enough')}`
  return { action, text: text + short, proposals: lines.join(',') }
}
