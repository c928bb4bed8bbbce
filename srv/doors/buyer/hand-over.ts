// Files of the app: approved lines for the ERP's own import, and quantities changed in the exported list.
import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import type { OrderGoal } from '../../../engine/proposal/index.ts'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { validate } from '../../base/input.ts'
import { mayApprove } from '../../base/roles.ts'
import { type Facts, sentenceOf } from '../../base/texts/sentences.ts'
import {
  codeNames,
  hasMessage,
  message,
  written,
  writtenDay,
  writtenPrice,
} from '../../base/texts/texts.ts'
import {
  type CallOff,
  fileOfHandOver,
  handOver,
  initialStatus,
  listOpenOrders,
  type OrderSuggestion,
  readEditedFile,
  scorecardOfSupplier,
  supplierOrderOf,
  TAKEN_BEFORE,
  type ValueContract,
  withCallOffs,
  withOrderUnits,
  type WorkbenchLine,
} from '../../domain/proposals/index.ts'
import { type ShownProposal, withSupplierNames } from './computed-elements.ts'
import { parseSelection, toChosen } from './decide.ts'
import { formatMoney } from './supplier-orders.ts'
import { numbersIn, rejectParameter } from './visible-proposal.ts'

interface Input {
  proposals?: string | null
  perSupplier?: boolean | null
  takenBefore?: string | null
}

const MOST = 1_000

export function handleHandOver(service: cds.ApplicationService) {
  service.on('handOver', (req: Request<Input>) => take(req))
  service.on('readEdits', (req: Request<{ file?: string | null }>) => readEdits(service, req))
  service.on('openOrders', async () => withSupplierNames(await listOpenOrders()))
  service.on('supplierOrder', (req: Request<OrderInput>) => readOrder(service, req))
  service.on('scorecard', readScorecard)
}

interface EditedProposal {
  ID: number
  version: number
  status: string
  quantity: number | string
}

const EDITED = [
  ...['ID', 'number', 'version', 'status', 'sku', 'skuName', 'location', 'quantity'],
  ...['moq', 'lotSize', 'calculatedQuantity'],
]

/** What a file would change. Nothing is changed, and nothing approved. */
async function readEdits(service: cds.ApplicationService, req: Request<{ file?: string | null }>) {
  const named = (key: string) =>
    ['en', 'de'].map((language) => (cds.i18n.labels.at(key, language) ?? key).toLowerCase())
  try {
    const columns = { quantity: named('quantity'), version: named('version') }
    const rows = await readEditedFile(Buffer.from(req.data.file ?? '', 'base64'), columns)
    const known = (await service.run(
      SELECT.from('BuyerService.Proposals')
        .columns(...EDITED)
        .where({ ID: { in: rows.map(({ ID }) => ID) } }),
    )) as EditedProposal[]
    const byID = new Map(known.map((row) => [Number(row.ID), row]))
    const edits = rows.flatMap(({ ID, version, quantity }) => {
      const now = byID.get(ID)
      if (now && quantity === String(now.quantity)) return []
      return {
        ...{ number: `prop_${ID}`, ...now, ID, before: now?.quantity ?? null, quantity },
        fault: faultOf(now, version),
      }
    })
    return { unchanged: rows.length - edits.length, edits }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { key, args } = error.options.sentence!
    return rejectParameter(req, 'file', message(key, args))
  }
}

/** Why a row of the file does not count; null where it does. */
function faultOf(now: EditedProposal | undefined, version: number | null): string | null {
  if (!now) return message('proposal_not_found')
  if (now.status !== initialStatus()) return message('edits_decided')
  if (version === null) return message('edits_no_version')
  return version === Number(now.version) ? null : message('edits_changed')
}

