// Proposals that do not stand as their events say: somebody changed a row past the state machine, which writes both.
import cds from '@sap/cds'
import { ProposalEvents, Proposals } from '../../base/database/entities.ts'

export type ProposalProblem =
  /** Its status, version or quantity is not that of its last event, or a decision has no evidence. */
  | 'proposal_changed'
  /** Events tell of it, and it is gone. */
  | 'proposal_missing'

/** Numbers of proposals that are looked at by one statement, which sees rows and events of one time. */
const PAGE = 2_000

const [rows, events] = [Proposals, ProposalEvents].map((name) => name.replaceAll('.', '_'))

/** Reading on, with the numbers of proposals after `from` and up to `to`. */
const STATEMENTS: [ProposalProblem, (from: number, to: number) => string][] = [
  [
    'proposal_changed',
    (from, to) => `SELECT min(p.ID) AS "odd" FROM ${rows} AS p LEFT JOIN ${events} AS e
      ON e.proposal = p.ID AND e.version = p.version AND e.quantity = p.quantity
      AND (e.event = p.status OR p.status = 'pending' AND e.event IN ('created', 'updated', 'woken'))
      AND (e.evidence IS NOT NULL OR p.status IN ('pending', 'superseded', 'expired'))
      WHERE p.ID > ${from} AND p.ID <= ${to} AND (e.ID IS NULL OR EXISTS
      (SELECT 1 FROM ${events} AS l WHERE l.proposal = p.ID AND l.version > p.version))`,
  ],
  [
    'proposal_missing',
    (from, to) => `SELECT min(e.proposal) AS "odd" FROM ${events} AS e
      WHERE e.proposal > ${from} AND e.proposal <= ${to}
      AND NOT EXISTS (SELECT 1 FROM ${rows} AS p WHERE p.ID = e.proposal)`,
  ],
]

/** @param rest called after each page */
export async function findOddProposal(rest: () => Promise<unknown>) {
  const last = Math.max(await greatest(rows!, 'ID'), await greatest(events!, 'proposal'))
  for (let from = 0; from < last; from += PAGE) {
    for (const [problem, statement] of STATEMENTS) {
      const odd = await numberOf(statement(from, from + PAGE))
      if (odd) return { problem, object: `prop_${odd}` }
    }
    await rest()
  }
  return null
}

const greatest = (table: string, column: string) =>
  numberOf(`SELECT max(${column}) AS "odd" FROM ${table}`)

async function numberOf(statement: string): Promise<number> {
  const [row] = (await cds.run(statement)) as { odd: unknown }[]
  return Number(row?.odd ?? 0)
}
