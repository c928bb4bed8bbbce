import { setTimeout } from 'node:timers/promises'
import { hash } from 'node:crypto'
import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { Notices, Proposals, Sources } from '../../../base/database/entities.ts'
import { readAllLocalDays, today } from '../../../base/time/days.ts'
import {
  listDeputies,
  listPeople,
  type Person,
  removeFormerApprovals,
} from '../../authority/index.ts'
import { type NewNotice, removeFormerNotices, seesProposal, tell } from '../assigned/notices.ts'
import { isAssigned, readAssigned } from '../assigned/responsible.ts'
import { recomputeProposals } from '../policy/rules.ts'
import { runProposals } from '../run/run.ts'
import { initialStatus, statusesBefore, type Step, undecidedStatuses } from '../stored/flow.ts'
import { readStaleData } from '../terms/source-inputs.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { alreadyDecided, expiry, readProposal, recordEvents, transition } from './transition.ts'

/** Expires proposals, wakes snoozed ones, escalates overdue ones, and recalculates sources whose data have become too old. */
export const housekeepProposals = () =>
  runDetached('housekeeping', async () => {
    await endWaiting()
    await escalateOverdue()
    await removeFormerNotices()
    await calculateStaleSources()
  })

async function endWaiting() {
  const now = new Date().toISOString()
  await transitionAll('expire', { expiresAt: { '<=': now } })
  const set = { touched: false, snoozedUntil: null, expiresAt: expiry() }
  await transitionAll('wake', { snoozedUntil: { '<=': now } }, set)
  await removeFormerApprovals()
}

async function transitionAll(step: Step, where: object, set: object = {}) {
  const status = { in: statusesBefore(step) }
  const rows = (await SELECT.from('restock.Proposals').where({ status, ...where })) as ProposalRow[]
  const due = rows.map(toProposal)
  for (const proposal of due) {
    await cds
      .tx(() => transition(proposal, { step, set }))
      .catch((error: { code?: unknown }) => {
        if (error.code !== alreadyDecided(proposal).code) throw error
      })
  }
}

/** How long a refused decision waits for the new numbers. If the whole source must be recalculated, they come later. */
const PATIENCE_MS = 2_000

let isAwaited = false

/**
 * Recalculates a pending proposal whose numbers were refused as stale, even if a person has edited it. One that is no longer
 * needed is superseded. Of many at once only the first is waited for.
 */
export const recalculateProposal = (ID: number) =>
  runDetached(`prop_${ID}`, async () => {
    const { sku, location, status, version } = await readProposal(ID)
    if (status !== initialStatus()) return
    await UPDATE.entity('restock.Proposals').set({ touched: false }).where({ ID, status, version })
    const recomputed = recomputeProposals({ sku, location })
    recomputed.catch((error: unknown) =>
      cds.log('proposals').warn(`prop_${ID} could not be calculated anew:`, error),
    )
    if (isAwaited) return
    isAwaited = true
    try {
      await Promise.race([recomputed, setTimeout(PATIENCE_MS, undefined, { ref: false })])
    } finally {
      isAwaited = false
    }
  })

/** Recalculates sources whose data have become too old; those that cannot be read have no sync to do it. */
async function calculateStaleSources() {
  const rows = await SELECT.from(Sources)
    .columns('ID', 'staleSince')
    .where({ proposedOn: { '!=': null } })
  for (const { ID, staleSince } of rows) {
    const stale = await readStaleData(ID)
    if (stale && stale.since !== staleSince) await runProposals({ source: ID, sync: null })
  }
}

// Due lines that nobody decided before their last order day are brought before somebody else, once.

/** Lines that one transaction brings before somebody. */
const AT_ONCE = 200

/**
 * Tells of each overdue line that has a responsible buyer: their deputies and the team lead that the rules name, or else
 * the administrators. A line is told of once, and stays as it is.
 */
async function escalateOverdue() {
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
