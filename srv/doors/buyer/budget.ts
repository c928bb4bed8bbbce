// How to spend a budget best, and which suppliers have open proposals.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import { isRefusal } from '../../base/errors.ts'
import { Suppliers } from '../../base/database/entities.ts'
import {
  type Budget,
  type BudgetLine,
  fillBudgetOf,
  initialStatus,
  listSupplierTerms,
  type SupplierOrderTerms,
} from '../../domain/proposals/index.ts'
import { message } from '../../base/texts/texts.ts'
import { mayApprove } from '../../base/roles.ts'
import { addNames } from './computed-elements.ts'

interface BudgetInput {
  supplier?: string | null
  currency?: string | null
  /** A decimal number or string. */
  budget?: string | number | null
  units?: number | null
}

/** Registers the handlers of srv/doors/buyer/model/budget.cds. */
export function handleBudget(service: cds.ApplicationService) {
  service.on('fillBudget', (req: Request<BudgetInput>) => fillBudgetFor(req))
  service.on('openSuppliers', () => readOpenSuppliers(service))
}

async function fillBudgetFor(req: Request<BudgetInput>) {
  const { supplier, currency, budget, units } = req.data
  const limits = [budget, units].filter((limit) => limit != null)
  if (!limits.length || limits.some((limit) => !(Number(limit) > 0))) {
    return req.reject({
      status: 400,
      code: 'invalid_parameter',
      message: message('budget_invalid'),
    })
  }
  const query = {
    ...{ supplier: supplier || null, currency: currency || null, units: units ?? null },
    budget: budget == null ? null : String(budget),
  }
  try {
    return await toFilled(await fillBudgetOf(query))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code, status, options } = error
    const { key, args } = options.sentence ?? { key: error.message }
    return req.reject({ code, status, message: message(key, args) })
  }
}

async function toFilled({ data, rest, leftOut, ...sums }: Budget) {
  const [taken, left] = [data.map(toPart), rest.map(toPart)]
  await addNames([...taken, ...left], new Set(['skuName', 'locationName']))
  return { taken, rest: left, ...sums, ...leftOut, mayApprove: mayApprove() }
}

const toPart = (line: BudgetLine) => ({ ...line, number: `prop_${line.ID}` })

interface Total {
  supplier: string
  currency: string | null
  lines: number | string
  total: number | string | null
}

const openPurchases = () => ({
  ...{ status: initialStatus(), kind: 'purchase' },
  supplier: { '!=': null },
})

async function readOpenSuppliers(service: cds.ApplicationService) {
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('supplier', 'currency', 'count(*) as lines', 'sum(value) as total')
      .where(openPurchases())
      .groupBy('supplier', 'currency')
      .orderBy('supplier', 'currency'),
  )) as Total[]
  const codes = [...new Set(rows.map(({ supplier }) => supplier))]
  if (!codes.length) return []
  const named = await SELECT.from(Suppliers)
    .columns('supplier', 'name')
    .where({ supplier: { in: codes } })
  const names = new Map(named.map(({ supplier, name }) => [supplier, name]))
  const containers = await readContainers(service)
  return rows.map(({ supplier, currency, lines, total }) => ({
    ...{ supplier, supplierName: names.get(supplier) ?? null, currency, lines: Number(lines) },
    value: Number(total ?? 0).toFixed(2),
    containerUnits: containers.get(supplier) ?? null,
  }))
}

/** Units of a container, by supplier; null where its orders have different ones. */
async function readContainers(service: cds.ApplicationService) {
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('source', 'supplier')
      .where(openPurchases())
      .groupBy('source', 'supplier'),
  )) as { source: number; supplier: string }[]
  const terms: SupplierOrderTerms[] = []
  for (const [source, ofSource] of Map.groupBy(rows, (row) => row.source)) {
    const suppliers = ofSource.map(({ supplier }) => supplier)
    terms.push(...(await listSupplierTerms({ source, suppliers })))
  }
  const filled = terms.filter(({ containerUnits }) => containerUnits)
  const onlyUnits = (orders: typeof terms) => {
    const [units = null, ...others] = new Set(orders.map(({ containerUnits }) => containerUnits))
    return others.length ? null : units
  }
  const bySupplier = Map.groupBy(filled, ({ supplier }) => supplier)
  return new Map([...bySupplier].map(([supplier, orders]) => [supplier, onlyUnits(orders)]))
}
