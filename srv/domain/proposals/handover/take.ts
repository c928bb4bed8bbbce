// Taking approved lines to the ERP's own import is a fact: who, when, which lines, and the digest of the file.
import { createHash } from 'node:crypto'
import cds from '@sap/cds'
import { adapterOf } from '../../../../adapters/index.ts'
import {
  type DayFormat,
  type FileFormat,
  LineFault,
  type OrderForm,
  type OrderLine,
  placeLines,
} from '../../../../adapters/order-form.ts'
import { toDate, toEpochDay } from '../../../../engine/index.ts'
import { arrivalOf } from '../../../../engine/proposal/index.ts'
import { inTransaction } from '../../../base/cap/context.ts'
import { writeAuditLog } from '../../../base/database/audit.ts'
import { takeNumbers } from '../../../base/database/counters.ts'
import {
  HandOverLines,
  HandOvers,
  Locations,
  readAs,
  Skus,
  Sources,
  Suppliers,
} from '../../../base/database/entities.ts'
import { insertRows } from '../../../base/database/native/bulk.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { type ErrorDetail, invalidParameter, Refusal } from '../../../base/errors.ts'
import { APPROVING_ROLES } from '../../../base/roles.ts'
import { today } from '../../../base/time/days.ts'
import { noSuchProposal } from '../../authority/index.ts'
import { actor, recordEvents } from '../decide/transition.ts'
import { assertRole, rowsOfReader } from '../readers.ts'
import { statusAfter } from '../stored/flow.ts'
import type { CallOff } from '../stored/proposal.ts'
import { readOrderUnits, withCallOffs } from '../terms/call-offs.ts'
import { ClosureBook } from '../terms/closures.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'
import { fileOf } from './files.ts'
import { type HandOver, readHandOver } from './read.ts'

/** What becomes of lines that were taken before: the call is refused, they are left out, or taken again. */
export const TAKEN_BEFORE = ['refuse', 'leave_out', 'again'] as const

interface HandOverWish {
  /** These alone; null for all approved ones that the other fields select. */
  proposals?: number[] | null
  source?: number | null
  supplier?: string | null
  location?: string | null
  perSupplier?: boolean | null
  /** Null: that of the source's kind. */
  form?: string | null
  format?: FileFormat | null
  dayFormat?: DayFormat | null
  takenBefore?: (typeof TAKEN_BEFORE)[number] | null
}

/** The most lines that are taken at once. */
const MOST_LINES = 10_000

/** @returns one for each source, and for each supplier where that is wished */
export const handOver = (wish: HandOverWish) => inTransaction(() => take(wish))

async function take(wish: HandOverWish): Promise<HandOver[]> {
  assertRole(APPROVING_ROLES)
  const found = await readApproved(wish)
  if (found.length > MOST_LINES) {
    const text = `${found.length} lines are too many for one hand-over: ${MOST_LINES} at most.`
    throw new Refusal('batch_too_large', text)
  }
  const wanted = withoutTaken(found, wish)
  const taken: HandOver[] = []
  for (const [source, own] of Map.groupBy(wanted, (proposal) => proposal.source)) {
    const { form, name } = await formOf(source, wish.form ?? null)
    const lines = own.filter(({ kind }) => form.takesTransfers || kind === 'purchase')
    const baskets = wish.perSupplier
      ? [...Map.groupBy(lines, ({ supplier }) => supplier).values()]
      : [lines]
    for (const basket of baskets)
      if (basket.length) taken.push(await takeBasket(basket, { source, form, name, wish }))
  }
  return taken
}

async function readApproved(wish: HandOverWish): Promise<Proposal[]> {
  const visible = await rowsOfReader()
  const approved = statusAfter('approve')
  const ids = wish.proposals && [...new Set(wish.proposals)]
  const rows: ProposalRow[] = []
  for (const chunk of ids ? inChunks(ids) : [null]) {
    const query = SELECT.from('restock.Proposals')
    if (chunk) query.where({ ID: { in: chunk } })
    else query.where({ status: approved })
    if (wish.source) query.where({ source_ID: wish.source })
    if (wish.supplier) query.where({ supplier: wish.supplier })
    if (wish.location) query.where({ location: wish.location })
    if (visible) query.where(visible)
    rows.push(...((await query.orderBy('ID').forUpdate()) as ProposalRow[]))
  }
  const found = rows.map(toProposal)
  if (ids) assertAllApproved(ids, found, approved)
  return found
}

