// The work of today and its value, for the app's first page and its cards, and what following the proposals comes to.
import cds, { type Request } from '@sap/cds'
import { readSourceStates } from '../../base/database/demand/demand-age.ts'
import { ExceptionKinds, readAs, Syncs } from '../../base/database/entities.ts'
import { isRefusal, toODataError } from '../../base/errors.ts'
import { mayApprove } from '../../base/roles.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { codeNames, message, written } from '../../base/texts/texts.ts'
import { isDueNow } from '../../base/time/days.ts'
import { rolesOf } from '../../domain/authority/index.ts'
import { confirmKey, revokeOwnKey } from '../../domain/keys/index.ts'
import {
  type Amount,
  costsQuestion,
  initialStatus,
  listDeadlines,
  listMonths,
  listOpenOrders,
  listSmallLines,
  type OpenOrder,
  readOrderDays,
  readTodaysWork,
  type TodaysWork,
  undecidedStatuses,
  type WorkSum,
} from '../../domain/proposals/index.ts'
import { type WithSupplierName, withSupplierNames } from './computed-elements.ts'
import { formatMoney } from './supplier-orders.ts'
import { readHomeNotices } from './assigned.ts'

const DAYS_AHEAD = 7
const MOST_SHOWN = 50

/** Registers the handlers of srv/doors/buyer/model/home.cds and reports.cds. */
export function handleHome(service: cds.ApplicationService) {
  service.on('home', readHome)
  service.on('valueMonths', readValueMonths)
  handleOwnKeys(service)
}

/** More rows than a year has for as many sources as are connected. */
const MOST_MONTHS = 240

async function readValueMonths() {
  const { data } = await listMonths({ limit: MOST_MONTHS })
  const nameOf = await codeNames('RejectionReasons')
  return data.map((month) => ({
    ...month,
    decisions: month.decisions.map((group) => ({ ...group, reasonText: nameOf(group.reason) })),
  }))
}

async function readHome() {
  const user = cds.context!.user
  const work = await readTodaysWork()
  const due = await readDueOrders()
  const { failing, ...data } = await readSourceStates()
  return {
    ...{ user: user.id, isAdmin: user.is('Admin') || user.is('Auditor'), asOf: work.asOf },
    ...{ due: toFolded(work.due), open: toFolded(work.open) },
    ...{ out: toSum(work.out), stockout: toSum(work.stockout) },
    ...{ second: toSum(work.second), blocked: work.blocked },
    ...{ mine: work.mine && toSum(work.mine), team: work.team && toSum(work.team) },
    ...(await readHomeNotices()),
    exceptions: await toExceptions(work.exceptions),
    exceptionsCount: work.exceptions.reduce((sum, { count }) => sum + count, 0),
    dueOrders: due.slice(0, MOST_SHOWN).map(toDueOrder),
    moreOrders: Math.max(0, due.length - MOST_SHOWN),
    deadlines: await readDeadlines(),
    ...{ stock: stockFigure(work), reached: reachedFigure(work), bias: biasFigure(work) },
    ...{ dataAsOf: data.dataAsOf, dataAgeDays: data.dataAgeDays, isDataStale: data.isStale },
    failingSources: failing,
    costsQuestion: work.open.lines ? await costsQuestion() : null,
  }
}

/** `1,000.00 EUR + 20.00 USD`; nothing where there is nothing. */
const moneyText = (amounts: Amount[]) =>
  amounts.map(({ value, currency }) => formatMoney(Number(value), currency)).join(' + ')

const linesText = (count: number) =>
  message(count === 1 ? 'workbench_line' : 'workbench_lines', { count })

function toSum({ lines, value, valueAtRisk }: WorkSum) {
  const [only, ...others] = value
  const isOne = only && !others.length
  return {
    ...{ lines, linesText: linesText(lines) },
    ...{ value: isOne ? only.value : null, currency: isOne ? only.currency : null },
    ...{ valueText: moneyText(value), riskText: moneyText(valueAtRisk) },
  }
}

/** Of lines whose list folds the small ones. */
function toFolded(sum: WorkSum) {
  const { lines, smallLines } = sum
  if (!smallLines) return toSum(sum)
  return { ...toSum(sum), linesText: message('home_folded', { lines, small: smallLines }) }
}

async function readDueOrders() {
  const orders = await listOpenOrders()
  return withSupplierNames(orders.filter(({ dueLines }) => dueLines > 0))
}

function toDueOrder(order: WithSupplierName<OpenOrder>) {
  const { currency, dueValue, valueAtRisk } = order
  return {
    ...order,
    text: nameOf(order),
    href: hrefOf(order),
    valueText: formatMoney(Number(dueValue), currency),
    riskText: formatMoney(Number(valueAtRisk), currency),
  }
}

async function readDeadlines() {
  const all = await listDeadlines(DAYS_AHEAD)
  const rows = await withSupplierNames(all.slice(0, MOST_SHOWN))
  const suppliers = rows.map(({ supplier, location }) => ({ supplier, location }))
  const days = await readOrderDays(suppliers)
  const daysOf = new Map(days.map((each) => [`${each.supplier} ${each.location}`, each]))
  return rows.map((row) => {
    const takes = daysOf.get(`${row.supplier} ${row.location}`)
    return {
      ...{ day: row.day, text: nameOf(row), lines: row.lines, href: hrefOf(row) },
      valueText: formatMoney(Number(row.value), row.currency),
      ...{ nextOrderDay: takes?.next ?? null, orderDayAfter: takes?.after ?? null },
    }
  })
}

