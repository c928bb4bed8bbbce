// The open value at each supplier, and whether it reaches the supplier's terms, for the rows of one answer.
import cds, { type Request } from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { plainCode } from '../../base/texts/codes.ts'
import { languageOf, message, writtenMoney, writtenDay } from '../../base/texts/texts.ts'
import { boundsOf } from '../../domain/authority/index.ts'
import {
  initialStatus,
  listSupplierTerms,
  type SupplierOrderTerms as Terms,
} from '../../domain/proposals/index.ts'
import { addNames, type ShownProposal } from './computed-elements.ts'
import { numbersIn, rejectParameter } from './visible-proposal.ts'

interface Sum {
  source: number | null
  supplier: string
  currency: string | null
  value: number
  units: number
}

/** As read from the database, which may return numbers as text. */
interface Total {
  source: number | null
  supplier: string
  currency: string | null
  total: number | string | null
  units: number | string
}

const CACHE_MS = 10_000

/** The sums of each order by the restrictions of a user: one query serves every page of the list. */
const openSumsByUser = new LRUCache<string, Map<string, Sum[]>>({ max: 100, ttl: CACHE_MS })

/** Must be called after a decision, which changes the sums. */
export const clearOpenSums = () => openSumsByUser.clear()

/** @param requested the elements that the query selects; undefined for all */
export async function addSupplierOrders(
  service: cds.ApplicationService,
  rows: ShownProposal[],
  requested: Set<string> | undefined,
) {
  for (const row of rows)
    if (row.kind === 'transfer' && 'supplierOrder' in row)
      row.supplierOrder = message('supplier_order_transfers')
  const supplied = rows.filter(({ supplier, source }) => supplier && source !== undefined)
  if (!supplied.length || !(requested?.has('supplierOrder') ?? true)) return
  await addNames(supplied, new Set(['supplierName']))
  const open = await readOpenSums(service)
  for (const [source, rowsOfSource] of Map.groupBy(supplied, (row) => row.source)) {
    const suppliers = [...new Set(rowsOfSource.map(({ supplier }) => String(supplier)))]
    const terms = await listSupplierTerms({ source: Number(source), suppliers })
    const bySupplier = Map.groupBy(terms, ({ supplier }) => supplier)
    for (const row of rowsOfSource) {
      const supplier = String(row.supplier)
      const sums = open.get(orderOf(source, supplier)) ?? []
      row.supplierOrder = supplierOrderText(row, sums, bySupplier.get(supplier) ?? [])
    }
  }
}

async function readOpenSums(service: cds.ApplicationService) {
  const key = JSON.stringify(await boundsOf(cds.context!.user))
  const cached = openSumsByUser.get(key)
  if (cached) return cached
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('source', 'supplier', 'currency', 'sum(value) as total', 'sum(quantity) as units')
      .where({ status: initialStatus(), supplier: { '!=': null } })
      .groupBy('source', 'supplier', 'currency'),
  )) as Total[]
  const found = rows.map(({ source, supplier, currency, total, units }) => ({
    ...{ source, supplier, currency },
    ...{ value: Number(total ?? 0), units: Number(units) },
  }))
  const byOrder = Map.groupBy(found, ({ source, supplier }) => orderOf(source, supplier))
  openSumsByUser.set(key, byOrder)
  return byOrder
}

/** If several sources name the same supplier, each has an order of its own. */
const orderOf = (source: unknown, supplier: string) => JSON.stringify([source, supplier])

/** `S-7 (Seven Ltd) · open 320.00 EUR · minimum 500.00 EUR, 180.00 EUR missing`. */
function supplierOrderText(
  { supplier, supplierName }: ShownProposal,
  open: Sum[],
  terms: Terms[],
): string {
  const code = plainCode(String(supplier))
  const name = supplierName ? `${code} (${supplierName})` : code
  const sum = open.map(({ value, currency }) => formatMoney(value, currency)).join(' + ')
  const parts = [name, message('supplier_order_open', { sum: sum || formatMoney(0, null) })]
  return [...parts, ...termsTexts(terms, open)].join(' · ')
}

/** The most orders of a supplier that one line has room for. */
const MOST_ORDERS = 4

/** The open value covers all locations, so that it is compared only with terms of an order for all locations. */
function termsTexts(terms: Terms[], open: Sum[]): string[] {
  const [only, ...others] = terms
  if (!only) return []
  if (!others.length && !only.location && !only.byLocation) return termsParts(only, open)
  const texts = terms.slice(0, MOST_ORDERS).map((each) => {
    const asked = termsParts(each, null, onlyCurrencyOf(open)).join(', ')
    if (each.location) return `${plainCode(each.location)}: ${asked}`
    if (!each.byLocation) return message('supplier_order_others', { asked })
    return message(others.length ? 'supplier_order_each_other' : 'supplier_order_each', { asked })
  })
  return terms.length > MOST_ORDERS ? [...texts, '…'] : texts
}

/** @param open the open sums of the order, if known */
function termsParts(terms: Terms, open: Sum[] | null, currency = onlyCurrencyOf(open)): string[] {
  const units = open && open.reduce((total, each) => total + each.units, 0)
  const { minimumValue, minimumQuantity, freeFreightFrom, orderCost } = terms
  const { containerUnits: container } = terms
  return [
    ...(minimumValue ? [minimumText(minimumValue, valueOf(open), currency)] : []),
    ...(minimumQuantity ? [unitsText(minimumQuantity, units)] : []),
    ...(freeFreightFrom != null ? [freightText(terms, valueOf(open), currency)] : []),
    ...(container ? [containerText(container, units)] : []),
    ...(orderCost ? [orderCostText(orderCost, currency)] : []),
  ]
}