async function take(req: Request<Input>) {
  const { proposals: text, perSupplier, takenBefore: given } = req.data
  const proposals = numbersIn(text)
  if (!proposals.length || proposals.length > MOST)
    return rejectParameter(req, 'proposals', message('handover_numbers_invalid', { most: MOST }))
  const takenBefore = TAKEN_BEFORE.find((each) => each === (given || 'refuse'))
  if (!takenBefore) return rejectParameter(req, 'takenBefore', TAKEN_BEFORE.join(', '))
  try {
    const taken = await handOver({ proposals, perSupplier: perSupplier ?? false, takenBefore })
    const files = []
    for (const { ID, lines } of taken) {
      const { bytes, name, type } = await fileOfHandOver(ID)
      const content = bytes.toString('base64')
      files.push({ number: `ho_${ID}`, fileName: name, mimeType: type, lines, content })
    }
    return files
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw toODataError(error, textOf(error))
  }
}

/** The quantity in the unit of the supplier, such as `2 CAR`; null where it is ordered in base units. */
export async function addOrderUnits(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (!requested?.has('orderedAs') || !rows.length) return
  const known = rows.map(({ source, sku, location, supplier, quantity, unitCost }) => ({
    ...{ source: Number(source), sku: sku!, location: location!, supplier: supplier ?? null },
    ...{ quantity: Number(quantity), unitCost: unitCost == null ? null : String(unitCost) },
  }))
  for (const [at, { orderUnits }] of (await withOrderUnits(known)).entries()) {
    const { orderUnit, orderQuantity } = orderUnits
    rows[at]!.orderedAs = orderUnit && `${written(Number(orderQuantity))} ${orderUnit}`
  }
}

/** The contract that the order is called off from, and what that has left for it; null where there is none. */
export async function addContracts(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (!requested?.has('contract') || !rows.length) return
  const known = rows.map(({ ID, kind, status, sku, location, source, supplier, quantity }) => ({
    ...{ ID: ID!, kind: kind!, status: status!, flag: null, source: Number(source) },
    ...{ sku: sku!, location: location!, supplier: supplier ?? null, quantity: Number(quantity) },
  }))
  for (const [at, { callOff, valueContract }] of (await withCallOffs(known)).entries())
    rows[at]!.contract = callOff
      ? contractText(callOff, rows[at]!)
      : valueContract && valueText(valueContract, rows[at]!)
}

/** `4600000012/10 · 12,400.00 of 50,000.00 EUR left · until 31 Jan 2027`. */
function valueText(contract: ValueContract, { currency }: ShownProposal): string {
  const { document, line, due, currency: own } = contract
  const [left, agreed] = [contract.remainingValue, contract.agreedValue].map((value) =>
    writtenPrice(Number(value)),
  )
  return [
    `${document}/${line}`,
    message('contract_value_left', { left, agreed, currency: own ?? currency ?? '' }),
    due && message('contract_until', { day: writtenDay(due) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** `4600000012/10 · 380 of 500 left · until 31 Jan 2027 · 2.10 EUR a unit · 20 of 400 are more than it has left`. */
function contractText({ contract, left, over }: CallOff, { quantity, currency }: ShownProposal) {
  const { document, line, due, unitCost, currency: own } = contract
  return [
    `${document}/${line}`,
    message('contract_left', { left, agreed: contract.quantity }),
    due && message('contract_until', { day: writtenDay(due) }),
    unitCost &&
      message('contract_price', {
        price: writtenPrice(Number(unitCost)),
        currency: own ?? currency ?? '',
      }),
    over > 0 && message('contract_over', { over, quantity: Number(quantity) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The first line that was taken before, or cannot be taken, stands for the others. */
function textOf(refusal: Refusal): string {
  const { code, options } = refusal
  if (!hasMessage(code)) return refusal.message
  const { handed_over: count } = options.members ?? {}
  return message(code, { count: count ?? options.details?.length, first: refusal.message })
}

// A supplier's order as one page of the app, and the supplier's scorecard as another.

interface OrderInput {
  source: number
  supplier: string
  location?: string | null
  currency?: string | null
  chosen?: string | null
  /** A decimal number or string. */
  budget?: string | number | null
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