/** Whoever names proposals is told of each that cannot be taken. */
function assertAllApproved(ids: number[], found: Proposal[], approved: string) {
  const known = new Map(found.map((proposal) => [proposal.ID, proposal]))
  for (const ID of ids) {
    const proposal = known.get(ID)
    if (!proposal) throw noSuchProposal(ID)
    if (proposal.status === approved) continue
    throw new Refusal(
      'proposal_already_decided',
      `prop_${ID} is ${proposal.status}: only what is approved is handed over.`,
      { target: `prop_${ID}`, members: { current_status: proposal.status } },
    )
  }
}

/** Lines that a refusal names. */
const MOST_NAMED = 100

/** @throws Refusal already_handed_over with each line, who took it and when */
function withoutTaken(found: Proposal[], { takenBefore }: HandOverWish): Proposal[] {
  const before = found.filter(({ handOver: earlier }) => earlier !== null)
  if (!before.length || takenBefore === 'again') return found
  if (takenBefore === 'leave_out') return found.filter(({ handOver: earlier }) => earlier === null)
  const details: ErrorDetail[] = before.slice(0, MOST_NAMED).map((proposal) => ({
    code: 'already_handed_over',
    message: `prop_${proposal.ID} was handed over by ${proposal.takenBy} at ${proposal.takenAt} (ho_${proposal.handOver}).`,
    target: `prop_${proposal.ID}`,
  }))
  const count = before.length === 1 ? 'One line was' : `${before.length} lines were`
  throw new Refusal(
    'already_handed_over',
    `${count} handed over before: ${details[0]!.message} Taking a line twice may order it twice.`,
    { details, members: { handed_over: before.length, requested: found.length } },
  )
}

async function formOf(source: number, wished: string | null) {
  const row = await SELECT.one.from(Sources).columns('type').where({ ID: source })
  const name = wished ?? row?.type ?? 'csv'
  const form = adapterOf(name)?.orderForm
  if (!form) throw invalidParameter('form', 'is the form of no kind of ERP')
  return { form, name }
}

interface Basket {
  source: number
  form: OrderForm
  name: string
  wish: HandOverWish
}

async function takeBasket(basket: Proposal[], { source, form, name, wish }: Basket) {
  const wished = {
    format: oneOf('format', form.formats, wish.format),
    dayFormat: oneOf('date_format', form.dayFormats, wish.dayFormat),
  }
  const ID = await takeNumbers('handOver')
  const taken = await linesOf(basket, { source, day: today(), handOver: ID })
  const lines = taken.map(({ line }) => line)
  assertImportable(form, lines)
  const tables = form.tables(placeLines(form, lines))
  const sha256 = createHash('sha256')
    .update(fileOf(tables, form, wished))
    .digest('hex')
  const suppliers = new Set(basket.map(({ supplier }) => supplier))
  const takenAt = new Date().toISOString()
  const { id: takenBy, via } = actor()
  const repeated = basket.filter(({ handOver: earlier }) => earlier !== null).length
  await INSERT.into(HandOvers).entries({
    ...{ ID, source_ID: source, form: name, ...wished, sha256, takenAt, takenBy, via, repeated },
    supplier: suppliers.size === 1 ? [...suppliers][0]! : null,
    lines: basket.length,
    content: JSON.stringify(tables),
  })
  await insertRows(
    HandOverLines,
    taken.map(({ proposal, line }) => ({
      ...{ handOver: ID, proposal: proposal.ID, version: proposal.version },
      ...{ sku: proposal.sku, location: proposal.location, supplier: proposal.supplier },
      ...{ quantity: proposal.quantity, orderQuantity: line.orderQuantity },
      ...{ orderUnit: line.orderUnit, orderPrice: line.price, currency: proposal.currency },
      wantedOn: line.wantedOn,
    })),
  )
  await markTaken(basket, { handOver: ID, takenAt, takenBy })
  const again = repeated ? `, ${repeated} of them again` : ''
  const detail = `${basket.length} lines of src_${source} as ${name} ${wished.format}${again}, sha256 ${sha256}`
  await writeAuditLog('handover.taken', `ho_${ID}`, detail)
  return readHandOver(ID)
}

/** @throws Refusal invalid_parameter that names what the form has */
function oneOf<T extends string>(target: string, allowed: readonly T[], given?: T | null): T {
  if (!given) return allowed[0]!
  if (allowed.includes(given)) return given
  throw invalidParameter(target, `must be ${allowed.join(' or ')} in this form`)
}

