import { InvalidArgumentError, type Option } from 'commander'
import type { Policy } from '../../client/index.ts'
import { openClient, type Query, rowsOf } from '../client.ts'
import {
  callCommand,
  codes,
  collect,
  group,
  listCommand,
  numberLike,
  option,
  PAGING,
  textLike,
} from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note } from '../output.ts'

/** `restock policies …` */
export const policiesCommand = () =>
  group('policies', 'ordering rules: how pairs are replenished', [
    listCommand({
      name: 'list',
      summary: 'list the ordering rules',
      examples: ['policies list', 'policies list --sku A-100'],
      options: [...codes('sku', 'location', 'supplier', 'group'), ...PAGING],
      call: (query: Query<'/policies'>) => openClient().call('get', '/policies', { query }),
      needs: ['level'],
      none: "There are no rules: the ERP's planning data and the configured values hold.",
      columns: [
        ['For', nameOf],
        ['Says', describeRule],
        ['Set by', (row) => row.updated_by],
        ['Set at', (row) => row.updated_at],
      ],
    }),
    callCommand({
      name: 'set',
      summary: 'set values of an ordering rule; its other values stay',
      examples: [
        'policies set --sku A-100 --location L1 --lead-time-days 14',
        'policies set --supplier S-7 --minimum-order-value 500.00 --order-days 1,4',
        'policies set --default --review-period-days 7 --clear moq',
        'policies set --supplier S-7 --responsible bob',
        'policies set --class A --target-quantile 0.97',
      ],
      options: [
        ...KEY,
        ...VALUES,
        option('--clear <names>', 'values to remove from the rule, e.g. moq,lot-size', collect),
      ],
      call: set,
      needs: ['level'],
      tell: (rule) => `Rule for ${nameOf(rule)}: ${describeRule(rule)}.`,
    }),
    callCommand({
      name: 'remove',
      summary: 'remove an ordering rule',
      examples: ['policies remove --sku A-100'],
      options: KEY,
      call(options: KeyOptions) {
        const query = keyOf(options)
        return openClient().call('delete', '/policies', { query })
      },
      tell: (_nothing, options) => `Removed the rule for ${nameOf(keyOf(options))}.`,
    }),
  ])

interface KeyOptions {
  default?: true
  sku?: string
  location?: string
  supplier?: string
  group?: string
  class?: string
}

const KEY = [
  option('--default', 'for all pairs'),
  option('--sku <code>', 'for a SKU; with --location for that pair alone'),
  option('--location <code>', 'for a location'),
  option('--supplier <code>', 'for a supplier; with --location for its orders of that location'),
  option('--group <code>', 'for a group of SKUs'),
  option('--class <class>', 'for an ABC class; its costs or service target alone', ['A', 'B', 'C']),
]

const LEVELS: Record<string, Policy['level']> = {
  sku: 'sku',
  location: 'location',
  supplier: 'supplier',
  group: 'group',
  class_a: 'class_a',
  class_b: 'class_b',
  class_c: 'class_c',
  'sku location': 'sku+location',
  'location supplier': 'supplier+location',
  default: 'default',
}

/** The scope of a rule. @throws WrongUsage where the options are not a valid combination */
function keyOf({ default: all, sku, location, supplier, group, class: abcClass }: KeyOptions) {
  const given = Object.entries({ sku, location, supplier, group }).filter(([, code]) => code)
  const classes = abcClass ? [`class_${abcClass.toLowerCase()}`] : []
  const words = [...given.map(([name]) => name), ...classes, ...(all ? ['default'] : [])]
  const level = LEVELS[words.join(' ')]
  if (level) return { level, ...(Object.fromEntries(given) as Record<string, string>) }
  throw new WrongUsage(
    'Say what the rule is for: --default, --sku, --location, --supplier, --group, --class, or --sku or --supplier with --location.',
  )
}

/** `sku A-100 at L1` */
function nameOf(rule: Pick<Policy, 'level'> & Partial<Policy>): string {
  if (rule.level === 'sku+location') return `sku ${rule.sku} at ${rule.location}`
  if (rule.level === 'supplier+location') return `supplier ${rule.supplier} at ${rule.location}`
  if (rule.level.startsWith('class_')) return `class ${rule.level.slice(-1).toUpperCase()}`
  const code = rule.sku ?? rule.location ?? rule.supplier ?? rule.group
  return code ? `${rule.level} ${code}` : rule.level
}

