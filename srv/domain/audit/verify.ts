import { hash as digest } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import cds from '@sap/cds'
import { Evidence, ProposalEvents, Proposals } from '../../base/database/entities.ts'
import { noteHead, readAnchor, readAnchors } from './anchor.ts'
import {
  type Entry,
  findEntry,
  GENESIS,
  hashAfter,
  type Head,
  objectOf,
  type Place,
  readTrails,
} from './chain.ts'
import { isRedacted } from './redact.ts'
import { faultOf, type HeadFault, readHead } from './seal.ts'

/** Sequence numbers that are read at once. */
const PAGE = 2_000
/** An entry this much older than one sealed before it was not written when it says. */
const LATE_MS = 600_000

type Problem =
  /** The content differs from what was sealed. */
  | 'changed'
  | 'missing'
  | 'inserted'
  /** The entry is genuine but stands at another position. */
  | 'reordered'
  /** The entry before it is missing, or was changed together with its hash. */
  | 'unlinked'
  | 'evidence_missing'
  | 'evidence_changed'
  | HeadFault
  /** This service did not write the anchor, or it belongs to another chain. */
  | 'anchor_changed'
  /** The head that the caller kept is not in the trail. */
  | 'head_not_found'
  | ProposalProblem

/** The first entry with a problem; `seq` is 0 if the problem is not about an entry. */
export interface Broken {
  seq: number
  problem: Problem
  object: string | null
}

interface Verification {
  valid: boolean
  /** Entries without a problem. */
  entries: number
  head: Pick<Head, 'seq' | 'hash' | 'sealedAt'>
  broken: Broken | null
  /** Entries whose time is well before that of an entry sealed earlier. */
  late: number
  /** Where the next call continues; null at the head. */
  next: Place | null
}

class Found extends Error {
  readonly broken: Broken
  constructor(seq: number, problem: Problem, of?: Entry | string) {
    super(problem)
    this.broken = { seq, problem, object: typeof of === 'object' ? objectOf(of) : (of ?? null) }
  }
}

export interface VerifyQuery {
  expected?: Place | null
  /** Where an earlier call ended: entries before it are not read again. */
  from?: Place | null
  /** The most entries to read. */
  limit?: number | null
  /** Called after each page, to let other work run. */
  rest?: () => Promise<unknown>
}

/**
 * Verifies the chain page by page, up to its head, the limit or the first problem. A call that reaches the head also
 * checks that each proposal matches its last event.
 */
export async function verifyTrail(query: VerifyQuery): Promise<Verification> {
  const { expected, from, limit, rest = setImmediate } = query
  const walk = new Walk(expected ?? null)
  let head: Head = { ...START, sealedAt: null, seal: null, sealKey: null }
  const answer = (broken: Broken | null, next: Place | null) => {
    const { seq, hash, sealedAt } = head
    const { seq: entries, late } = walk
    return { valid: !broken, entries, head: { seq, hash, sealedAt }, broken, late, next }
  }
  try {
    if (from) await walk.goOn(from)
    const end = limit ? walk.seq + limit : Infinity
    for (;;) {
      const read = await readSoundHead()
      head = read ?? head
      if (walk.seq >= head.seq) {
        if (read) await walk.end(read)
        const odd = await findOddProposal(rest)
        if (odd) throw new Found(0, odd.problem, odd.object)
        return answer(null, null)
      }
      if (walk.seq >= end) return answer(null, { seq: walk.seq, hash: walk.hash })
      const to = Math.min(walk.seq + PAGE, head.seq, end)
      await walk.take(await readEntries(walk.seq + 1, to), to, head)
      await rest()
    }
  } catch (error) {
    if (!(error instanceof Found)) throw error
    return answer(error.broken, null)
  }
}

/** The head, unless it or an anchor shows that the chain was replaced or cut. */
async function readSoundHead(): Promise<Head | null> {
  const anchor = await readAnchor()
  const head = await readHead()
  const fault = await faultOf(head, anchor)
  if (fault) throw new Found(head?.seq ?? 0, fault)
  if (readAnchors().some(({ isChanged }) => isChanged)) throw new Found(0, 'anchor_changed')
  return head
}

const START: Place = { seq: 0, hash: GENESIS }

class Walk {
  seq = START.seq
  hash = START.hash
  late = 0
  #before = ''
  #latest = 0
  readonly #expected: Place | null

  constructor(expected: Place | null) {
    this.#expected = expected
  }

  /** Continues after an entry that an earlier call has verified. */
  async goOn({ seq, hash }: Place) {
    const [entry] = seq ? await readEntries(seq, seq) : []
    if ((entry?.hash ?? GENESIS) !== hash) throw new Found(seq, 'head_not_found', entry)
    Object.assign(this, { seq, hash })
    this.#latest = entry ? Date.parse(entry.at) : 0
    const expected = this.#expected
    if (!expected?.seq || expected.seq > seq) return
    const [kept] = await readEntries(expected.seq, expected.seq)
    if (kept?.hash !== expected.hash) throw new Found(expected.seq, 'head_not_found', kept)
  }

