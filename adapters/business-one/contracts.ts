// Blanket agreements with suppliers, over quantities of items or over money, with what has come of them and what open orders call
// off.
import type { KeysetQuery } from '../odata/keyset.ts'
import { anyOf } from '../odata/query.ts'
import type { RecordOf } from '../records.ts'
import { daysAgo } from '../rows/days.ts'
import {
  divideExactly,
  type Exact,
  multiplyByRatio,
  ONE,
  toMoney,
  toThreePlaces,
} from '../rows/decimals.ts'
import { addRecord, type SnapshotPage } from '../rows/pages.ts'
import {
  BadValue,
  codeOf,
  codeText,
  dayOf,
  dayOrNull,
  type Field,
  mapAbout,
  numberOf,
  roundedOf,
} from '../rows/values.ts'
import type {
  AgreementLine,
  AgreementRow,
  DocumentLine,
  DocumentRow,
  PartnerRow,
} from './entities.ts'
import { SUPPLIERS } from './masters.ts'
import { documents, SERVICE, type System } from './system.ts'
import { isIsoCurrency, isOpen, isYes, OPEN_DOCUMENTS } from './values.ts'

/** One that is terminated holds until its day of termination, where it has one. */
export const AGREEMENTS: KeysetQuery = {
  ...{ service: SERVICE, set: 'BlanketAgreements', key: 'AgreementNo', keyType: 'number' },
  select: [
    ...['AgreementNo', 'BPCode', 'StartDate', 'EndDate', 'TerminateDate', 'AgreementMethod'],
    ...['Status', 'IgnorePricesInAgreement', 'BlanketAgreements_ItemsLines'],
  ],
  filter: "Status eq 'asApproved' or Status eq 'asTerminated'",
}

/** Numbers of agreements are no numbers of orders. */
export const nameOfAgreement = (number: number) => `${AGREEMENTS.set}(${number})`

/** The number of an agreement by its name; null for another name. */
export const numberOfAgreement = (name: string): string | null =>
  /^BlanketAgreements\((\d{1,10})\)$/.exec(name)?.[1] ?? null

/** Suppliers that are asked for at once. */
const MOST_SUPPLIERS = 40

/** The open order lines that call off, by `name/row`. */
type Called = ReadonlyMap<string, readonly DocumentLine[]>

/**
 * All, each time: what is called off does not change an agreement.
 * @throws Fatal where agreements, their suppliers or the orders that call off from them may not be read
 */
export async function* readContracts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const readCurrent = async () =>
    (await system.all<AgreementRow>(AGREEMENTS, signal)).filter(isCurrent)
  const suppliers = await readSuppliers(system, await readCurrent(), signal)
  if (!suppliers.size) return
  const called = await readCalled(system, signal)
  // Only after the orders: what comes meanwhile is then called off twice, for one sync, and not offered again.
  const own = (await readCurrent()).filter(({ BPCode }) => suppliers.has(BPCode ?? ''))
  const page: SnapshotPage<'drafts'> = {
    ...{ records: [], quarantined: [], done: own.length, total: null },
  }
  for (const agreement of own)
    for (const line of agreement.BlanketAgreements_ItemsLines ?? [])
      addRecord(
        page,
        line,
        () => toContract(agreement, line, called, system.options.currency),
        () => `${nameOfAgreement(agreement.AgreementNo)}/${line.AgreementRowNumber}`,
      )
  yield page
}

/** Not over yet anywhere. What is no day does not end it: its lines cannot be stored then. */
const isCurrent = (agreement: AgreementRow): boolean => {
  const { EndDate, TerminateDate, Status } = agreement
  if (Status === 'asTerminated' && !TerminateDate) return false
  return [EndDate, TerminateDate].every((day) => (dayOrNull(day) ?? daysAgo(0)) >= daysAgo(1))
}

/** The day on which it ends, or is terminated before; null where it does not end. */
function lastDayOf({ EndDate, TerminateDate }: AgreementRow): string | null {
  const days = [dayOf(EndDate, 'EndDate'), dayOf(TerminateDate, 'TerminateDate')]
  return days.filter((day) => day !== null).sort()[0] ?? null
}

