// Whose work a line is, by the ordering rules. It gives nobody a right: what somebody sees and decides stays as it is.
import cds from '@sap/cds'
import { type AnyEntity, Policies, readAs, Skus } from '../../../base/database/entities.ts'
import { deputyOf, expression, isOneOf, joined, type Predicate } from '../../authority/index.ts'
import { PolicyBook } from '../policy/planning.ts'
import {
  POLICY_KEYS,
  POLICY_LEVELS,
  type POLICY_PEOPLE,
  type PolicyKeyName,
  type PolicyLevel,
} from '../policy/values.ts'

type PersonName = (typeof POLICY_PEOPLE)[number]

interface Named {
  level: string
  responsible: string | null
  teamLead: string | null
}

/** A few rules name people: those alone are read. */
const readNamed = () =>
  readAs<Named>(
    SELECT.from(Policies)
      .columns('level', 'responsible', 'teamLead')
      .where({ responsible: { '!=': null }, or: { teamLead: { '!=': null } } }),
  )

/**
 * A condition on proposals: those whose responsible buyer is this one. `me` is the caller and whom the caller stands in for;
 * `team` are the lines of everybody with the same team lead, and of those whom the caller leads.
 * @param source the column with the number of the source
 */
export async function assignedTo(wanted: string, source = 'source_ID'): Promise<Predicate> {
  const rules = await readNamed()
  if (wanted !== 'me' && wanted !== 'team') return decidedAs('responsible', [wanted], rules, source)
  const own = await inWhoseName()
  const mine = decidedAs('responsible', own, rules, source)
  if (wanted === 'me') return mine
  const leads = [...own, ...leadsOf(own, rules)]
  return joined([mine, decidedAs('teamLead', leads, rules, source)], 'or')
}

async function inWhoseName(): Promise<string[]> {
  const { id } = cds.context!.user
  return [id, ...(await deputyOf(id)).map(({ person }) => person.id)]
}

/** Where a rule names no lead, that of the rule for everything counts. */
function leadsOf(people: string[], rules: Named[]): string[] {
  const usual = rules.find(({ level }) => level === 'default')?.teamLead ?? null
  return rules
    .filter(({ responsible }) => responsible !== null && people.includes(responsible))
    .flatMap(({ teamLead }) => teamLead ?? usual ?? [])
}

/** The buyers whose work somebody leads, by the rules. */
export async function ledBy(person: string): Promise<string[]> {
  const rules = await readNamed()
  const people = rules.flatMap(({ responsible }) => responsible ?? [])
  return people.filter((one) => leadsOf([one], rules).includes(person))
}

/** A condition that some rule names a responsible buyer of the line; null where no rule names any. */
export async function isAssigned(): Promise<Predicate | null> {
  const rules = await readNamed()
  const levels = levelsOf('responsible', rules)
  if (!levels.length) return null
  return joined(
    levels.map((level) => matches(level, { responsible: { '!=': null } }, 'source_ID')),
    'or',
  )
}

const levelsOf = (name: PersonName, rules: Named[]) =>
  POLICY_LEVELS.filter((level) => rules.some((rule) => rule.level === level && rule[name] !== null))

/** The most specific rule that names somebody decides, as with every value of the rules. */
function decidedAs(name: PersonName, people: string[], rules: Named[], source: string): Predicate {
  const levels = levelsOf(name, rules)
  if (!levels.length) return isOneOf(source, [])
  const cases = levels.flatMap((level) => [
    ...['when', matches(level, { [name]: { '!=': null } }, source), 'then'],
    expression(
      ...['case', 'when', matches(level, { [name]: { in: people } }, source)],
      ...['then', { val: 1 }, 'else', { val: 0 }, 'end'],
    ),
  ])
  const decided = expression('case', ...cases, 'else', { val: 0 }, 'end')
  return expression(decided, '=', { val: 1 })
}

/** Whether a rule of the level that meets the condition applies to the line. */
function matches(level: PolicyLevel, condition: object, source: string): Predicate {
  const names: readonly PolicyKeyName[] = POLICY_KEYS[level]
  const rules = (...columns: string[]) =>
    SELECT.from(Policies as AnyEntity)
      .columns(...columns)
      .where({ level, ...condition })
  if (level === 'default') return expression({ val: level }, 'in', rules('level'))
  if (level === 'group') {
    const skus = SELECT.from(Skus)
      .columns('source_ID', 'sku')
      .where(expression({ ref: ['skuGroup'] }, 'in', rules('skuGroup')))
    return expression({ list: [{ ref: [source] }, { ref: ['sku'] }] }, 'in', skus)
  }
  const columns = names.map((name) => ({ ref: [name] }))
  const named = columns.length === 1 ? columns[0]! : { list: columns }
  return expression(named, 'in', rules(...names))
}

/** What decides whose work a line is. */
interface Line {
  source: number
  sku: string
  location: string
  supplier: string | null
}

interface Assigned {
  responsible: string | null
  teamLead: string | null
}

const NOBODY: Assigned = { responsible: null, teamLead: null }

/** Whose work each of these lines is, in their order. */
export async function readAssigned(lines: Line[]): Promise<Assigned[]> {
  if (!lines.length || !(await readNamed()).length) return lines.map(() => NOBODY)
  const groups = await readGroups(lines)
  const pairs = lines.map(({ sku, location, supplier, source }) => ({
    ...{ sku, location, supplier },
    skuGroup: groups.get(`${source} ${sku}`) ?? null,
  }))
  const book = await PolicyBook.read(pairs)
  return pairs.map((pair) => {
    const rules = book.of(pair)
    return {
      responsible: rules.decide('responsible').value,
      teamLead: rules.decide('teamLead').value,
    }
  })
}

async function readGroups(lines: Line[]) {
  const rows = await readAs<{ source_ID: number; sku: string; skuGroup: string | null }>(
    SELECT.from(Skus)
      .columns('source_ID', 'sku', 'skuGroup')
      .where({ sku: { in: [...new Set(lines.map(({ sku }) => sku))] } }),
  )
  return new Map(rows.map((row) => [`${row.source_ID} ${row.sku}`, row.skuGroup]))
}
