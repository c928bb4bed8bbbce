// Due lines that nobody decided before their last order day are brought before somebody else, once.
import { hash } from 'node:crypto'
import cds from '@sap/cds'
import { Notices, Proposals } from '../../../base/database/entities.ts'
import { readAllLocalDays, today } from '../../../base/time/days.ts'
import { listDeputies, listPeople, type Person } from '../../authority/index.ts'
import { recordEvents } from '../decide/transition.ts'
import { undecidedStatuses } from '../stored/flow.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { isAssigned, readAssigned } from './responsible.ts'
import { type NewNotice, seesProposal, tell } from './notices.ts'

/** Lines that one transaction brings before somebody. */
const AT_ONCE = 200

/**
 * Tells of each overdue line that has a responsible buyer: their deputies and the team lead that the rules name, or else
 * the administrators. A line is told of once, and stays as it is.
 */
export async function escalateOverdue() {
  const overdue = await readOverdue()
  for (let at = 0; at < overdue.length; at += AT_ONCE) {
    await cds.tx(() => escalate(overdue.slice(at, at + AT_ONCE)))
  }
}

async function readOverdue() {
  const assigned = await isAssigned()
  if (!assigned) return []
  const bySource = await readAllLocalDays()
  const days = [...bySource.values()].flatMap(({ usual, others }) => [usual, ...others.values()])
  const latest = [today(), ...days].sort().at(-1)!
  const told = SELECT.from(Notices).columns('proposal').where({ kind: 'escalated' })
  const rows = (await SELECT.from(Proposals)
    .where({ status: { in: undecidedStatuses() }, orderBy: { '<': latest } })
    .where({ ID: { 'not in': told } })
    .where(assigned)
    .orderBy('ID')) as unknown as ProposalRow[]
  return rows.map(toProposal).filter(({ orderBy, source, location }) => {
    const day = bySource.get(source)?.of(location) ?? today()
    return orderBy !== null && orderBy < day
  })
}

type Overdue = Awaited<ReturnType<typeof readOverdue>>

async function escalate(lines: Overdue) {
  const assigned = await readAssigned(lines)
  const people = new Map((await listPeople()).map((person) => [person.id, person]))
  const administrators = [...people.values()].filter(({ roles }) => roles.includes('Admin'))
  const deputies = await listDeputies()
  const notices: NewNotice[] = []
  for (const [at, line] of lines.entries()) {
    const { responsible, teamLead } = assigned[at]!
    if (responsible === null) continue
    const standIns = deputies.filter(({ absent }) => absent.id === responsible)
    const wanted = [...standIns.map(({ id }) => id), ...(teamLead ? [teamLead] : [])]
    const others = new Set(wanted.filter((id) => id !== responsible))
    const able = await whoSees(
      line,
      [...others].flatMap((id) => people.get(id) ?? []),
    )
    const told = able.length ? able : administrators.map(({ id }) => id)
    if (!told.length) continue
    const text = `order_by ${line.orderBy}, responsible ${responsible}`
    await recordEvents([line], 'escalated', `${told.join(', ')}: ${text}`.slice(0, 1000))
    for (const user of told) {
      notices.push({
        // The same line is told to the same person once, even by two instances at a time.
        ID: hash('sha256', JSON.stringify([line.ID, user])),
        ...{ user, kind: 'escalated', proposal: line.ID, fromUser: responsible, text: null },
      })
    }
  }
  await tell(notices)
}

async function whoSees({ ID }: Overdue[number], people: Person[]) {
  const able: string[] = []
  for (const person of people) if (await seesProposal(person, ID)) able.push(person.id)
  return able
}
