// The actions of My Inbox. Each runs in a transaction of its own, not in that of the OData request.
import type cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { REASON_CODES } from '../../../base/texts/codes.ts'
import { personOf } from '../person.ts'
import { invalid } from '../refusal.ts'
import { isFinal } from '../task.ts'
import { message, preferredLanguage } from '../../../base/texts/texts.ts'
import { decideTask } from '../decide.ts'
import { addComment, openTaskFor, setClaim } from '../inbox.ts'

export const ORIGIN = 'RESTOCK'

/** Decisions by the keys that workflows of the ERP use. */
const DECISIONS = new Map([
  ['0001', 'approve'],
  ['0002', 'reject'],
] as const)
const LONGEST = 1000

/** The parameters of a function. */
export type FunctionCall = cds.Request<{ [name: string]: unknown }>

const named = ({ data }: FunctionCall, name: string): string => {
  const value = data[name]
  if (typeof value === 'string' && value) return value
  throw invalid(name, 'is needed')
}

/** A comment may be missing or empty. */
function textOf({ data }: FunctionCall, name: string): string | null {
  const text = String(data[name] ?? '').trim()
  if (text.length > LONGEST) throw invalid(name, `may have ${LONGEST} characters at most`)
  if (text.includes('\0')) throw invalid(name, 'holds a character that is not text')
  return text || null
}

export async function listDecisionOptions(req: FunctionCall) {
  const [person, InstanceID] = [personOf(req.user), named(req, 'InstanceID')]
  const task = await runDetached('tasks', () => openTaskFor(person, InstanceID))
  if (isFinal(task)) return []
  const language = preferredLanguage(req.locale)
  return [...DECISIONS].map(([DecisionKey, code]) => ({
    ...{
      InstanceID,
      DecisionKey,
      DecisionText: message(`task_${code}`, {}, language),
      CommentMandatory: code === 'reject',
    },
    ...{ ReasonRequired: code === 'reject' ? 'OPTIONAL' : 'UNSUPPORTED' },
    Nature: code === 'approve' ? 'POSITIVE' : 'NEGATIVE',
  }))
}

/** @returns the task's id */
export async function decideInInbox(req: FunctionCall): Promise<string> {
  const [person, localId] = [personOf(req.user), named(req, 'InstanceID')]
  const code = DECISIONS.get(named(req, 'DecisionKey') as '0001')
  if (!code) throw invalid('DecisionKey', `must be one of ${[...DECISIONS.keys()].join(', ')}`)
  const decision = { code, comment: textOf(req, 'Comments'), reason: reasonOf(req) }
  await runDetached('tasks', () => decideTask(person, localId, decision, 'my_inbox'))
  return localId
}

function reasonOf({ data }: FunctionCall): string | null {
  const reason = data.ReasonCode
  if (reason == null || reason === '') return null
  const found = REASON_CODES.find((code) => code === reason)
  if (found) return found
  throw invalid('ReasonCode', `must be one of ${REASON_CODES.join(', ')}`)
}

/** @returns the task's id */
export async function setInboxClaim(req: FunctionCall, isClaimed: boolean): Promise<string> {
  const [person, localId] = [personOf(req.user), named(req, 'InstanceID')]
  await runDetached('tasks', () => setClaim(person, localId, isClaimed))
  return localId
}

export async function addInboxComment(req: FunctionCall) {
  const [person, localId] = [personOf(req.user), named(req, 'InstanceID')]
  const text = textOf(req, 'Text')
  if (!text) throw invalid('Text', 'is needed')
  const { ID, at } = await runDetached('tasks', () => addComment(person, localId, text, 'my_inbox'))
  return {
    ...{ SAP__Origin: ORIGIN, InstanceID: localId, ID, Text: text },
    ...{ CreatedAt: at, CreatedBy: person.id, CreatedByName: person.id },
  }
}
