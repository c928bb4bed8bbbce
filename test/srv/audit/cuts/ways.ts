// Ways to cut or bend the past for somebody who may do everything with the database, and nothing else.
import type { DatabaseSync } from 'node:sqlite'

export interface Past {
  /** A whole copy of the database, three decisions and more before it was attacked. */
  old: string
  /** Numbers of proposals. */
  approved: number
  rejected: number
  pending: number
  /** Approved after the old copy was made. */
  late: number
  /** Approved just now: its event is not sealed yet. */
  waiting: number
}

export interface Way {
  /** What is done. */
  name: string
  /** As what it is reported. */
  problem: string
  /** Instead of changing the file: the older copy takes its place. */
  isReplaced?: true
  /** Before the restart another instance seals, one that keeps no anchor. */
  isRegrown?: true
  bend?(db: DatabaseSync, past: Past): void
}

const OF_TRAIL = ['AuditLog', 'ProposalEvents', 'Evidence', 'AuditRedactions', 'AuditHead']
const CHAINED = ['AuditLog', 'ProposalEvents']

const empty = (db: DatabaseSync, ...tables: string[]) =>
  tables.forEach((table) => db.exec(`DELETE FROM restock_${table}`))

/** The head of the old copy with its seal; what was sealed since is gone, also what waits. */
function cut(db: DatabaseSync, { old }: Past) {
  db.exec(`ATTACH '${old}' AS old`)
  for (const table of CHAINED)
    db.exec(
      `DELETE FROM restock_${table} WHERE seq IS NULL OR seq > (SELECT seq FROM old.restock_AuditHead)`,
    )
  db.exec(
    'DELETE FROM restock_AuditHead; INSERT INTO restock_AuditHead SELECT * FROM old.restock_AuditHead',
  )
}

/** Rows of the proposals too, so that they fit what is left of the trail. */
function cutAll(db: DatabaseSync, past: Past) {
  cut(db, past)
  for (const table of ['Proposals', 'Evidence'])
    db.exec(
      `DELETE FROM restock_${table}; INSERT INTO restock_${table} SELECT * FROM old.restock_${table}`,
    )
}

const setProposal = (db: DatabaseSync, ID: number, set: string) =>
  db.exec(`UPDATE restock_Proposals SET ${set} WHERE ID = ${ID}`)

const approveBySql = (db: DatabaseSync, ID: number) =>
  setProposal(db, ID, "status = 'approved', version = version + 1, decidedBy = 'somebody'")

const eventOf = (ID: number, event = 'approved') => `proposal = ${ID} AND event = '${event}'`

/** Unseals all, so that it would be sealed anew as it stands. */
const unseal = (db: DatabaseSync) =>
  CHAINED.forEach((table) =>
    db.exec(`UPDATE restock_${table} SET seq = NULL, previousHash = NULL, hash = NULL`),
  )

