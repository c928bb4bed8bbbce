// The open value at each supplier, and whether it reaches the supplier's minimum, for the rows of one answer.
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { boundsOf } from '../authority/index.ts'
import { initialStatus } from '../store/proposal-flow.ts'
import { Policies } from '../store/entities.ts'
import { toNumber } from '../store/numbers.ts'
import { addNames } from './names.ts'
import { message, writtenAmount } from '../texts.ts'
import type { Row } from './computed-elements.ts'
import { plainCode } from './plain-code.ts'

interface Sum {
  supplier: string
  currency: string | null
  value: number
  units: number
}

interface SupplierRule {
  supplier: string
  minimum: number | null
  container: number | null
}

/** As read from the database, which may return numbers as text. */
interface Total {
  supplier: string
  currency: string | null
  total: number | string | null
  units: number | string
}

const CACHE_MS = 10_000

/** By the restrictions of a user: one query serves every page of the list. */
const openSumsByUser = new LRUCache<string, Map<string, Sum[]>>({ max: 100, ttl: CACHE_MS })

/** To be called after a decision, which changes the sums. */
export const clearOpenSums = () => openSumsByUser.clear()

/** @param requested the elements that the query selects; undefined for all */
export async function addSupplierOrders(
  service: cds.ApplicationService,
  rows: Row[],
  requested: Set<string> | undefined,
) {
  for (const row of rows)
    if (row.kind === 'transfer' && 'supplierOrder' in row)
      row.supplierOrder = message('supplier_order_transfers')
  const supplied = rows.filter(({ supplier, source }) => supplier && source !== undefined)
  if (!supplied.length || !(requested?.has('supplierOrder') ?? true)) return
  await addNames(supplied, new Set(['supplierName']))
  const rules = await readSupplierRules([
    ...new Set(supplied.map(({ supplier }) => String(supplier))),
  ])
  const open = await readOpenSums(service)
  for (const row of supplied) {
    const supplier = String(row.supplier)
    row.supplierOrder = supplierOrderText(row, open.get(supplier) ?? [], rules.get(supplier))
  }
}

async function readOpenSums(service: cds.ApplicationService) {
  const key = JSON.stringify(await boundsOf(cds.context!.user))
  const cached = openSumsByUser.get(key)
  if (cached) return cached
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
  openSumsByUser.set(key, bySupplier)
  return bySupplier
}

export async function readSupplierRules(suppliers: string[]): Promise<Map<string, SupplierRule>> {
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
function supplierOrderText(
  { supplier, supplierName }: Row,
  open: Sum[],
  rule?: SupplierRule,
): string {
  const code = plainCode(String(supplier))
  const name = supplierName ? `${code} (${supplierName})` : code
  const sum = open.map(({ value, currency }) => formatMoney(value, currency)).join(' + ')
  const parts = [name, message('supplier_order_open', { sum: sum || formatMoney(0, null) })]
  if (rule?.minimum) parts.push(minimumText(open, rule.minimum))
  if (rule?.container) {
    const units = open.reduce((total, each) => total + each.units, 0)
    parts.push(message('supplier_order_containers', { units, container: rule.container }))
  }
  return parts.join(' · ')
}

/** The minimum has no currency of its own: it is compared only where all open proposals have the same one. */
function minimumText(open: Sum[], required: number): string {
  const [first, second] = open
  const currency = second ? null : (first?.currency ?? null)
  const minimum = formatMoney(required, currency)
  if (second) return message('supplier_order_minimum', { minimum })
  const missing = required - (first?.value ?? 0)
  if (missing <= 0) return message('supplier_order_reached', { minimum })
  return message('supplier_order_missing', { minimum, missing: formatMoney(missing, currency) })
}

function formatMoney(value: number, currency: string | null): string {
  const number = writtenAmount(value)
  return currency ? `${number} ${currency}` : number
}
