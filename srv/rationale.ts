// Why a quantity is proposed, in the language of the reader. The engine stores the same sentence in English
// (engine/proposal/rationale.ts), which has no other language.
import { MAX_HORIZON_DAYS } from '../engine/horizon.ts'
import { orderQuantity } from '../engine/inventory/limits.ts'
import { inventoryPosition } from '../engine/inventory/position.ts'
import type { Calculation } from '../engine/proposal/index.ts'
import { message, type Places } from './texts.ts'

/** What a proposal says of itself. */
export interface Explained {
  calculation: Calculation
  /** The stored sentence. */
  rationale: string
  /** Of a transfer: the location that gives. */
  fromLocation: string | null
}

export function rationaleIn(language: string, proposal: Explained): string {
  const { calculation, fromLocation, rationale } = proposal
  if (language.startsWith('en')) return rationale
  const why = new Rationale(language).of(calculation)
  if (!fromLocation) return why
  const { quantity } = calculation
  return `${message('why_transfer', { quantity, from: fromLocation }, language)} ${why}`
}

export class Rationale {
  readonly #language: string

  constructor(language: string) {
    this.#language = language
  }

  of(calculation: Calculation): string {
    const { p50, horizonDays } = calculation
    const parts = [
      this.#say('why_demand', { p50, days: this.#days('days_of', horizonDays) }),
      this.#coverage(calculation),
      this.#say('why_lead_time', { days: this.#leadTime(calculation) }),
      ...this.#rounding(calculation),
      ...this.#limits(calculation),
      ...this.#supplierMinimum(calculation),
    ]
    return `${parts.join('; ')}.`
  }

  #say(key: string, places: Places = {}) {
    return message(key, places, this.#language)
  }

  #count(key: string, count: number) {
    return this.#say(key, { count: rounded(count) })
  }

  #days(key: string, count: number) {
    return this.#count(count === 1 ? `${key}_one` : key, count)
  }

  #coverage(calculation: Calculation) {
    const { p50, netRequirement } = calculation
    const target = this.#say('why_target', { target: this.#target(calculation) })
    const places = { supply: this.#supply(calculation), target }
    if (netRequirement === 0) return this.#say('why_covers', places)
    const key = inventoryPosition(calculation) >= p50 ? 'why_covers_short' : 'why_short'
    return this.#say(key, { ...places, missing: rounded(netRequirement) })
  }

  #supply({ onHand, onOrder, openProposals }: Calculation) {
    const supply = [this.#count('why_on_hand', onHand)]
    if (onOrder !== 0 || openProposals === 0) supply.push(this.#count('why_on_order', onOrder))
    if (openProposals !== 0) supply.push(this.#count('why_open_proposals', openProposals))
    return this.#listed(supply)
  }

  #target(calculation: Calculation) {
    const { targetStock, targetQuantile, leadTimeSafety, beyondHorizon, backorders } = calculation
    const level = Math.round(targetQuantile * 100)
    const first = this.#say('why_target_stock', { count: rounded(targetStock), level })
    const more: string[] = []
    if (beyondHorizon) {
      const further = calculation.leadTimeDays + calculation.reviewPeriodDays - MAX_HORIZON_DAYS
      const days = this.#days('days', further)
      more.push(this.#say('why_beyond', { count: rounded(beyondHorizon), days }))
    }
    if (leadTimeSafety) more.push(this.#count('why_lead_time_safety', leadTimeSafety))
    if (backorders) more.push(this.#count('why_backorders', backorders))
    const sum = more.length ? this.#say('why_plus', { first, more: this.#listed(more) }) : first
    const { coveredLater } = calculation
    if (!coveredLater) return sum
    return this.#say('why_covered_later', { sum, count: rounded(coveredLater) })
  }

  #leadTime({ leadTimeDays, leadTimeDeviationDays }: Calculation) {
    const days = this.#days('days', leadTimeDays)
    if (!leadTimeDeviationDays) return days
    return this.#say('why_deviation', { days, deviation: rounded(leadTimeDeviationDays) })
  }

  #rounding({ netRequirement, moq, lotSize, quantity }: Calculation) {
    const count = orderQuantity(netRequirement, { moq, lotSize })
    if (count === netRequirement || quantity < netRequirement) return []
    const rules: string[] = []
    if (moq > netRequirement) rules.push(this.#count('why_moq', moq))
    if (lotSize !== 1) rules.push(this.#count('why_lot', lotSize))
    if (rules.length === 0) rules.push(this.#say('why_whole'))
    return [this.#say('why_rounded', { count, rules: this.#listed(rules) })]
  }

  #limits(calculation: Calculation) {
    const { drivers, maximumOrder, maximumStock, shelfLifeDays } = calculation
    const rules: string[] = []
    if (drivers.includes('max_order_cap'))
      rules.push(this.#count('why_maximum_order', maximumOrder!))
    if (drivers.includes('max_stock_cap'))
      rules.push(this.#count('why_maximum_stock', maximumStock!))
    if (drivers.includes('shelf_life_cap')) {
      const days = this.#days('days_of', shelfLifeDays!)
      rules.push(this.#say('why_shelf_life', { days }))
    }
    if (!rules.length) return []
    const count = calculation.quantity - (calculation.supplierMinimum ?? 0)
    return [this.#say('why_cut', { count, rules: this.#listed(rules) })]
  }

  #supplierMinimum({ supplierMinimum, quantity }: Calculation) {
    if (!supplierMinimum) return []
    return [this.#say('why_supplier_minimum', { count: supplierMinimum, total: quantity })]
  }

  /** a, b and c */
  #listed(parts: string[]) {
    const last = parts.at(-1)!
    if (parts.length === 1) return last
    return this.#say('and', { first: parts.slice(0, -1).join(', '), last })
  }
}

/** Without the noise of binary fractions. */
const rounded = (units: number) => Number(units.toFixed(3))
