// What a stockout and stock cost: the costs in force, whether anybody has said them, and setting them in a planner's words.
import cds from '@sap/cds'
import { ABC_CLASSES } from '../../../../engine/index.ts'
import {
  CostFault,
  type CostsInForce,
  costsOfWords,
  type CostStep,
  type StatedCosts,
  weeksOf,
} from '../../../../engine/proposal/index.ts'
import { visibleTo } from '../../authority/index.ts'
import { Refusal } from '../../../base/errors.ts'
import { settings } from '../../../base/settings/config.ts'
import { SETTINGS } from '../../../base/settings/settings.ts'
import { message } from '../../../base/texts/texts.ts'
import { toSnake } from '../../../base/texts/case.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { priceOfDemand, simulateCosts, simulateGroups } from '../explain/simulate.ts'
import type { By, CostsFor, Point } from '../explain/simulation-curve.ts'
import { PolicyBook } from '../policy/planning.ts'
import { listPolicies, setPolicy } from '../policy/rules.ts'
import { CLASS_LEVELS, type PolicyKey } from '../policy/values.ts'
import { rowsOfReader } from '../readers.ts'

/** Costs with where they come from. */
export interface FoundCosts extends CostsInForce {
  /** Of a unit short: `configured`, or the rule that says it. */
  from: string
  /** How many weeks one may carry a unit for what a unit short costs; null where carrying costs nothing. */
  weeks: number | null
}

const ALL: CostsFor = { skuGroup: null, abcClass: null }

/** The costs in force of these pairs, as far as no rule of a SKU, supplier or location says otherwise. */
async function readCosts(of: CostsFor = ALL): Promise<FoundCosts> {
  const subject = { sku: '', location: '', supplier: null, ...of }
  const own = (await PolicyBook.read([subject])).of(subject)
  const { stockoutCostShare, carryingCostSharePerYear, unmetDemand } = settings()
  const stockout = own.decide('stockoutCostShare', null, stockoutCostShare)
  const costs = {
    stockoutCostShare: stockout.value!,
    carryingCostSharePerYear: own.decide('carryingCostSharePerYear', null, carryingCostSharePerYear)
      .value!,
    unmetDemand: own.decide('unmetDemand', null, unmetDemand).value!,
  }
  return { ...costs, from: stockout.from!, weeks: weeksOf(costs) }
}

const COSTS = ['stockoutCostShare', 'carryingCostSharePerYear', 'unmetDemand'] as const

/** Whether anybody has said the costs, or a service target instead: in the rule for everything, or in the configuration. */
async function areCostsSet(): Promise<boolean> {
  const before = await findRule(ALL)
  if (before && [...COSTS, 'targetQuantile' as const].some((name) => before[name] !== null)) {
    return true
  }
  const [own, shipped] = [settings(), SETTINGS.parse({})]
  return COSTS.some((name) => own[name] !== shipped[name])
}

/** What the shipped costs assume, as long as nobody has said others; null once somebody has. */
export async function costsQuestion(language?: string): Promise<string | null> {
  if (await areCostsSet()) return null
  const { weeks } = await readCosts()
  return message('costs_question', { weeks: Math.round(weeks ?? 0) }, language)
}

export interface CostsOfGroup {
  code: string
  source: number | null
  pairs: number
  /** Null where no rule is for it alone. */
  costs: FoundCosts | null
  buys: Point
}

export interface CostsStatement {
  isSet: boolean
  costs: FoundCosts
  currency: string
  /** The pairs behind what they buy, and how many of them were simulated. */
  pairs: number
  simulated: number
  buys: Point
  groups: CostsOfGroup[]
}

/** The costs in force, and the service and stock that they buy in the long run on the data of the user. */
export async function costsStatement(by: Extract<By, 'abc' | 'group'>): Promise<CostsStatement> {
  const visible = await rowsOfReader()
  return runDetached('costs', async () => {
    const { groups, ...found } = await simulateGroups(by, visible)
    const ofGroups: CostsOfGroup[] = []
    for (const group of groups) {
      const of = group.code ? costsFor(by, group.code) : null
      ofGroups.push({ ...group, costs: of && (await readCosts(of)) })
    }
    return {
      ...{ isSet: await areCostsSet(), costs: await readCosts() },
      ...{ currency: settings().currency, ...found, groups: ofGroups },
    }
  })
}