  async take(entries: Entry[], to: number, head: Head) {
    const bySeq = Map.groupBy(entries, ({ seq }) => seq)
    const evidence = await readEvidence(entries)
    while (this.seq < to) {
      const seq = this.seq + 1
      const here = bySeq.get(seq) ?? []
      const next = here.find(this.#follows) ?? (await this.#findRedacted(here, head))
      const entry = next ?? here[0]
      if (!entry) {
        const isCut = !(await findEntry({ seq: { '>=': seq } }))
        throw new Found(seq, isCut ? 'truncated' : 'missing')
      }
      if (!next) throw await this.#whatIsWrong(seq, entry)
      const other = here.find((each) => each !== entry)
      if (other) throw new Found(seq, 'inserted', other)
      assertEvidence(entry, evidence)
      this.#go(entry)
    }
  }

  #follows = (entry: Entry) =>
    entry.previousHash === this.hash && entry.hash === hashAfter(this.hash, entry)

  async #findRedacted(here: Entry[], head: Head): Promise<Entry | undefined> {
    for (const entry of here) {
      if (entry.previousHash === this.hash && (await isRedacted(entry, head))) return entry
    }
    return undefined
  }

  async #whatIsWrong(seq: number, entry: Entry) {
    if (entry.hash !== hashAfter(entry.previousHash ?? '', entry)) {
      return new Found(seq, 'changed', entry)
    }
    if (entry.previousHash === this.#before) return new Found(seq - 1, 'inserted')
    const { previousHash } = entry
    const isKnown = previousHash === GENESIS || (await findEntry({ hash: previousHash }))
    return new Found(seq, isKnown ? 'reordered' : 'unlinked', entry)
  }

  #go(entry: Entry) {
    const at = Date.parse(entry.at)
    if (at < this.#latest - LATE_MS) this.late++
    this.#latest = Math.max(this.#latest, at)
    this.#before = this.hash
    this.hash = entry.hash!
    this.seq = entry.seq
    if (this.#expected?.seq === this.seq && this.#expected.hash !== this.hash) {
      throw new Found(this.seq, 'head_not_found', entry)
    }
  }

  async end(head: Head) {
    if (this.hash !== head.hash || this.seq !== head.seq) throw new Found(this.seq, 'head_changed')
    noteHead(head)
    const outside = await readOutside(head.seq)
    if (outside && (outside.seq < 1 || (await readHead())?.seq === head.seq)) {
      throw new Found(outside.seq, 'inserted', outside)
    }
    if (this.#expected && this.#expected.seq > head.seq) {
      throw new Found(this.#expected.seq, 'head_not_found')
    }
  }
}

const readEntries = (from: number, to: number) =>
  readTrails((entity) => SELECT.from(entity).where({ seq: { between: from, and: to } }))

/** The first entry whose sequence number is outside the chain. */
async function readOutside(last: number): Promise<Entry | undefined> {
  const entries = await readTrails((entity) =>
    SELECT.from(entity).where`seq < 1 or seq > ${last}`.orderBy('seq').limit(1),
  )
  return entries.sort((a, b) => a.seq - b.seq)[0]
}

async function readEvidence(entries: Entry[]): Promise<Map<string, string>> {
  const events = entries.filter(({ row }) => row.evidence).map(({ ID }) => ID)
  const contents = new Map<string, string>()
  for (let at = 0; at < events.length; at += 1000) {
    const rows = await SELECT.from(Evidence)
      .columns('event', 'content')
      .where({ event: { in: events.slice(at, at + 1000) } })
    for (const { event, content } of rows) contents.set(event, content!)
  }
  return contents
}

function assertEvidence(entry: Entry, contents: Map<string, string>) {
  if (!entry.row.evidence) return
  const content = contents.get(entry.ID)
  if (content === undefined) throw new Found(entry.seq, 'evidence_missing', entry)
  if (digest('sha256', content) !== entry.row.evidence) {
    throw new Found(entry.seq, 'evidence_changed', entry)
  }
}

// Proposals that do not match their events: somebody changed a row without the state machine, which writes both.

type ProposalProblem =
  /** Its status, version or quantity differs from its last event, or a decision has no evidence. */
  | 'proposal_changed'
  /** There are events of it, but the proposal is missing. */
  | 'proposal_missing'

/** Most proposals that one statement checks, so that it sees rows and events of the same moment. */
const AT_ONCE = 2_000

const [rows, events] = [Proposals, ProposalEvents].map((name) => name.replaceAll('.', '_'))

/** The statements, for proposals with a number after `from` and up to `to`. */
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
async function findOddProposal(rest: () => Promise<unknown>) {
  const last = Math.max(await greatest(rows!, 'ID'), await greatest(events!, 'proposal'))
  for (let from = 0; from < last; from += AT_ONCE) {
    for (const [problem, statement] of STATEMENTS) {
      const odd = await numberOf(statement(from, from + AT_ONCE))
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
