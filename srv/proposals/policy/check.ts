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
import { message, type Places } from '../../texts.ts'
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
      throw refused(name, whole ? 'whole_number' : 'number', { least, most })
    }
  }
  for (const name of POLICY_AMOUNTS) {
    if (rule[name] != null && !MONEY.test(rule[name])) {
      throw refused(name, 'amount')
    }
  }
  const { freeFreightFrom, freightCost, orderDays, priceBreaks } = rule
  if ((freeFreightFrom == null) !== (freightCost == null)) {
    const missing = freightCost == null ? 'freightCost' : 'freeFreightFrom'
    throw refused(missing, 'freight')
  }
  if (orderDays?.some((day) => !(WEEKDAYS as readonly number[]).includes(day))) {
    throw refused('orderDays', 'weekdays')
  }
  if (priceBreaks) checkPriceBreaks(priceBreaks)
  checkValues(rule)
}

function checkPriceBreaks(breaks: PriceBreakOfRule[]) {
  if (breaks.length > MOST_PRICE_BREAKS) {
    throw refused('priceBreaks', 'prices', { most: MOST_PRICE_BREAKS })
  }
  const quantities = breaks.map(({ fromQuantity }) => fromQuantity)
  if (!quantities.every((each) => each >= LEAST_STEP && each <= MOST_UNITS)) {
    throw refused('priceBreaks', 'quantities', { least: LEAST_STEP, most: MOST_UNITS })
  }
  if (!quantities.every((each) => Number(each.toFixed(6)) === each)) {
    throw refused('priceBreaks', 'decimals')
  }
  if (new Set(quantities).size < breaks.length) {
    throw refused('priceBreaks', 'twice')
  }
  if (!breaks.every(({ unitCost }) => MONEY.test(unitCost))) {
    throw refused('priceBreaks', 'price')
  }
}

/** @throws Refusal invalid_parameter */
export function checkKey(rule: PolicyRule) {
  if (!POLICY_LEVELS.includes(rule.level)) {
    throw refused('level', 'one_of', { names: POLICY_LEVELS.join(', ') })
  }
  const named: readonly string[] = POLICY_KEYS[rule.level]
  for (const name of POLICY_KEY_NAMES) {
    const given = rule[name] != null && rule[name] !== ''
    if (named.includes(name) && !given) {
      throw refused(name, 'named', { level: rule.level })
    }
    if (!named.includes(name) && given) {
      throw refused(name, 'not_named', { level: rule.level })
    }
  }
}

function checkValues(rule: PolicyRule) {
  for (const name of SUPPLIER_VALUES) {
    if (rule[name] != null && !SUPPLIER_LEVELS.includes(rule.level)) {
      throw refused(name, 'levels', { names: SUPPLIER_LEVELS.join(', ') })
    }
  }
  if (rule.ordersByLocation != null && rule.level !== 'supplier') {
    throw refused('ordersByLocation', 'levels', { names: 'supplier' })
  }
  if (rule.priceBreaks?.length && !SKU_LEVELS.includes(rule.level)) {
    throw refused('priceBreaks', 'levels', { names: SKU_LEVELS.join(', ') })
  }
  const costs = rule.stockoutCostShare ?? rule.carryingCostSharePerYear
  if (rule.targetQuantile != null && costs != null) {
    throw refused('targetQuantile', 'target_or_costs')
  }
  const { moq, maximumOrder } = rule
  if (moq != null && maximumOrder != null && maximumOrder < moq) {
    throw refused('maximumOrder', 'below_moq', { moq })
  }
  if (!Object.keys(valuesOf(toPolicy(rule))).length) {
    throw refused('level', 'empty')
  }
}

const snake = (name: string) =>
  name === 'skuGroup' ? 'group' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** @param fault `invalid_<fault>` of _i18n/messages.json */
function refused(name: string, fault: string, places: Places = {}) {
  const [target, key] = [snake(name), `invalid_${fault}`]
  const text = `${target}: ${message(key, places, 'en')}`
  return new Refusal('invalid_parameter', text, { target, sentence: { key, places } })
}