interface Key {
  source: number | null
  supplier: string
  supplierName: string | null
  location: string | null
  currency: string | null
}

function nameOf({ supplier, supplierName, location }: Omit<Key, 'currency' | 'source'>) {
  const code = plainCode(supplier)
  const name = supplierName ? `${supplierName} (${code})` : code
  return location ? `${name}, ${plainCode(location)}` : name
}

/** The order's page in the app. */
function hrefOf({ source, supplier, location, currency }: Omit<Key, 'supplierName'>) {
  const given = Object.entries({ source, supplier, location, currency })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `#/Suppliers?${given.join('&')}`
}

async function toExceptions(sums: TodaysWork['exceptions']) {
  const nameOf = await codeNames('ExceptionKinds')
  const rows = await readAs<{ code: string; criticality: number }>(
    SELECT.from(ExceptionKinds).columns('code', 'criticality'),
  )
  const levels = new Map(rows.map((row) => [row.code, row.criticality]))
  return sums.map(({ kind, count, value }) => ({
    ...{ kind, kindText: nameOf(kind), criticality: levels.get(kind) ?? 0, count },
    valueText: moneyText(value),
    href: `#/?view=exceptions&kind=${kind}`,
  }))
}

function stockFigure({ stock: { value, withoutCost } }: TodaysWork) {
  const [only, ...others] = value
  return {
    value: only && !others.length ? only.value : null,
    text: moneyText(value) || '–',
    note: withoutCost
      ? message('home_stock_without_cost', { count: withoutCost })
      : message('home_stock'),
  }
}

function reachedFigure({ reached: { percent, days, pairs, emptyNow } }: TodaysWork) {
  if (percent === null) return { value: null, text: '–', note: message('home_reached_unknown') }
  const key = days === 1 ? 'home_reached_today' : 'home_reached'
  return {
    value: percent.toFixed(2),
    text: `${written(Math.floor(percent * 10) / 10)} %`,
    note: message(key, { days, pairs, empty: emptyNow }),
  }
}

function biasFigure({ bias: { percent, windows, isReplay } }: TodaysWork) {
  if (percent === null) return { value: null, text: '–', note: message('home_bias_unknown') }
  const shown = Math.round(percent * 10) / 10
  return {
    value: percent.toFixed(2),
    text: `${shown > 0 ? '+' : ''}${written(shown)} %`,
    note: message(isReplay ? 'home_bias_replayed' : 'home_bias', { windows }),
  }
}

// Counts of open proposals, and the age of the data, for the head of the app.

interface Count {
  status: string
  urgency: string
  count: number
}

export async function readOverview(service: cds.ApplicationService) {
  const user = cds.context!.user
  const counts = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('status', 'urgency', 'count(*) as count')
      .where({ status: { in: undecidedStatuses() } })
      .groupBy('status', 'urgency'),
  )) as Count[]
  const sum = (keep: (row: Count) => boolean) =>
    counts.filter(keep).reduce((total, { count }) => total + Number(count), 0)
  const pending = ({ status }: Count) => status === initialStatus()
  // As many as the list shows, which folds the small ones.
  const countOpen = async (further: object) => {
    const [{ count }] = (await service.run(
      SELECT.from('BuyerService.Proposals')
        .columns('count(*) as count')
        .where({ status: initialStatus(), isSmall: false })
        .where(further),
    )) as [{ count: number }]
    return Number(count)
  }
  const [{ blocked }] = (await service.run(
    SELECT.from('BuyerService.Blocked').columns('count(*) as blocked'),
  )) as [{ blocked: number }]
  const { failing: failingSources, ...data } = await readSourceStates()
  const running: unknown = await SELECT.one
    .from(Syncs)
    .columns('ID')
    .where({ status: { in: ['queued', 'running'] } })
  return {
    user: user.id,
    mayDecide: mayApprove(),
    roles: rolesOf(user).join(','),
    pending: await countOpen({}),
    due: await countOpen(await isDueNow('source')),
    small: (await listSmallLines()).length,
    stockoutBeforeArrival: sum((row) => pending(row) && row.urgency === 'stockout_before_arrival'),
    awaitingSecond: sum((row) => !pending(row)),
    blocked: Number(blocked),
    dataAsOf: data.dataAsOf,
    dataAgeDays: data.dataAgeDays,
    isDataStale: data.isStale,
    failingSources,
    isSyncing: Boolean(running),
  }
}

// The keys that act as the signed-in person, as the app confirms and revokes them.

function handleOwnKeys(service: cds.ApplicationService) {
  const changed = async (ID: string, change: typeof confirmKey): Promise<unknown> => {
    try {
      await change(ID)
    } catch (error) {
      throw isRefusal(error) ? toODataError(error, message('key_not_found')) : error
    }
    return service.run(SELECT.one.from('BuyerService.ApiKeys').where({ ID }))
  }
  service.on('confirm', 'ApiKeys', (req: Request) => changed(idOf(req), confirmKey))
  service.on('confirmKey', (req: Request<{ id: string }>) => changed(req.data.id, confirmKey))
  service.on('revoke', 'ApiKeys', (req: Request) => changed(idOf(req), revokeOwnKey))
}

/** The key that an action is bound to. */
function idOf({ params }: Request): string {
  const [key] = params as (string | { ID: string })[]
  return typeof key === 'object' ? key.ID : key!
}
