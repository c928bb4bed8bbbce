// Filters that no column of a proposal can serve as it is: by the group of its SKU, which is in the master data; by its
// exceptions, of which it may have several; and by whether it is due, which depends on the day of its location.
import cds, { type Request } from '@sap/cds'
import { addCondition, innermostQuery, type Query } from '../../base/odata/query-limits.ts'
import { settings } from '../../base/settings/config.ts'
import { codeAndName } from '../../base/texts/codes.ts'
import { isDueNow } from '../../base/time/days.ts'
import {
  type Predicate,
  restrictionOf,
  visiblePlannedEvents,
  visibleTo,
} from '../../domain/authority/index.ts'
import { initialStatus, listSmallLines, thoughtExpression } from '../../domain/proposals/index.ts'
import { withSupplierNames } from './computed-elements.ts'
import { readWhose, whoseOf } from './assigned.ts'

/** A token of CAP's conditions: a word of SQL, or an expression. */
type Token = string | { ref?: string[]; xpr?: Token[]; args?: Token[]; val?: unknown }

const mentions = (token: Token | undefined, name: string): boolean =>
  typeof token === 'object' &&
  (token.ref?.[0] === name || (token.args ?? []).some((each) => mentions(each, name)))

const isOneOf = (words: string[], word: Token | undefined) =>
  typeof word === 'string' && words.includes(word.toLowerCase())

const EQUAL = ['=', '==']
const UNEQUAL = ['!=', '<>']
const COMPARED = [...EQUAL, ...UNEQUAL, '<', '<=', '>', '>=', 'in', 'like', 'is', 'is not']

/** The pairs of source and SKU whose master data meet the condition. */
const ofSkus = (condition: Token[]): Token[] =>
  [
    { list: [{ ref: ['source'] }, { ref: ['sku'] }] },
    'in',
    {
      SELECT: {
        from: { ref: ['restock.Skus'] },
        columns: [{ ref: ['source_ID'] }, { ref: ['sku'] }],
        where: condition,
      },
    },
  ] as Token[]

/** Whether the column, which joins the codes by commas, contains this exception. */
const hasException = (code: Token): Token[] => {
  const commaList = { func: 'concat', args: [{ val: ',' }, { ref: ['exceptions'] }, { val: ',' }] }
  const wanted = { val: `,${String((code as { val: unknown }).val)},` }
  return [{ func: 'contains', args: [commaList, wanted] } as Token]
}

/** An expression that is true or false, and never null, so that it can be compared. */
const dueOrNot = (isDue: Token): Token => ({
  xpr: ['case', 'when', isDue, 'then', { val: true }, 'else', { val: false }, 'end'],
})

/** Whether a row is one of the small ones, as filters of the app's views ask for it. */
const ofSmall = (value: Token | undefined): Token[] => {
  const isBelow = (name: string, most: number): Token[] => [{ ref: [name] }, '<', { val: most }]
  const { lineWorth, thoughtFrom } = settings()
  const small = [...isBelow('valueAtRisk', lineWorth), 'and', ...isBelow('value', thoughtFrom)]
  const isWanted = (value as { val?: unknown }).val === true
  return isWanted ? [{ xpr: small }] : [dueOrNot({ xpr: small }), '=', { val: false }]
}

interface Conditions {
  /** The condition that a proposal is due; null where nothing asks for it. */
  isDue: Token | null
  /** Whether small lines may be left out. */
  isFolded: boolean
  whose: ReadonlyMap<string, Predicate>
}