/** A supplier's terms have no currency: they are compared only if all open proposals have the same one. */
const valueOf = (open: Sum[] | null) => (!open || open.length > 1 ? null : (open[0]?.value ?? 0))
const onlyCurrencyOf = (open: Sum[] | null) => (open?.length === 1 ? open[0]!.currency : null)

function minimumText(required: number, value: number | null, currency: string | null): string {
  const minimum = formatMoney(required, currency)
  if (value === null) return message('supplier_order_minimum', { minimum })
  if (value >= required) return message('supplier_order_reached', { minimum })
  const missing = formatMoney(required - value, currency)
  return message('supplier_order_missing', { minimum, missing })
}

function unitsText(minimum: number, units: number | null): string {
  if (units === null || units >= minimum) return message('supplier_order_units', { minimum })
  return message('supplier_order_units_missing', { minimum, missing: minimum - units })
}

function freightText(
  { freeFreightFrom, freightCost }: Terms,
  value: number | null,
  currency: string | null,
): string {
  const from = formatMoney(freeFreightFrom!, currency)
  const cost = formatMoney(freightCost!, currency)
  if (value === null) return message('supplier_order_freight', { from, cost })
  if (value >= freeFreightFrom!) return message('supplier_order_freight_free', { from })
  const missing = formatMoney(freeFreightFrom! - value, currency)
  return message('supplier_order_freight_missing', { from, missing, cost })
}

const containerText = (container: number, units: number | null) =>
  units === null
    ? message('supplier_order_container', { container })
    : message('supplier_order_containers', { units, container })

const orderCostText = (orderCost: number, currency: string | null) =>
  message('supplier_order_cost', { cost: formatMoney(orderCost, currency) })

export function formatMoney(value: number, currency: string | null): string {
  const number = writtenMoney(value)
  return currency ? `${number} ${currency}` : number
}

// E-mails that ask suppliers to change their open orders, in a language that the supplier reads.

/** The kinds of exceptions about which a supplier is asked, in this order. */
const KINDS = ['overdue_order', 'expedite', 'postpone', 'cancel_order'] as const
/** The most lines that a person would read before sending the mail. */
const MOST = 200

interface MailInput {
  exceptions?: string | null
  language?: string | null
}

interface MailRow {
  kind: string
  supplier: string
  supplierName: string | null
  document: string
  sku: string
  skuName: string | null
  quantity: number | string
  promisedOn: string | null
  wantedOn: string | null
}

export function handleSupplierMails(service: cds.ApplicationService) {
  service.on('supplierMails', (req: Request<MailInput>) => writeMails(service, req))
}

async function writeMails(service: cds.ApplicationService, req: Request<MailInput>) {
  const { exceptions: text, language: asked } = req.data
  const numbers = numbersIn(text)
  if (!numbers.length || numbers.length > MOST)
    return rejectParameter(req, 'exceptions', message('mail_exceptions_invalid', { most: MOST }))
  const language = languageOf(asked ?? 'en')
  if (!language) return rejectParameter(req, 'language', message('mail_language_invalid'))
  const rows = (await service.run(
    SELECT.from('BuyerService.Exceptions')
      .columns('kind', 'supplier', 'supplierName', 'document', 'sku', 'skuName')
      .columns('quantity', 'promisedOn', 'wantedOn')
      .where({ ID: { in: numbers }, kind: { in: KINDS }, supplier: { '!=': null } })
      .orderBy('supplier', 'document', 'sku'),
  )) as MailRow[]
  const bySupplier = Map.groupBy(rows, ({ supplier }) => supplier)
  return [...bySupplier].map(([supplier, orders]) => ({
    ...{ supplier, supplierName: orders[0]!.supplierName },
    ...mailAbout(orders, language),
  }))
}

function mailAbout(orders: MailRow[], language: string) {
  const say = (key: string, args = {}) => message(`mail_${key}`, args, language)
  const day = (date: string | null) => date && writtenDay(date, language)
  const line = (
    { document, sku, skuName, quantity, promisedOn, wantedOn }: MailRow,
    kind: string,
  ) => {
    const name = skuName ? `${plainCode(sku)} (${skuName})` : plainCode(sku)
    const args = { document, sku: name, quantity: Number(quantity) }
    return `- ${say(kind, { ...args, promised: day(promisedOn) ?? '–', wanted: day(wantedOn) ?? '–' })}`
  }
  const paragraphs = KINDS.flatMap((kind) => {
    const those = orders.filter((order) => order.kind === kind)
    if (!those.length) return []
    const head = those.length === 1 ? `${kind}_head_one` : `${kind}_head`
    return [[say(head), ...those.map((order) => line(order, kind))].join('\n')]
  })
  const isDated = orders.some(({ kind }) => kind !== 'cancel_order')
  const documents = [...new Set(orders.map(({ document }) => document.split('/')[0]!))]
  return {
    subject: say(documents.length === 1 ? 'subject_one' : 'subject', {
      document: documents[0],
      count: documents.length,
    }),
    body: [say('greeting'), ...paragraphs, say(isDated ? 'closing' : 'closing_undated')].join(
      '\n\n',
    ),
  }
}
