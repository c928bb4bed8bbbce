// What is open at a supplier, and whether it reaches what the supplier's orders must, for the rows of one answer.
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { boundsOf } from '../authority/index.ts'
import { initialStatus } from '../store/proposal-flow.ts'
import { Policies } from '../store/entities.ts'
import { toNumber } from '../store/numbers.ts'
import { addNames } from './names.ts'
import { message } from '../texts.ts'
import type { Row } from './show.ts'

const { SELECT } = cds.ql

interface Sum {
  supplier: string
  currency: string | null
  value: number
  units: number
}

interface Rule {
  supplier: string
  minimum: number | null
  container: number | null
}

/** As the database answers it: numbers may be text. */
interface Total {
  supplier: string
  currency: string | null
  total: number | string | null
  units: number | string
}

const SUMS_MS = 10_000

/** By the rows that a user may see: one look at all that is open serves every page of the list. */
const sums = new LRUCache<string, Map<string, Sum[]>>({ max: 100, ttl: SUMS_MS })

/** After a decision the next page tells what is left. */
export const forgetSums = () => sums.clear()

/** @param asked the elements that the caller wants; undefined for all */
export async function addSupplierOrders(
  service: cds.ApplicationService,
  rows: Row[],
  asked: Set<string> | undefined,
) {
  const supplied = rows.filter(({ supplier, source }) => supplier && source !== undefined)
  if (!supplied.length || !(asked?.has('supplierOrder') ?? true)) return
  await addNames(supplied, new Set(['supplierName']))
  const rules = await rulesOf([...new Set(supplied.map(({ supplier }) => String(supplier)))])
  const open = await openSums(service)
  for (const row of supplied) {
    const supplier = String(row.supplier)
    row.supplierOrder = wordsOf(row, open.get(supplier) ?? [], rules.get(supplier))
  }
}

async function openSums(service: cds.ApplicationService) {
  const key = JSON.stringify(await boundsOf(cds.context!.user))
  const known = sums.get(key)
  if (known) return known
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('supplier', 'currency', 'sum(value) as total', 'sum(quantity) as units')
      .where({ status: initialStatus(), supplier: { '!=': null } })
      .groupBy('supplier', 'currency'),
  )) as Total[]
  const found = rows.map(({ supplier, currency, total, units }) => ({
    ...{ supplier, currency },
    ...{ value: Number(total ?? 0), units: Number(units) },
  }))
  const bySupplier = Map.groupBy(found, ({ supplier }) => supplier)
  sums.set(key, bySupplier)
  return bySupplier
}

async function rulesOf(suppliers: string[]): Promise<Map<string, Rule>> {
  const rows = await SELECT.from(Policies)
    .columns('supplier', 'minimumOrderValue', 'containerUnits')
    .where({ level: 'supplier', skuGroup: '', supplier: { in: suppliers } })
  const rules = rows.map(({ supplier, minimumOrderValue, containerUnits }) => ({
    supplier: String(supplier),
    minimum: toNumber(minimumOrderValue),
    container: toNumber(containerUnits),
  }))
  return new Map(rules.map((rule) => [rule.supplier, rule]))
}

/** `S-7 (Seven Ltd) · open 320.00 EUR · minimum 500.00 EUR, 180.00 EUR missing`. */
function wordsOf({ supplier, supplierName }: Row, open: Sum[], rule?: Rule): string {
  const name = supplierName ? `${supplier} (${supplierName})` : String(supplier)
  const sum = open.map(({ value, currency }) => money(value, currency)).join(' + ')
  const parts = [name, message('supplier_order_open', { sum: sum || money(0, null) })]
  if (rule?.minimum) parts.push(minimumOf(open, rule.minimum))
  if (rule?.container) {
    const units = open.reduce((total, each) => total + each.units, 0)
    parts.push(message('supplier_order_containers', { units, container: rule.container }))
  }
  return parts.join(' · ')
}

/** Whether it is reached can be said of one currency alone, which is that of the minimum then. */
function minimumOf(open: Sum[], least: number): string {
  const [first, second] = open
  const currency = second ? null : (first?.currency ?? null)
  const minimum = money(least, currency)
  if (second) return message('supplier_order_minimum', { minimum })
  const missing = least - (first?.value ?? 0)
  if (missing <= 0) return message('supplier_order_reached', { minimum })
  return message('supplier_order_missing', { minimum, missing: money(missing, currency) })
}

function money(value: number, currency: string | null): string {
  const locale = cds.context?.locale?.replaceAll('_', '-') ?? 'en'
  const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const number = new Intl.NumberFormat(locale, places).format(value)
  return currency ? `${number} ${currency}` : number
}