const costsFor = (by: 'abc' | 'group', code: string): CostsFor =>
  by === 'group'
    ? { ...ALL, skuGroup: code }
    : { ...ALL, abcClass: ABC_CLASSES.find((each) => each === code) ?? null }

/** What is said of costs, and for whom. */
export interface CostsInput extends StatedCosts, Partial<CostsFor> {}

export interface CostsPreview extends CostsFor {
  before: FoundCosts
  after: CostsInForce & { weeks: number | null }
  /** The arithmetic from the words to the costs. */
  steps: CostStep[]
  currency: string
  pairs: number
  /** What the pairs come to with the costs in force, and with the others. */
  now: Point
  then: Point
}

/**
 * What a planner's words mean for the costs, and these for service and stock. It changes nothing.
 * @throws Refusal invalid_parameter
 */
export async function previewCosts(input: CostsInput): Promise<CostsPreview> {
  const { of, words } = splitInput(input)
  const visible = await rowsOfReader()
  return runDetached('costs', async () => {
    const before = await readCosts(of)
    const unitCost = words.shortPerUnit == null ? null : await priceOfDemand(of, visible)
    const { costs, steps } = toCosts(words, before, unitCost)
    const found = await simulateCosts(costs, of, visible)
    return {
      ...{ ...of, before, steps, currency: settings().currency },
      ...{ after: { ...costs, weeks: weeksOf(costs) }, ...found },
    }
  })
}

/**
 * Sets the costs in the ordering rule for everything, for a group or for an ABC class; its other values stay, but a service target, which
 * would stand in the way. Proposals are recomputed, and the rule is audited with who set it.
 * @throws Refusal invalid_parameter, insufficient_scope
 */
export async function setCosts(input: CostsInput) {
  const { of, words } = splitInput(input)
  // Who may set rules need not see proposals.
  const visible = await visibleTo(cds.context!.user)
  // Before anything is read: a transaction would hold SQLite's one connection meanwhile.
  const unitCost =
    words.shortPerUnit == null ? null : await runDetached('costs', () => priceOfDemand(of, visible))
  const before = await readCosts(of)
  const { costs, steps } = toCosts(words, before, unitCost)
  const rule = await findRule(of)
  await setPolicy({ ...rule, ...keyOfCosts(of), targetQuantile: null, ...costs })
  return { ...of, costs: await readCosts(of), steps }
}

/** @throws Refusal invalid_parameter where both a group and a class are named */
function splitInput({ skuGroup = null, abcClass = null, ...words }: CostsInput) {
  if (skuGroup !== null && abcClass !== null) {
    const text = 'abc_class: costs are of an SKU group or of an ABC class, not of both'
    throw new Refusal('invalid_parameter', text, { target: 'abc_class' })
  }
  return { of: { skuGroup, abcClass }, words }
}

function toCosts(words: StatedCosts, before: CostsInForce, unitCost: number | null) {
  if (Object.values(words).every((value) => value == null)) {
    throw new Refusal('invalid_parameter', 'weeks: nothing is said of the costs', {
      target: 'weeks',
    })
  }
  try {
    return costsOfWords(words, before, unitCost)
  } catch (error) {
    if (!(error instanceof CostFault)) throw error
    const target = toSnake(error.member)
    throw new Refusal('invalid_parameter', `${target}: ${error.message}`, { target })
  }
}

const keyOfCosts = ({ skuGroup, abcClass }: CostsFor): PolicyKey => ({
  level: skuGroup !== null ? 'group' : abcClass ? CLASS_LEVELS[abcClass] : 'default',
  ...{ skuGroup: skuGroup ?? '', supplier: '', sku: '', location: '' },
})

async function findRule(of: CostsFor) {
  const { data } = await listPolicies({ filter: keyOfCosts(of), limit: 1 })
  return data[0] ?? null
}