/** The version stays: what was decided is unchanged. */
async function markTaken(
  basket: Proposal[],
  set: { handOver: number; takenAt: string; takenBy: string },
) {
  for (const chunk of inChunks(basket.map(({ ID }) => ID))) {
    await UPDATE.entity('restock.Proposals')
      .set({ ...set, updatedAt: set.takenAt })
      .where({ ID: { in: chunk } })
  }
  const [first, again] = [true, false].map((isFirst) =>
    basket.filter(({ handOver: earlier }) => (earlier === null) === isFirst),
  )
  await recordEvents(first!, 'handed_over', `ho_${set.handOver}`)
  await recordEvents(again!, 'handed_over', `ho_${set.handOver}, not for the first time`)
  cds.log('proposals').debug(`ho_${set.handOver}: ${basket.length} lines`)
}

// Approved proposals as the lines of an order form.

interface TakenLine {
  proposal: Proposal
  line: OrderLine
}

/** @param handOver its number, which the lines name @param day of the order */
async function linesOf(
  proposals: readonly Proposal[],
  { source, day, handOver }: { source: number; day: string; handOver: number },
): Promise<TakenLine[]> {
  const units = await readOrderUnits(proposals)
  const skus = await namesOf(Skus, 'sku', source)
  const suppliers = await namesOf(Suppliers, 'supplier', source)
  const locations = await namesOf(Locations, 'location', source)
  const closures = await ClosureBook.read(source, day)
  return (await withCallOffs(proposals)).map(({ callOff, valueContract: _, ...proposal }) => {
    const { orderUnit, ...own } = units(proposal)
    const line: OrderLine = {
      reference: `prop_${proposal.ID}`,
      handOver: `ho_${handOver}`,
      kind: proposal.kind ?? 'purchase',
      ...{ sku: proposal.sku, name: skus.get(proposal.sku) ?? null },
      supplierSku: own.supplierSku,
      ...{ location: proposal.location, locationName: locations.get(proposal.location) ?? null },
      fromLocation: proposal.fromLocation,
      supplier: proposal.supplier,
      supplierName: suppliers.get(proposal.supplier ?? '') ?? null,
      ...{ quantity: proposal.quantity, unit: own.unit },
      ...{ orderQuantity: own.orderQuantity, orderUnit: orderUnit ?? own.unit },
      unitsPerOrderUnit: own.unitsPerOrderUnit,
      price: contractPrice(callOff, proposal.currency, own.unitsPerOrderUnit) ?? own.orderPrice,
      contract: contractOf(callOff),
      ...{ value: proposal.value, currency: proposal.currency },
      orderedOn: day,
      wantedOn: wantedOn(proposal, day, closures),
    }
    return { proposal, line }
  })
}

/** When an order of that day is usable: no closed day of the supplier passes of its lead time, and the location receives it. */
function wantedOn(proposal: Proposal, day: string, closures: ClosureBook): string {
  const { kind, supplier, location, calculation } = proposal
  return toDate(
    arrivalOf(toEpochDay(day), calculation.leadTimeDays ?? 0, {
      supplier: kind === 'transfer' ? null : closures.supplier(supplier),
      location: closures.location(location),
    }),
  )
}

const contractOf = (callOff: CallOff | null) =>
  callOff?.called
    ? { document: callOff.contract.document, line: callOff.contract.line, over: callOff.over }
    : null

/** Of an order unit; null unless the contract has a price in the line's currency, and room for all of it. */
function contractPrice(
  callOff: CallOff | null,
  currency: string | null | undefined,
  units: number,
) {
  if (!callOff?.called || callOff.over) return null
  const { unitCost, currency: own } = callOff.contract
  if (unitCost === null || (own !== null && own !== currency)) return null
  return String(Number((Number(unitCost) * units).toFixed(6)))
}

type Named = typeof Skus | typeof Suppliers | typeof Locations

async function namesOf(entity: Named, key: string, source: number): Promise<Map<string, string>> {
  const rows = await readAs<Record<string, string | null>>(
    SELECT.from(entity as typeof Skus)
      .columns(key as 'sku', 'name')
      .where({ source_ID: source, name: { '!=': null } }) as never,
  )
  return new Map(rows.map((row) => [row[key]!, row.name!]))
}

/** Faults that somebody can read. */
const MOST_FAULTS = 100

/** @throws Refusal line_not_importable with the faults of all lines, where the ERP would not take one */
function assertImportable(form: OrderForm, lines: readonly OrderLine[]) {
  const faults: ErrorDetail[] = []
  for (const line of lines) {
    try {
      form.tables(placeLines(form, [line]))
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      const { message, reference } = error
      faults.push({ code: 'line_not_importable', message, target: reference })
    }
  }
  if (!faults.length) return
  const count = faults.length === 1 ? 'One line' : `${faults.length} lines`
  throw new Refusal(
    'line_not_importable',
    `${count} would not be taken by the ERP's import: ${faults[0]!.message}.`,
    { details: faults.slice(0, MOST_FAULTS) },
  )
}
