// What planners know: events of the calendar, public holidays, and demand that they expect instead of the forecast.
import type { ForecastOverride, HolidayCalendar, PlannedEvent } from '../../client/index.ts'
import { type Body, dataOf, openClient, type Query, rowsOf } from '../client.ts'
import {
  apiCommand,
  calendarDay,
  callCommand,
  codes,
  group,
  type Json,
  listCommand,
  mandatory,
  numberLike,
  option,
  PAGING,
} from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

const DECIMAL = numberLike(/^\d{1,9}(\.\d{1,6})?$/, 'a number, not negative')
const QUANTITY = numberLike(/^\d{1,10}(\.\d{1,6})?$/, 'a number, not negative')
const PERCENTAGE = numberLike(/^[+-]?\d{1,3}(\.\d{1,4})?$/, 'a number such as 20 or -15')

const KINDS = 'promotion, price, event, holiday or closure'
const SELECTORS = [
  option('--sku <code>', 'for this SKU (all)'),
  option('--location <code>', 'at this location (all)'),
  option('--group <code>', 'for this group of SKUs (all)'),
]
const FILTERS = [
  ...codes('sku', 'location', 'group'),
  option('--all', 'also what is over'),
  ...PAGING,
]

/** The filters of a list that is of what is not over, unless all is wanted. */
function filtersOf<Filters extends { all?: true }>({ all, ...filters }: Filters) {
  const today = new Date().toISOString().slice(0, 10)
  return { ...filters, ...(!all && { not_before: today }) }
}

/** `restock plan …` */
export const planCommand = () =>
  group('plan', 'what is planned: promotions, prices, events, holidays, closures', [
    listCommand({
      name: 'list',
      summary: 'list what is planned, newest entry first',
      examples: ['plan list', 'plan list --kind closure --all'],
      options: [option('--kind <kind>', KINDS), ...FILTERS],
      call: (options: Query<'/planned-events'> & { all?: true }) =>
        openClient().call('get', '/planned-events', { query: filtersOf(options) }),
      needs: ['id', 'kind'],
      none: 'Nothing is planned.',
      columns: [
        ['Id', (row) => row.id],
        ['Kind', (row) => row.kind],
        ['Days', daysOf],
        ['For', selectorsOf],
        ['Factor', (row) => row.factor],
        ['Name', (row) => row.name],
        [
          'Set by',
          ({ origin, source_id, changed_by }) =>
            origin === 'holiday' ? 'public holiday' : (source_id ?? changed_by),
        ],
      ],
    }),
    callCommand({
      name: 'add',
      summary: 'enter an event; what it concerns is forecast and proposed anew',
      examples: [
        'plan add --kind closure --location L1 --from 2026-12-24 --to 2026-12-26',
        'plan add --kind event --group tools --from 2027-01-11 --to 2027-01-15 --factor 1.5 --name "Trade fair"',
      ],
      options: [
        mandatory('--kind <kind>', KINDS),
        mandatory('--from <day>', 'first day, YYYY-MM-DD', calendarDay),
        option('--to <day>', 'last day (the first)', calendarDay),
        ...SELECTORS,
        option(
          '--factor <number>',
          'demand over that of the same days without it, e.g. 1.5',
          DECIMAL,
        ),
        option('--price <number>', 'the price that holds', DECIMAL),
        option('--name <text>', 'what it is'),
      ],
      call: (body: Body<'post', '/planned-events'>) =>
        openClient().call('post', '/planned-events', { body }),
      needs: ['id', 'kind', 'concerns'],
      tell(event) {
        const where = `${selectorsOf(event)}: it concerns ${event.concerns} SKUs at locations`
        return `Entered ${event.id}, ${event.kind} for ${where}.`
      },
    }),
    callCommand({
      name: 'remove',
      summary: 'remove an event from the calendar',
      examples: ['plan remove plan_12'],
      args: { '<id>': '' },
      call: (_options, id) => openClient().call('delete', '/planned-events/{id}', { path: { id } }),
      tell: (_nothing, _options, id) => `Removed ${id}.`,
    }),
    apiCommand({
      name: 'holidays',
      summary: 'show or say whose public holidays hold at which location',
      examples: [
        'plan holidays',
        'plan holidays --country DE',
        'plan holidays --country DE --region BY --location L1',
        'plan holidays --location L2 --none',
      ],
      options: [
        option('--country <code>', 'the two letters of a country, e.g. DE'),
        option('--region <code>', 'a part of it with holidays of its own, e.g. BY (none)'),
        option('--location <code>', 'at this location (all that have no country of their own)'),
        option('--none', 'no public holidays there'),
        option('--remove', 'take back what was said'),
      ],
      run: holidays,
    }),
  ])

