// The values of a rule as options: `--lead-time-days 14` sets `lead_time_days`.
import { InvalidArgumentError, type Command } from 'commander'

const NUMBERS: Record<string, string> = {
  'review-period-days': 'days between order decisions',
  'stockout-cost-share': 'cost of a unit short, as a share of the unit cost',
  'carrying-cost-share-per-year': 'cost of keeping a unit for a year, as a share of the unit cost',
  'target-quantile': 'up to which quantile of demand to order, 0.5 to 0.99, instead of the costs',
  'lead-time-days': 'from the order to usable stock',
  'lead-time-deviation-days': 'standard deviation of the lead time',
  moq: 'minimum order quantity',
  'lot-size': 'orders are multiples of it',
  'maximum-order': 'the most of one order',
  'maximum-stock': 'the most that stock and orders may come to',
  'shelf-life-days': 'how long a unit can be used after its arrival',
  'minimum-order-quantity': "lowest quantity of a supplier's order",
  'container-units': "units per container; a supplier's order fills whole containers",
}

/** Adds an option for each value that a rule may set. */
export function withValues(command: Command): Command {
  for (const [name, what] of Object.entries(NUMBERS)) {
    command.option(`--${name} <n>`, what, number)
  }
  return command
    .option('--price-breaks <prices>', 'prices from quantities on, e.g. 200=1.95,600=1.94', prices)
    .option('--minimum-order-value <amount>', "lowest value of a supplier's order", amount)
    .option('--free-freight-from <amount>', 'value from which on an order has no freight', amount)
    .option('--freight-cost <amount>', 'freight of an order below that', amount)
    .option('--orders-by-location', "a supplier's order is one location's")
    .option(
      '--no-orders-by-location',
      "a supplier's order holds all locations, whatever the ERP says",
    )
    .option(
      '--order-days <days>',
      'weekdays on which the supplier takes orders, e.g. 1,4',
      weekdays,
    )
}

type Price = { from_quantity: number; unit_cost: string }
type Value = string | number | boolean | number[] | Price[] | null

/** Those that are no numbers. */
const OTHERS = [
  ...['price-breaks', 'minimum-order-value', 'free-freight-from', 'freight-cost'],
  ...['orders-by-location', 'order-days'],
]

/** The given values, by the API's names. */
export function valuesOf(options: Record<string, unknown>): Record<string, Value> {
  const names = [...Object.keys(NUMBERS), ...OTHERS]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = options[camel(name)] as Value | undefined
      return value === undefined ? [] : [[name.replaceAll('-', '_'), value]]
    }),
  )
}

/** `lead_time_days` for `lead-time-days`; undefined for an unknown name. */
export function fieldOf(name: string): string | undefined {
  const isValue = name in NUMBERS || OTHERS.includes(name)
  return isValue ? name.replaceAll('-', '_') : undefined
}

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function number(text: string): number {
  if (/^\d{1,13}(\.\d{1,6})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, not negative.')
}

function amount(text: string): string {
  if (/^\d{1,13}(\.\d{1,4})?$/.test(text)) return text
  throw new InvalidArgumentError('It must be an amount such as 500.00.')
}

function prices(text: string): Price[] {
  return text.split(',').map((part) => {
    const [, from, cost] = /^(\d{1,13}(?:\.\d{1,6})?)=(\d{1,13}(?:\.\d{1,4})?)$/.exec(part) ?? []
    if (from && cost) return { from_quantity: Number(from), unit_cost: cost }
    throw new InvalidArgumentError('It must be quantities with a price, e.g. 200=1.95,600=1.94.')
  })
}

function weekdays(text: string): number[] {
  if (/^[1-7](,[1-7])*$/.test(text)) return text.split(',').map(Number)
  throw new InvalidArgumentError('It must be weekdays from 1 (Monday) to 7, e.g. 1,4.')
}
