import { type Proposal, type Restock, RestockError } from '../../client/index.ts'
import type { components } from '../../client/index.ts'
import { openClient, type Query, rowsOf } from '../client.ts'
import { apiCommand, codes, collect, type Json, option, wholeNumber } from '../command.ts'
import { Failure, WrongUsage } from '../errors.ts'
import { count, note, print, printJson, words } from '../output.ts'
import { layoutOf } from './layout.ts'

type Options = Query<'/proposals'> &
  Json & { why?: true; mine?: true; team?: true; abcClass?: Query<'/proposals'>['abc_class'] }

/** Most proposals in one answer of the API. */
const PAGE = 200
const DEFAULT_LIMIT = 50
/** Most calls for counting the rows that are not shown, and for counting what is blocked. */
const CALLS = { rest: 5, blocked: 10 }

/** `restock proposals list` */
export const listProposalsCommand = () =>
  apiCommand({
    name: 'list',
    summary: 'list order proposals, the most urgent first',
    examples: [
      'proposals list --due --supplier S-7',
      'proposals list --location L1 --limit 500 --why',
      'proposals list --status pending,snoozed --json',
      'proposals list --mine --due',
    ],
    options: [
      option('--status <status>', 'repeat for several (default: pending)', collect),
      option('--urgency <urgency>', 'repeat for several, e.g. due', collect),
      option(
        '--due',
        'those that an order of tomorrow would bring too late, by the day of each location',
      ),
      ...codes('location', 'sku', 'supplier'),
      option('--abc-class <class>', 'those of this class, by the value of demand', ['A', 'B', 'C']),
      option('--mine', 'those that ordering rules name you responsible for'),
      option('--team', "those of your team's, by the team lead that rules name"),
      option('--responsible <user>', 'those of this buyer'),
      option('--sort <order>', "order of the lines (default: urgency; with --json the API's own)", [
        'urgency',
        '-value',
        '-value_at_risk',
        '-created_at',
      ]),
      option('--limit <n>', `number of lines at most (default: ${DEFAULT_LIMIT})`, wholeNumber(1)),
      option('--cursor <cursor>', 'continue after an earlier answer, with --json'),
      option('--why', 'show the rationale of each proposal'),
    ],
    run: list,
  })

async function list({ json, why, mine, team, abcClass, ...asked }: Options): Promise<void> {
  const { limit = DEFAULT_LIMIT } = asked
  const responsible = whose({ mine, team, responsible: asked.responsible })
  const status = asked.status ?? (['pending'] as const)
  const filter = {
    ...{ ...asked, status },
    ...(responsible && { responsible }),
    ...(abcClass && { abc_class: abcClass }),
  }
  if (json) {
    if (limit > PAGE)
      throw new WrongUsage(`With --json --limit is at most ${PAGE}: continue with --cursor.`)
    return printJson(await openClient().call('get', '/proposals', { query: filter }))
  }
  const client = openClient()
  const query: Query<'/proposals'> = { ...filter, sort: asked.sort ?? 'urgency' }
  const { rows, next, question } = await readPages(client, query, limit)
  if (rows.length === 0) return note(`There are no such proposals.${await whyNone(client)}`)
  print(...layoutOf(rows, why === true))
  if (question) note(`${question} See "restock costs show".`)
  if (next === null) return
  const rest = await countRest(client, { ...query, cursor: next })
  note(`${count(rows.length, 'proposal')} shown; ${rest} more: raise --limit to see them.`)
}

/** @throws WrongUsage where more than one of them is asked for */
function whose({ mine, team, responsible }: Pick<Options, 'mine' | 'team' | 'responsible'>) {
  const [first, ...others] = [mine && 'me', team && 'team', responsible].filter(Boolean)
  if (!others.length) return first || undefined
  throw new WrongUsage('Give one of --mine, --team and --responsible.')
}

/** Reads pages until there are `limit` rows or the list ends; `next` is then null. */
export async function readPages(
  client: Restock,
  query: Query<'/proposals'>,
  limit: number,
): Promise<{ rows: Proposal[]; next: string | null; question?: string }> {
  const rows: Proposal[] = []
  let { cursor } = query
  for (;;) {
    const page = { ...query, cursor, limit: Math.min(PAGE, limit - rows.length) }
    const { data } = await client.call('get', '/proposals', { query: page })
    const found = rowsOf(data, ['id', 'sku', 'location', 'quantity', 'status', 'calculation'])
    rows.push(...found)
    const { costs_question: question } = data
    if (!data.next_cursor || found.length === 0) return { rows, next: null, question }
    if (rows.length >= limit) return { rows, next: data.next_cursor, question }
    cursor = data.next_cursor
  }
}

/** The number of rows after a cursor as text; a lower bound where there are very many. */
async function countRest(client: Restock, query: Query<'/proposals'>): Promise<string> {
  const most = CALLS.rest * PAGE
  try {
    const { rows, next } = await readPages(client, query, most)
    return next === null ? String(rows.length) : `over ${most}`
  } catch (error) {
    if (error instanceof Failure || error instanceof RestockError) return 'there are'
    throw error
  }
}

/** Files of a csv source that name what can be missing. */
const FILES: Record<string, { stream: string; file: string }> = {
  stock: { stream: 'stock', file: 'stock.csv' },
  lead_time: { stream: 'planning', file: 'planning.csv' },
}

/**
 * Why there may be no proposals: what is missing, and which file would name it; empty where nothing is blocked, or the
 * key may not know.
 *
 * @example ' 280 pairs are blocked, missing: 280 stock; there is no stock.csv in src_2. See "restock proposals blocked".'
 */
async function whyNone(client: Restock): Promise<string> {
  const { pairs, isAll } = await blockedPairs(client).catch(() => ({ pairs: [], isAll: true }))
  if (!pairs.length) return ''
  const distinct = new Set(pairs.map(({ sku, location }) => JSON.stringify([sku, location]))).size
  const byKind = Map.groupBy(pairs, ({ missing }) => missing)
  const files = await missingFiles(client, [...byKind.keys()]).catch(() => [])
  const parts = [...byKind].map(([missing, of]) => `${of.length} ${words(missing)}`)
  const lacking = files.length ? `; there is no ${files.join(' and no ')}` : ''
  const verb = distinct === 1 ? 'is' : 'are'
  const many = `${isAll ? '' : 'More than '}${count(distinct, 'pair')} ${verb} blocked`
  return ` ${many}, missing: ${parts.join(', ')}${lacking}. See "restock proposals blocked".`
}

async function blockedPairs(client: Restock) {
  const pairs: components['schemas']['BlockedPair'][] = []
  let calls = 0
  for await (const page of client.pages('/proposals/blocked', { query: { limit: PAGE } })) {
    pairs.push(...page.data)
    if (++calls === CALLS.blocked && page.next_cursor) return { pairs, isAll: false }
  }
  return { pairs, isAll: true }
}

/** Files that a folder lacks, e.g. `stock.csv in src_2`. */
async function missingFiles(client: Restock, missing: string[]): Promise<string[]> {
  const wanted = missing.flatMap((kind) => FILES[kind] ?? [])
  const found: string[] = []
  for await (const { id, type, streams } of client.list('/sources', { query: { limit: PAGE } })) {
    if (type !== 'csv') continue
    for (const { stream, file } of wanted) {
      const isAbsent = streams?.some((each) => each.stream === stream && each.status === 'absent')
      if (isAbsent) found.push(`${file} in ${id}`)
    }
  }
  return found
}