const NUMBER = numberLike(/^\d{1,13}(\.\d{1,6})?$/, 'a number, not negative')
const AMOUNT = textLike(/^\d{1,13}(\.\d{1,4})?$/, 'an amount such as 500.00')

const NUMBERS = {
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

/** An option for each value that a rule may set: `--lead-time-days 14` sets `lead_time_days`. */
const VALUES: Option[] = [
  ...Object.entries(NUMBERS).map(([name, what]) => option(`--${name} <n>`, what, NUMBER)),
  option('--unmet-demand <what>', 'what becomes of demand that finds no stock', [
    'backordered',
    'lost',
  ]),
  option('--price-breaks <prices>', 'prices from quantities on, e.g. 200=1.95,600=1.94', prices),
  option('--minimum-order-value <amount>', "lowest value of a supplier's order", AMOUNT),
  option('--free-freight-from <amount>', 'value from which on an order has no freight', AMOUNT),
  option('--freight-cost <amount>', 'freight of an order below that', AMOUNT),
  option('--order-cost <amount>', 'cost of an order, whatever its lines', AMOUNT),
  option('--orders-by-location', "a supplier's order is one location's"),
  option(
    '--no-orders-by-location',
    "a supplier's order holds all locations, whatever the ERP says",
  ),
  option('--order-days <days>', 'weekdays on which the supplier takes orders, e.g. 1,4', weekdays),
  option('--responsible <user>', 'the buyer whose work the lines are'),
  option('--team-lead <user>', 'who is told of due lines that nobody decided'),
]

/** The name of each value as commander has it, by its flag. */
const NAMES = new Map(VALUES.map((each) => [each.name().replace(/^no-/, ''), each.attributeName()]))

const fieldOf = (flag: string) => flag.replaceAll('-', '_')

type SetOptions = KeyOptions & { clear?: string[] } & Record<string, unknown>

async function set({ clear = [], ...options }: SetOptions) {
  const key = keyOf(options)
  const unknown = clear.find((name) => !NAMES.has(name))
  if (unknown !== undefined)
    throw new WrongUsage(`--clear does not know ${unknown}: name values as their flags, e.g. moq.`)
  const given = [...NAMES].flatMap(([flag, name]) =>
    isValue(options[name]) ? [[fieldOf(flag), options[name]] as const] : [],
  )
  if (!given.length && !clear.length)
    throw new WrongUsage('Give at least one value, e.g. --lead-time-days 14.')
  const client = openClient()
  // The rule's present values are sent again, because the API replaces the whole rule.
  const { data } = await client.call('get', '/policies', { query: { ...key, limit: 1 } })
  const [before] = rowsOf(data, ['level'])
  const values = new Map([...(before ? valuesIn(before) : []), ...given])
  for (const name of clear) values.delete(fieldOf(name))
  const body = { ...key, ...Object.fromEntries(values) }
  const answer = await client.call('put', '/policies', { body })
  for (const { message } of answer.data.warnings ?? []) note(message)
  return answer
}

const NO_VALUES = 'level sku location supplier group updated_at updated_by warnings'.split(' ')

type PriceBreaks = NonNullable<Policy['price_breaks']>
type Value = string | number | boolean | number[] | PriceBreaks

/** The values that a rule sets; unknown fields of a newer server count as values too. */
const valuesIn = (rule: Policy) =>
  Object.entries(rule).filter(
    (entry): entry is [string, Value] => !NO_VALUES.includes(entry[0]) && isValue(entry[1]),
  )

function isValue(value: unknown): value is Value {
  return Array.isArray(value) || ['string', 'number', 'boolean'].includes(typeof value)
}

/** `lead_time_days 14, moq 40` */
function describeRule(rule: Policy): string {
  return valuesIn(rule)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.map(textOf).join('+') : value}`)
    .join(', ')
}

/** A weekday, or a price from a quantity on. */
const textOf = (value: number | PriceBreaks[number]) =>
  typeof value === 'number' ? String(value) : `${value.from_quantity}=${value.unit_cost}`

function prices(text: string) {
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
