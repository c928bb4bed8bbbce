// What a stockout and stock cost, as the page of costs shows and sets it.
import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { ABC_CLASSES } from '../../../engine/index.ts'
import { Suppliers } from '../../base/database/entities.ts'
import { isRefusal } from '../../base/errors.ts'
import { validate } from '../../base/input.ts'
import { mayApprove } from '../../base/roles.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { message, writtenShare } from '../../base/texts/texts.ts'
import {
  type Budget,
  type BudgetLine,
  type CostsInput,
  costsQuestion,
  costsStatement,
  estimateCosts,
  fillBudgetOf,
  type FoundCosts,
  initialStatus,
  listSupplierTerms,
  type PastRatio,
  previewCosts,
  setCosts,
  type SupplierOrderTerms,
  UNMET_DEMANDS,
} from '../../domain/proposals/index.ts'
import { addNames } from './computed-elements.ts'
import { textOfClass, toPoint } from './explore.ts'

/** Registers the handlers of srv/doors/buyer/model/costs.cds. */
export function handleCosts(service: cds.ApplicationService) {
  service.on('costs', refusing(readCosts))
  service.on('pastCosts', refusing(readPast))
  service.on('previewCosts', refusing(readPreview))
  service.on('setCosts', refusing(storeCosts))
  service.on('fillBudget', (req: Request<BudgetInput>) => fillBudgetFor(req))
  service.on('openSuppliers', () => readOpenSuppliers(service))
}

/** Refusals of the domain as OData errors. */
const refusing = (handle: (req: Request) => Promise<unknown>) => async (req: Request) => {
  try {
    return await handle(req)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code, status, message: text, options } = error
    return req.reject({ code, status, message: text, target: options.target })
  }
}

const By = z.object({ by: z.enum(['abc', 'group']).nullish() })

async function readCosts({ data }: Request) {
  const by = validate(By, data).by ?? 'abc'
  const { groups, ...found } = await costsStatement(by)
  return {
    ...found,
    question: await costsQuestion(),
    ...{ costs: toCosts(found.costs), buys: toPoint(found.buys) },
    groups: groups.map(({ code, pairs, costs, buys }) => ({
      ...{ code, pairs, text: textOf(code, by), buys: toPoint(buys) },
      costs: costs && sentenceOf(costs),
    })),
    maySet: cds.context!.user.is('Admin'),
  }
}

const textOf = (code: string, by: 'abc' | 'group') =>
  !code ? message('simulation_others') : by === 'abc' ? textOfClass(code) : plainCode(code)

type Values = Omit<FoundCosts, 'from'>

const toCosts = ({ stockoutCostShare, carryingCostSharePerYear, unmetDemand, weeks }: Values) => ({
  ...{ stockoutCostShare, carryingCostSharePerYear, unmetDemand, weeks: oneDecimal(weeks) },
  text: sentenceOf({ stockoutCostShare, carryingCostSharePerYear, unmetDemand, weeks }),
})

const oneDecimal = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)

const sentenceOf = ({ weeks, ...costs }: Values) =>
  message(weeks === null ? 'costs_free' : 'costs_text', {
    weeks: weeks && (weeks < 10 ? oneDecimal(weeks) : Math.round(weeks)),
    stockout: writtenShare(costs.stockoutCostShare),
    carrying: writtenShare(costs.carryingCostSharePerYear),
    unmet: message(`costs_${costs.unmetDemand}`),
  })

async function readPast({ data }: Request) {
  const by = validate(By, data).by ?? 'abc'
  const { from, to, all, groups, least } = await estimateCosts(by)
  const toRatio = (ratio: PastRatio, text: string) => ({
    ...{ code: ratio.code, text, pairs: ratio.pairs, note: noteOf(ratio, least) },
    weeks: oneDecimal(ratio.ratio?.weeks ?? null),
    low: oneDecimal(ratio.ratio?.low ?? null),
    high: oneDecimal(ratio.ratio?.high ?? null),
  })
  const ratios = groups.map((group) => toRatio(group, textOf(group.code, by)))
  return { fromDay: from, toDay: to, ratios: [toRatio(all, message('costs_all')), ...ratios] }
}

const noteOf = ({ ratio, reason }: PastRatio, least: object) =>
  ratio
    ? message('costs_past_from', { pairs: ratio.pairs, stockouts: ratio.stockouts })
    : message(`costs_past_${reason}`, { ...least })

const percent = () => z.number().min(0).max(1000).nullish()

/** The dialog sends 0 for an empty field of a whole number. */
const Words = z.object({
  skuGroup: z.string().max(100).nullish(),
  abcClass: z.enum(ABC_CLASSES).nullish(),
  unmetDemand: z.enum(UNMET_DEMANDS).nullish(),
  marginPercent: z.number().min(0).max(99).nullish(),
  latePercent: percent(),
  shortPerUnit: z.number().min(0).max(1e9).nullish(),
  weeks: z.number().min(0).max(5000).nullish(),
  storagePercent: percent(),
  interestPercent: percent(),
  writeOffPercent: z.number().min(0).max(100).nullish(),
  writeOffAfterDays: z.int().min(1).max(36_500).nullish(),
})

const wordsOf = ({ data }: Request): CostsInput => {
  const words = validate(Words, data)
  return { ...words, skuGroup: words.skuGroup || null, abcClass: words.abcClass ?? null }
}

async function readPreview(req: Request) {
  const { after, steps, now, then, currency, pairs } = await previewCosts(wordsOf(req))
  return {
    ...{ costs: toCosts(after), currency, pairs, now: toPoint(now), then: toPoint(then) },
    steps: steps.map(({ term, formula, value }) => ({
      ...{ term: message(`costs_step_${term}`), formula: formula || message('costs_kept'), value },
    })),
  }
}

async function storeCosts(req: Request) {
  const { costs } = await setCosts(wordsOf(req))
  return toCosts(costs)
}

// How to spend a budget best, and which suppliers have open proposals.

interface BudgetInput {
  supplier?: string | null
  currency?: string | null
  /** A decimal number or string. */
  budget?: string | number | null
  units?: number | null
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
