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