function rewritten(tokens: Token[], conditions: Conditions): Token[] {
  const { isDue, isFolded, whose } = conditions
  const result: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const [word, value] = tokens.slice(at + 1)
    if (typeof token === 'string') result.push(token)
    else if (whoseOf(whose, token.ref?.[0], value)) {
      const is = whoseOf(whose, token.ref?.[0], value) as Token
      const isWanted = isOneOf(EQUAL, word) === ((value as { val?: unknown }).val !== false)
      result.push(isWanted ? is : { xpr: ['not', is] })
      at += 2
    } else if (token.ref?.[0] === 'exceptions' && isOneOf([...EQUAL, ...UNEQUAL], word)) {
      const has = hasException(value!)
      result.push({ xpr: isOneOf(UNEQUAL, word) ? ['not', ...has] : has })
      at += 2
    } else if (mentions(token, 'skuGroup')) {
      const length = isOneOf(COMPARED, word) ? 3 : 1
      result.push({ xpr: ofSkus(tokens.slice(at, at + length)) })
      at += length - 1
    } else if (token.ref?.[0] === 'isSmall') {
      result.push(...(isFolded ? ofSmall(value) : [{ val: 1 }, '=', { val: 1 }]))
      at += 2
    } else if (token.ref?.[0] === 'needsThought') {
      const needs = { xpr: [cds.parse.expr(thoughtExpression()) as Token] }
      const isWanted = (value as { val?: unknown }).val === true
      result.push(...(isWanted ? [needs] : [dueOrNot(needs), '=', { val: false }]))
      at += 2
    } else if (isDue && token.ref?.[0] === 'isDueToday') {
      // A plain condition can use an index.
      const isPlain = isOneOf(EQUAL, word) && (value as { val?: unknown }).val === true
      result.push(isPlain ? isDue : dueOrNot(isDue))
      if (isPlain) at += 2
    } else result.push(token.xpr ? { ...token, xpr: rewritten(token.xpr, conditions) } : token)
  }
  return result
}

const names = (token: Token, name: string): boolean =>
  mentions(token, name) ||
  (typeof token === 'object' && (token.xpr ?? []).some((each) => names(each, name)))

/** Queries with a search, which is a condition by then. */
const searching = new WeakSet<object>()

/** Must be called before proposals are read, and after `searchByNames`. */
export async function filterByMore({ query }: Request) {
  const { SELECT } = innermostQuery(query)
  if (!SELECT?.where) return
  const where = SELECT.where as Token[]
  const isDue = where.some((token) => names(token, 'isDueToday'))
    ? { xpr: [{ ref: ['status'] }, '=', { val: initialStatus() }, 'and', await isDueNow('source')] }
    : null
  SELECT.where = rewritten(where, {
    isDue: isDue as Token | null,
    // A search finds every proposal, however small.
    isFolded: !searching.has(query),
    whose: await readWhose(where),
  })
}

// Search in codes and names: names are in the master data, so they are searched by a subquery.

const SEARCHED: [column: string, entity: string][] = [
  ['sku', 'restock.Skus'],
  ['location', 'restock.Locations'],
  ['supplier', 'restock.Suppliers'],
]

const containsText = (column: string, text: string) => ({
  func: 'contains',
  args: [{ func: 'tolower', args: [{ ref: [column] }] }, { val: text }],
})

/** Rows with the text in the code or the name of SKU, location or supplier. */
function searchCondition(text: string, columns: (column: string) => boolean) {
  const searched = SEARCHED.filter(([column]) => columns(column))
  const either = searched.flatMap(([column, entity]) => {
    const named = {
      SELECT: {
        from: { ref: [entity] },
        columns: [{ ref: [column] }],
        where: [containsText('name', text)],
      },
    }
    return [containsText(column, text), 'or', { ref: [column] }, 'in', named, 'or']
  })
  return { xpr: either.slice(0, -1) }
}

/** Replaces CAP's search, which covers the proposals' own columns only. */
export function searchByNames({ query, target }: Request) {
  const { elements } = target as unknown as { elements: Record<string, unknown> }
  const hasColumn = (name: string) => name in elements
  const inner = innermostQuery(query) as { SELECT?: { search?: { val?: unknown }[] } }
  const terms = inner.SELECT?.search
  if (!terms) return
  delete inner.SELECT!.search
  searching.add(query)
  for (const { val } of terms) {
    if (val !== undefined) {
      const text = String(val).toLowerCase()
      addCondition(inner as Query, searchCondition(text, hasColumn))
    }
  }
}

// Restricts lists, counts and value helps of the app to the rows that the user may see.

type Restriction = (user: Request['user']) => Promise<object | null>