/** Agreements with customers are in the same list, and do not say what their partner is. */
async function readSuppliers(
  system: System,
  agreements: readonly AgreementRow[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const codes = [...new Set(agreements.flatMap(({ BPCode }) => codeText(BPCode) || []))].sort()
  const found = new Set<string>()
  for (let at = 0; at < codes.length; at += MOST_SUPPLIERS) {
    const some = codes.slice(at, at + MOST_SUPPLIERS)
    const query = { ...SUPPLIERS, filter: `${SUPPLIERS.filter} and (${anyOf('CardCode', some)})` }
    for (const { CardCode } of await system.all<PartnerRow>(query, signal)) found.add(CardCode)
  }
  return found
}

const OPEN = 'RemainingOpenInventoryQuantity'

/** Business One adds up what has come, and not what is on order. */
async function readCalled(system: System, signal: AbortSignal): Promise<Called> {
  const query = documents('PurchaseOrders', ['DocumentLines'], OPEN_DOCUMENTS)
  const called = new Map<string, DocumentLine[]>()
  for await (const { rows } of system.pages<DocumentRow>(query, null, signal))
    for (const line of rows.flatMap(({ DocumentLines }) => DocumentLines)) {
      if (!line.AgreementNo || !isOpen(line.LineStatus)) continue
      const name = `${nameOfAgreement(line.AgreementNo)}/${line.AgreementRowNumber ?? 0}`
      if (!called.has(name)) called.set(name, [])
      called.get(name)!.push(line)
    }
  return called
}

/** Null for what is no item, and where nothing of it is left. */
const toContract = (
  agreement: AgreementRow,
  line: AgreementLine,
  called: Called,
  currency: string | undefined,
): RecordOf<'drafts'> | null =>
  mapAbout(line.ItemNo, '', () => {
    if (!line.ItemNo) return null
    const document = nameOfAgreement(agreement.AgreementNo)
    const open = called.get(`${document}/${line.AgreementRowNumber}`) ?? []
    if (agreement.AgreementMethod === 'amMonetary') {
      const money = moneyOf(line, open, currency)
      return money && { ...termsOf(agreement, line), quantity: 0, ...money }
    }
    const per = roundedOf(line.UnitsOfMeasurement, 'UnitsOfMeasurement') || ONE
    // Seven of a carton of twelve are kept as 0.583333.
    const inUnits = (field: 'PlannedQuantity' | 'CumulativeQuantity') => {
      const quantity = roundedOf(line[field], field)
      if (quantity < 0n) return 0n
      return per === ONE ? quantity : toThreePlaces(multiplyByRatio(quantity, per, ONE))
    }
    const agreed = inUnits('PlannedQuantity')
    const received = inUnits('CumulativeQuantity')
    const ordered = open.reduce((sum, each) => sum + roundedOf(each[OPEN], OPEN), received)
    if (agreed <= ordered) return null
    return {
      ...termsOf(agreement, line),
      quantity: numberOf(agreed, 'PlannedQuantity'),
      ordered: numberOf(ordered, 'CumulativeQuantity'),
      ...priceOf(agreement, line, per),
    }
  })

const termsOf = (agreement: AgreementRow, line: AgreementLine) => ({
  document: nameOfAgreement(agreement.AgreementNo),
  line: String(line.AgreementRowNumber),
  kind: 'contract' as const,
  sku: codeOf(line.ItemNo, 'ItemNo'),
  location: '',
  due: lastDayOf(agreement),
  createdOn: dayOf(agreement.StartDate, 'StartDate'),
  supplier: codeOf(agreement.BPCode, 'BPCode'),
})

/**
 * What a row of an agreement over money has: in the currency of its price, or in the local one. Null where nothing is left.
 * @param local the company's currency, as far as it is known
 * @throws BadValue where an order that calls off does not say how much in that currency
 */
function moneyOf(line: AgreementLine, open: readonly DocumentLine[], local: string | undefined) {
  const isForeign = roundedOf(line.PlannedAmountFC, 'PlannedAmountFC') > 0n
  const [planned, come] = isForeign
    ? (['PlannedAmountFC', 'CumulativeAmountFC'] as const)
    : (['PlannedAmountLC', 'CumulativeAmountLC'] as const)
  const received = roundedOf(line[come], come)
  const agreed = roundedOf(line[planned], planned)
  const price = line.PriceCurrency
  // A company may call its own currency "$": orders do too.
  const own = isForeign ? price : isIsoCurrency(price) ? (local ?? price) : price || local
  const called = open.reduce((sum, each) => sum + openValueOf(each, own), 0n)
  const ordered = called + (received > 0n ? received : 0n)
  if (agreed <= ordered) return null
  const currency = isIsoCurrency(own) ? own : isForeign ? null : local
  if (currency === null) throw new BadValue('PriceCurrency', 'must be an ISO 4217 code')
  return {
    ...{ agreedValue: toMoney(agreed), orderedValue: toMoney(ordered) },
    ...(currency && { currency }),
  }
}

/** What is open of an order line, in money. @throws BadValue where it is in another currency than the agreement */
function openValueOf(line: DocumentLine, currency: Field): Exact {
  const open = roundedOf(line[OPEN], OPEN)
  if (open <= 0n) return 0n
  if (line.Currency && line.Currency !== currency)
    throw new BadValue(
      'Currency',
      `of an order that calls off is ${line.Currency}, not ${currency}`,
    )
  const [price, quantity, units] = (['Price', 'Quantity', 'InventoryQuantity'] as const).map(
    (field) => roundedOf(line[field], field),
  ) as [Exact, Exact, Exact]
  if (units <= 0n) throw new BadValue('InventoryQuantity', 'must be above 0')
  return multiplyByRatio(multiplyByRatio(price, quantity, ONE), open, units)
}

/** None where it does not hold, or may have a discount in it, or is in a currency without an ISO code. */
function priceOf(agreement: AgreementRow, line: AgreementLine, per: Exact) {
  const price = roundedOf(line.UnitPrice, 'UnitPrice')
  const { PriceCurrency: currency } = line
  const isPlain = !isYes(agreement.IgnorePricesInAgreement) && !Number(line.LineDiscount ?? 0)
  if (price <= 0n || !isPlain || !isIsoCurrency(currency)) return {}
  return { unitCost: toMoney(divideExactly(price, per)), currency }
}
