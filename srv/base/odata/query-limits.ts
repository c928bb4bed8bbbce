// How much one address of OData may ask for, so that reading it never holds up other calls.

/** Characters of an option; an address of its own has 16 kB at most, one in a batch has no limit of its own. */
const LENGTHS: Record<string, number> = {
  $filter: 8_000,
  $select: 8_000,
  $apply: 4_000,
  $expand: 4_000,
  $compute: 2_000,
  $orderby: 2_000,
  $search: 500,
}
const NESTING = 20
const CONDITIONS = 250
const NAMES = 250
/** Each reads the text of every row, or rows of another entity for it. */
const SEARCHES = 20
const SEARCH = /\b(?:contains|startswith|endswith|matchespattern|substringof|indexof|any|all) *\(/gi
const WORDS = 20
/** Each is a read of its own; a page of the apps takes about ten. */
const EXPANDED = 25

/** What asks for too much; null where nothing does. @param bare the value without its texts */
export function findExcess(option: string, value: string, bare: string): string | null {
  const length = LENGTHS[option]
  if (length === undefined) return null
  if (value.length > length) return `${option} may have ${length} characters at most.`
  if (nestingOf(bare) > NESTING) return `${option} may be nested ${NESTING} levels deep at most.`
  if (count(bare, /\b(?:and|or)\b/g) >= CONDITIONS) {
    return `${option} may have ${CONDITIONS} conditions at most.`
  }
  if (count(bare, SEARCH) > SEARCHES) {
    return `${option} may have ${SEARCHES} searches in texts and lists at most: contains, startswith, endswith, any and the like.`
  }
  if (option === '$search' && count(value, /[^\s"]+/g) > WORDS) {
    return `$search may have ${WORDS} words at most.`
  }
  if (option === '$expand' && expandedIn(bare) > EXPANDED) {
    return `$expand names its navigations, ${EXPANDED} at most, such as $expand=events; \`*\` is not allowed.`
  }
  if (option !== '$filter' && count(bare, /,/g) >= NAMES) {
    return `${option} may have ${NAMES} names at most.`
  }
  return null
}

/** The navigations that an `$expand` names, those within others too; all of them are too many. */
function expandedIn(bare: string): number {
  const names = bare.replace(/\$(?!expand=)\w+=[^;()]*/g, '')
  if (/(?:^|[,=(\s])\*/.test(names)) return Infinity
  return count(names, /[^\s,;=()]+/g) - count(names, /=/g)
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

function nestingOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const char of text) {
    if (char === '(') deepest = Math.max(deepest, ++depth)
    else if (char === ')') depth--
  }
  return deepest
}

// Lists within a list: each row of the outer one brings as many rows as it has. Tried with @sap/cds 10.1.1: what
// `cds.odata.parse` gives is not public.

/** Rows of the outer list that may be asked for. */
const ROWS = 100

/** What is read, as CAP has parsed it. */
interface Read {
  SELECT?: { one?: boolean; from?: { ref?: Step[] }; columns?: Column[]; limit?: Limit }
}
type Step = string | { id: string; where?: unknown[] }
type Column = string | { ref?: Step[]; expand?: Column[]; limit?: Limit }
interface Limit {
  rows?: { val?: unknown }
}

export interface Entity {
  elements?: Record<string, { is2many?: boolean; _target?: Entity } | undefined>
}

/** The list that is expanded for too many rows; null where none is. @param entityOf the definition of a name */
export function findExpandedList(
  query: unknown,
  entityOf: (name: string) => Entity | undefined,
): string | null {
  const { one, from, columns, limit } = (query as Read | undefined)?.SELECT ?? {}
  const [first, ...navigations] = (from?.ref ?? []).map(nameOf)
  const entity = navigations.reduce<Entity | undefined>(
    (at, name) => at?.elements?.[name]?._target,
    first === undefined ? undefined : entityOf(first),
  )
  const list = findIn(columns, entity, Boolean(one) || isShort(limit))
  return list && `$expand=${list} needs a $top of ${ROWS} at most, as it lists rows for each row.`
}

function findIn(
  columns: Column[] = [],
  entity: Entity | undefined,
  isAllowed: boolean,
): string | null {
  for (const column of columns) {
    if (typeof column === 'string' || !column.expand || !column.ref) continue
    const name = nameOf(column.ref[0]!)
    const { is2many, _target } = entity?.elements?.[name] ?? {}
    if (is2many && !isAllowed) return name
    const within = findIn(column.expand, _target, is2many ? isShort(column.limit) : isAllowed)
    if (within) return within
  }
  return null
}

const nameOf = (step: Step) => (typeof step === 'string' ? step : step.id)

const isShort = (limit?: Limit) => Number(limit?.rows?.val ?? Infinity) <= ROWS

// The queries of the apps, as CAP's handlers get them.
export interface Query {
  SELECT?: { from?: Query & { ref?: unknown[] }; where?: unknown[] }
}

/** A row as an OData service answers it. */
export type ODataRow = { [element: string]: unknown }

/** Rows are restricted in the innermost query, before they are aggregated. */
export const innermostQuery = (query: Query): Query =>
  query.SELECT?.from?.SELECT ? innermostQuery(query.SELECT.from) : query

export function addCondition({ SELECT }: Query, condition: object) {
  if (!SELECT) return
  SELECT.where = SELECT.where ? [{ xpr: SELECT.where }, 'and', condition] : [condition]
}

/**
 * Reads with computed elements also those that they are made from.
 * @param sources by the computed element, joined by commas
 */
export function addSourceElements(
  { query, target }: { query: unknown; target: unknown },
  sources: Record<string, string>,
) {
  const { columns } = (query as Read).SELECT ?? {}
  if (!columns) return
  const { elements = {} } = target as Entity
  const asked = new Set(columns.map(elementOf))
  for (const name of asked) {
    for (const source of sources[name]?.split(',') ?? []) {
      if (!asked.has(source) && source in elements) columns.push({ ref: [source] })
      asked.add(source)
    }
  }
}

const elementOf = (column: Column) =>
  typeof column === 'string' ? column : nameOf(column.ref?.at(-1) ?? '')