/** The restriction of entities with `sku`, `location` and `source`. */
const ofOwnRow: Restriction = (user) => visibleTo(user, 'source')

/** The restriction of entities that belong to proposals. */
function ofVisibleProposals(column: string, of: string): Restriction {
  const within = (visible: Predicate) => ({
    xpr: [{ ref: [column] }, 'in', SELECT.from('restock.Proposals').columns(of).where(visible)],
  })
  return async (user) => {
    const visible = await visibleTo(user)
    return visible && within(visible)
  }
}

/** Groups of SKUs with proposals that the user sees. */
const ofVisibleSkus: Restriction = async (user) => {
  const skus = await ofVisibleProposals('sku', 'sku')(user)
  return (
    skus && {
      xpr: [
        { ref: ['skuGroup'] },
        'in',
        SELECT.from('restock.Skus').columns('skuGroup').where(skus),
      ],
    }
  )
}

const RESTRICTIONS: Record<string, Restriction> = {
  'BuyerService.Proposals': ofOwnRow,
  'BuyerService.Decisions': ofOwnRow,
  'BuyerService.Blocked': ofOwnRow,
  'BuyerService.Items': ofOwnRow,
  'BuyerService.Exceptions': ofOwnRow,
  'BuyerService.ForecastOverrides': (user) => Promise.resolve(visiblePlannedEvents(user)),
  'BuyerService.Events': ofVisibleProposals('proposal', 'ID'),
  'BuyerService.Skus': ofVisibleProposals('sku', 'sku'),
  'BuyerService.SkuGroups': ofVisibleSkus,
  'BuyerService.Locations': ofVisibleProposals('location', 'location'),
  'BuyerService.Suppliers': ofVisibleProposals('supplier', 'supplier'),
}

export const RESTRICTED_ENTITIES = Object.keys(RESTRICTIONS).map((name) => name.split('.')[1]!)

export async function restrictRows({ query, target, user }: Request) {
  const condition = await RESTRICTIONS[target?.name ?? '']?.(user)
  if (condition) addCondition(innermostQuery(query), condition)
}

/** Refuses to read anything by way of a row that the user does not see, even the name of its status. @throws 404 */
export async function refuseUnseenWay(service: cds.ApplicationService, req: Request) {
  const [first, ...rest] = innermostQuery(req.query).SELECT?.from?.ref ?? []
  if (!rest.length || !restrictionOf(req.user)) return
  if (!((first as { id?: string }).id! in RESTRICTIONS)) return
  const row: unknown = await service.run(SELECT.one.from({ ref: [first] } as never))
  if (!row) req.reject(404)
}

// Lines with which waiting costs less than a line is worth: a row a supplier, to be decided as one.

/** Registers the handler of srv/doors/buyer/model/home.cds. */
export function handleSmallLines(service: cds.ApplicationService) {
  service.on('READ', 'SmallLines', readSmallLines)
}

interface Page {
  SELECT?: {
    columns?: { as?: string }[]
    limit?: { rows?: { val?: number }; offset?: { val?: number } }
  }
}

/** Suppliers are few: all rows are made, and the page that is asked for is cut from them. */
async function readSmallLines(req: Request) {
  const named = await withSupplierNames(await listSmallLines())
  const rows = named.map(({ supplierName, ...row }) => ({
    ID: [row.source, row.supplier, row.currency ?? ''].join(' '),
    ...row,
    supplierText: codeAndName(row.supplier, supplierName),
    orderHref: hrefOf(row),
  }))
  const { limit, columns } = (innermostQuery(req.query) as Page).SELECT ?? {}
  if (columns?.[0]?.as === '$count') return [{ $count: rows.length }]
  const from = limit?.offset?.val ?? 0
  const page = rows.slice(from, from + (limit?.rows?.val ?? rows.length))
  return Object.assign(page, { $count: rows.length })
}

function hrefOf({
  source,
  supplier,
  currency,
}: Record<'source' | 'supplier' | 'currency', unknown>) {
  const given = Object.entries({ source, supplier, currency }).filter(([, value]) => value !== null)
  return `#/Suppliers?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}