export const WAYS: Way[] = [
  {
    name: 'the last entries deleted, an old head with its seal put back',
    problem: 'truncated',
    bend: cut,
  },
  {
    name: 'the same, and a proposal set approved',
    problem: 'truncated',
    bend(db, past) {
      cut(db, past)
      approveBySql(db, past.pending)
    },
  },
  {
    name: 'the same, with proposals and evidence as they were then',
    problem: 'truncated',
    bend: cutAll,
  },
  {
    name: 'the same, and sealed on past the former end by an instance without an anchor',
    problem: 'anchor_not_found',
    isRegrown: true,
    bend(db, past) {
      cutAll(db, past)
      const add = db.prepare(
        "INSERT INTO restock_AuditLog (ID, at, actor, action, object, detail) VALUES (?, ?, 'x', 'policy.set', 'x', '')",
      )
      for (let at = 0; at < 30; at++) add.run(`new-${at}`, new Date().toISOString())
    },
  },
  { name: 'the file replaced by an older copy', problem: 'truncated', isReplaced: true },
  {
    name: 'all tables of the trail emptied, the head too',
    problem: 'head_changed',
    bend: (db) => empty(db, ...OF_TRAIL),
  },
  {
    name: 'all tables of the trail emptied, and all proposals',
    problem: 'head_changed',
    bend: (db) => empty(db, ...OF_TRAIL, 'Proposals'),
  },
  {
    name: 'all entries deleted, the head kept',
    problem: 'truncated',
    bend: (db) => empty(db, ...CHAINED),
  },
  { name: 'the head deleted', problem: 'head_changed', bend: (db) => empty(db, 'AuditHead') },
  {
    name: 'the head deleted, all entries unsealed to be sealed anew',
    problem: 'head_changed',
    bend(db) {
      unseal(db)
      empty(db, 'AuditHead')
    },
  },
  {
    name: 'a first head without a seal, as of a former version, all entries unsealed',
    problem: 'head_changed',
    bend(db) {
      unseal(db)
      db.exec("DELETE FROM restock_AuditLog WHERE action = 'audit.key_made'")
      db.exec(
        `UPDATE restock_AuditHead SET seq = 0, hash = '${'0'.repeat(64)}', seal = NULL, sealKey = NULL`,
      )
    },
  },
  {
    name: 'the last entry deleted',
    problem: 'truncated',
    bend(db) {
      for (const table of CHAINED)
        db.exec(`DELETE FROM restock_${table} WHERE seq = (SELECT seq FROM restock_AuditHead)`)
    },
  },
  {
    name: 'the last sealed entry unsealed, to be sealed again',
    problem: 'truncated',
    bend(db) {
      for (const table of CHAINED)
        db.exec(
          `UPDATE restock_${table} SET seq = NULL WHERE seq = (SELECT seq FROM restock_AuditHead)`,
        )
    },
  },
  {
    name: 'an approval in the middle deleted',
    problem: 'missing',
    bend: (db, { approved }) =>
      db.exec(`DELETE FROM restock_ProposalEvents WHERE ${eventOf(approved)}`),
  },
  {
    name: 'an approval changed, with a redaction put in for it',
    problem: 'changed',
    bend(db, { approved }) {
      const where = eventOf(approved)
      db.exec(`UPDATE restock_ProposalEvents SET actor = 'somebody' WHERE ${where}`)
      db.exec(`INSERT INTO restock_AuditRedactions (ID, entry, seq, mac)
        SELECT 'x', ID, seq, (SELECT mac FROM restock_AuditRedactions) FROM restock_ProposalEvents WHERE ${where}`)
    },
  },
  {
    name: "an erased person's redaction deleted",
    problem: 'changed',
    bend: (db) => empty(db, 'AuditRedactions'),
  },
  {
    name: 'the evidence of two decisions swapped',
    problem: 'evidence_changed',
    bend(db, { approved, late }) {
      const swap = db.prepare('UPDATE restock_Evidence SET content = ? WHERE proposal = ?')
      const read = db.prepare('SELECT content FROM restock_Evidence WHERE proposal = ?')
      const [one, two] = [read.get(approved)!.content!, read.get(late)!.content!]
      swap.run(two, approved)
      swap.run(one, late)
    },
  },
  {
    name: 'the evidence of a decision deleted',
    problem: 'evidence_missing',
    bend: (db, { approved }) =>
      db.exec(`DELETE FROM restock_Evidence WHERE proposal = ${approved}`),
  },
  {
    name: 'an entry put in after the end',
    problem: 'inserted',
    bend: (db) =>
      db.exec(
        "INSERT INTO restock_AuditLog (ID, at, actor, action, object, seq) VALUES ('x', '2026-01-01T00:00:00Z', 'x', 'policy.set', 'x', 999999)",
      ),
  },
  {
    name: 'a pending proposal set approved',
    problem: 'proposal_changed',
    bend: (db, { pending }) => approveBySql(db, pending),
  },
  {
    name: 'a pending proposal set approved, at the version that it has',
    problem: 'proposal_changed',
    bend: (db, { pending }) => setProposal(db, pending, "status = 'approved'"),
  },
  {
    name: 'a rejected proposal set approved',
    problem: 'proposal_changed',
    bend: (db, { rejected }) => setProposal(db, rejected, "status = 'approved'"),
  },
  {
    name: 'the quantity of an approved proposal changed',
    problem: 'proposal_changed',
    bend: (db, { approved }) => setProposal(db, approved, 'quantity = quantity * 10'),
  },
  {
    name: 'an approved proposal set pending, at its first version',
    problem: 'proposal_changed',
    bend: (db, { approved }) => setProposal(db, approved, "status = 'pending', version = 1"),
  },
  {
    name: 'an approved proposal set superseded, at the next version',
    problem: 'proposal_changed',
    bend: (db, { approved }) =>
      setProposal(db, approved, "status = 'superseded', version = version + 1"),
  },
  {
    name: 'the event of an approval deleted before it was sealed',
    problem: 'proposal_changed',
    bend: (db, { waiting }) =>
      db.exec(`DELETE FROM restock_ProposalEvents WHERE ${eventOf(waiting)}`),
  },
  {
    name: 'the event of an approval changed to a rejection before it was sealed',
    problem: 'proposal_changed',
    bend: (db, { waiting }) =>
      db.exec(`UPDATE restock_ProposalEvents SET event = 'rejected' WHERE ${eventOf(waiting)}`),
  },
  {
    name: 'a proposal set approved, with an event put in to be sealed, without evidence',
    problem: 'proposal_changed',
    bend(db, { pending }) {
      approveBySql(db, pending)
      db.exec(`INSERT INTO restock_ProposalEvents (ID, proposal, version, at, actor, event, quantity)
        SELECT 'x', ID, version, '${new Date().toISOString()}', 'somebody', 'approved', quantity
        FROM restock_Proposals WHERE ID = ${pending}`)
    },
  },
  {
    name: 'an approved proposal deleted',
    problem: 'proposal_missing',
    bend: (db, { approved }) => db.exec(`DELETE FROM restock_Proposals WHERE ID = ${approved}`),
  },
]