/** `restock overrides …` */
export const overridesCommand = () =>
  group('overrides', 'what planners say of coming demand instead of the forecast', [
    listCommand({
      name: 'list',
      summary: 'list what planners say instead of forecasts, newest first',
      examples: ['overrides list', 'overrides list --sku A-100 --all'],
      options: FILTERS,
      call: (options: Query<'/forecast-overrides'> & { all?: true }) =>
        openClient().call('get', '/forecast-overrides', { query: filtersOf(options) }),
      needs: ['id', 'from'],
      none: 'No forecast is adjusted.',
      columns: [
        ['Id', (row) => row.id],
        ['Change', changeOf],
        ['Days', daysOf],
        ['For', selectorsOf],
        ['Status', (row) => row.status],
        ['Error', errorOf],
        ['Reason', (row) => row.reason],
        ['Set by', (row) => row.created_by],
      ],
    }),
    callCommand({
      name: 'add',
      summary: 'raise or lower forecasts for a time; proposals are made anew by them',
      examples: [
        'overrides add --sku A-100 --location L1 --to 2026-12-24 --percent 20 --reason "Christmas"',
        'overrides add --group tools --from 2027-01-11 --to 2027-01-15 --units 500 --reason "Trade fair"',
      ],
      options: [
        mandatory('--to <day>', 'last day, YYYY-MM-DD', calendarDay),
        option('--from <day>', 'first day (today)', calendarDay),
        ...SELECTORS,
        option('--percent <number>', 'by which demand will be more, or less: 20, -15', PERCENTAGE),
        option('--units <number>', 'demand of all its days and all that it names', QUANTITY),
        mandatory('--reason <text>', 'why'),
      ],
      call: (body: Body<'post', '/forecast-overrides'>) =>
        openClient().call('post', '/forecast-overrides', { body }),
      needs: ['id', 'from', 'concerns'],
      tell(override) {
        const { id, from, to, concerns } = override
        const where = `${selectorsOf(override)}, ${from} to ${to}`
        return `Entered ${id}, ${changeOf(override)} for ${where}: it concerns ${concerns} SKUs at locations.`
      },
    }),
    callCommand({
      name: 'remove',
      summary: 'remove a forecast override that is not over',
      examples: ['overrides remove ovr_12'],
      args: { '<id>': '' },
      call: (_options, id) =>
        openClient().call('delete', '/forecast-overrides/{id}', { path: { id } }),
      tell: (_nothing, _options, id) => `Removed ${id}.`,
    }),
  ])

function daysOf({ from, to }: { from: string; to: string }): string {
  return from === to ? from : `${from} to ${to}`
}

/** `sku A-100, location L1` */
function selectorsOf({ sku, location, group }: Pick<PlannedEvent, 'sku' | 'location' | 'group'>) {
  const named = Object.entries({ sku, group, location }).filter(([, code]) => code)
  return named.map(([name, code]) => `${name} ${code}`).join(', ') || 'all'
}

/** `-33 %` for a third less than the forecast's; null before it is measured. */
function errorOf({ value_added: value }: ForecastOverride): string | null {
  if (!value?.error_statistical) return null
  const change = Math.round(100 * (value.error_adjusted / value.error_statistical - 1))
  return `${change > 0 ? '+' : ''}${change} %`
}

/** `+20 %`, `500 units` */
export function changeOf({ percent, units }: Pick<ForecastOverride, 'percent' | 'units'>): string {
  if (percent === null) return `${units} units`
  return `${percent < 0 ? '' : '+'}${percent} %`
}

interface HolidaysOptions extends Json {
  location?: string
  country?: string
  region?: string
  none?: true
  remove?: true
}

async function holidays(options: HolidaysOptions): Promise<void> {
  const { location, country, region, none, remove, json } = options
  const chosen = [country, none, remove].filter(Boolean)
  if (chosen.length > 1) throw new WrongUsage('Give one of --country, --none and --remove.')
  if (region && !country) throw new WrongUsage('--region needs --country.')
  if (!chosen.length) {
    if (location) throw new WrongUsage('Give --country, --none or --remove with --location.')
    return listHolidays(json)
  }
  const client = openClient()
  const where = location ? `at ${location}` : 'at all other locations'
  if (remove) {
    const answer = await client.call('delete', '/holiday-calendars', { query: { location } })
    return json ? printJson(answer) : print(`Removed what holds ${where}.`)
  }
  const body = { location: location ?? null, country: country ?? null, region: region ?? null }
  const answer = await client.call('put', '/holiday-calendars', { body })
  if (json) return printJson(answer)
  const { concerns } = dataOf(answer, ['changed_at'])
  const what = country ? `The public holidays of ${areaOf(body)} hold` : 'No public holidays hold'
  print(`${what} ${where}: it concerns ${concerns} SKUs at locations.`)
}

async function listHolidays(json?: true): Promise<void> {
  const answer = await openClient().call('get', '/holiday-calendars', { query: { limit: 200 } })
  if (json) return printJson(answer)
  const rows = rowsOf(answer.data, ['changed_at'])
  if (!rows.length) return note('No country is set.')
  print(...linesOf(CALENDARS, rows))
}

const CALENDARS: Column<HolidayCalendar>[] = [
  ['Location', (row) => row.location ?? 'all others'],
  ['Holidays of', areaOf],
  ['Set by', (row) => row.changed_by],
]

function areaOf({ country, region }: Pick<HolidayCalendar, 'country' | 'region'>): string {
  return country ? [country, region].filter(Boolean).join('-').toUpperCase() : 'none'
}
