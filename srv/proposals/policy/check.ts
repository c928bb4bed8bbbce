import {
  LEAST_STEP,
  MOST_UNITS,
  POLICY_AMOUNTS,
  POLICY_KEY_NAMES,
  POLICY_KEYS,
  POLICY_LEVELS,
  POLICY_NUMBERS,
  type PolicyLevel,
  type PolicyRule,
  SUPPLIER_VALUES,
  WEEKDAYS,
} from '../../policy-values.ts'
import { Refusal } from '../../errors.ts'
import { MOST_PRICE_BREAKS, type PriceBreakOfRule } from '../../price-breaks.ts'
import { valuesOf, toPolicy } from './rows.ts'

const SUPPLIER_LEVELS: PolicyLevel[] = ['supplier', 'supplier+location']
const SKU_LEVELS: PolicyLevel[] = ['sku', 'sku+location']

const MONEY = /^\d{1,13}(\.\d{1,4})?$/

/**
 * Checks that a rule has the keys that its level needs, and only values that are allowed there.
 * @throws Refusal invalid_parameter, the field in `target`
 */
export function checkRule(rule: PolicyRule) {
  checkKey(rule)
  for (const [name, { least, most, ...range }] of Object.entries(POLICY_NUMBERS)) {
    const value = rule[name as keyof typeof POLICY_NUMBERS]
    if (value == null) continue
    const whole = 'whole' in range
    const isAllowed = value >= least && value <= most && (!whole || Number.isInteger(value))
    if (!isAllowed) {
      throw refused(name, `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`)
    }
  }
  for (const name of POLICY_AMOUNTS) {
    if (rule[name] != null && !MONEY.test(rule[name])) {
      throw refused(name, 'must be a decimal string such as "500.00"')
    }
  }
  const { freeFreightFrom, freightCost, orderDays, priceBreaks } = rule
  if ((freeFreightFrom == null) !== (freightCost == null)) {
    const missing = freightCost == null ? 'freightCost' : 'freeFreightFrom'
    throw refused(missing, 'is required: freight is free from an amount, and costs something below')
  }
  if (orderDays?.some((day) => !(WEEKDAYS as readonly number[]).includes(day))) {
    throw refused('orderDays', 'must be weekdays from 1 (Monday) to 7')
  }
  if (priceBreaks) checkPriceBreaks(priceBreaks)
  checkValues(rule)
}

function checkPriceBreaks(breaks: PriceBreakOfRule[]) {
  if (breaks.length > MOST_PRICE_BREAKS) {
    throw refused('priceBreaks', `must be at most ${MOST_PRICE_BREAKS}`)
  }
  const quantities = breaks.map(({ fromQuantity }) => fromQuantity)
  if (!quantities.every((each) => each >= LEAST_STEP && each <= MOST_UNITS)) {
    throw refused('priceBreaks', `must have quantities from ${LEAST_STEP} to ${MOST_UNITS}`)
  }
  if (!quantities.every((each) => Number(each.toFixed(6)) === each)) {
    throw refused('priceBreaks', 'must have quantities of at most six decimals')
  }
  if (new Set(quantities).size < breaks.length) {
    throw refused('priceBreaks', 'must name each quantity once')
  }
  if (!breaks.every(({ unitCost }) => MONEY.test(unitCost))) {
    throw refused('priceBreaks', 'must have prices that are decimal strings such as "1.95"')
  }
}

/** @throws Refusal invalid_parameter */
export function checkKey(rule: PolicyRule) {
  if (!POLICY_LEVELS.includes(rule.level)) {
    throw refused('level', `must be one of ${POLICY_LEVELS.join(', ')}`)
  }
  const named: readonly string[] = POLICY_KEYS[rule.level]
  for (const name of POLICY_KEY_NAMES) {
    const given = rule[name] != null && rule[name] !== ''
    if (named.includes(name) && !given) {
      throw refused(name, `is required for a rule of the level ${rule.level}`)
    }
    if (!named.includes(name) && given) {
      throw refused(name, `does not belong to a rule of the level ${rule.level}`)
    }
  }
}

function checkValues(rule: PolicyRule) {
  for (const name of SUPPLIER_VALUES) {
    if (rule[name] != null && !SUPPLIER_LEVELS.includes(rule.level)) {
      throw refused(name, 'can only be set for the levels supplier and supplier+location')
    }
  }
  if (rule.ordersByLocation != null && rule.level !== 'supplier') {
    throw refused('ordersByLocation', 'can only be set for the level supplier')
  }
  if (rule.priceBreaks?.length && !SKU_LEVELS.includes(rule.level)) {
    throw refused('priceBreaks', 'can only be set for the levels sku and sku+location')
  }
  const costs = rule.stockoutCostShare ?? rule.carryingCostSharePerYear
  if (rule.targetQuantile != null && costs != null) {
    throw refused('targetQuantile', 'stands instead of the costs: give it or them, not both')
  }
  const { moq, maximumOrder } = rule
  if (moq != null && maximumOrder != null && maximumOrder < moq) {
    throw refused('maximumOrder', `must not be below moq, which is ${moq}`)
  }
  if (!Object.keys(valuesOf(toPolicy(rule))).length) {
    throw refused('level', 'a rule must set at least one value; delete it to take it away')
  }
}

const snake = (name: string) =>
  name === 'skuGroup' ? 'group' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const refused = (name: string, what: string) =>
  new Refusal('invalid_parameter', `${snake(name)}: ${what}`, { target: snake(name) })
