// Mails about open tasks: at most one a day for each user, and another if something urgent came since.
import cds from '@sap/cds'
import { byText } from '../../../engine/index.ts'
import {
  Notices,
  Proposals,
  readAs,
  TaskDigests,
  TaskLines,
  Tasks,
} from '../../base/database/entities.ts'
import { insertIfAbsent } from '../../base/database/rows.ts'
import { environment, settings } from '../../base/settings/config.ts'
import type { MailSettings } from '../../base/settings/settings.ts'
import { plainCode } from '../../base/texts/codes.ts'
import {
  type Language,
  languageOf,
  message,
  writtenDay,
  writtenMoney,
} from '../../base/texts/texts.ts'
import { DAY_MS } from '../../base/time/days.ts'
import { dayIn, wallClock } from '../../base/time/time-zone.ts'
import { listApprovers } from '../../domain/authority/index.ts'
import { type UnsentNotice, unsentNotices } from '../../domain/proposals/index.ts'
import type { Line } from './feed/advance.ts'
import { inboxOf } from './inbox.ts'
import type { Person } from './person.ts'
import { groupOf } from './settings.ts'
import { subjectOf, type Task, type TaskRow, toTask } from './task.ts'
import { publicUrl, uiLinkOf } from './texts.ts'

const LOG = cds.log('tasks')

const SHOWN_TASKS = 10
const HOUR_MS = 3_600_000
/** The least time between two urgent mails to one user. */
const URGENT_MS = 4 * HOUR_MS

/** Timeouts for a mail server that does not answer, in milliseconds. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends the mails that are due; none if mail is not configured. */
export async function sendDigests(now = new Date()) {
  const { mail } = settings().tasks
  const url = environment().RESTOCK_SMTP_URL
  if (!mail || !url) return
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url, ...PATIENCE })
  try {
    for (const person of await listMailRecipients()) {
      await sendTo(person, mail, now, (message) => transport.sendMail(message)).catch(
        (error: Error) => LOG.warn(`no mail to ${person.id}:`, error.message),
      )
    }
  } finally {
    transport.close()
  }
}

/** The people who may decide, with the roles of their last sign-in; in development the mocked users. */
const listMailRecipients = async (): Promise<Person[]> =>
  (await listApprovers()).map((person) => ({
    ...person,
    groups: person.roles.map((role) => groupOf(role)),
  }))

interface Message {
  from: string
  to: string
  subject: string
  text: string
}

type Send = (message: Message) => Promise<unknown>

async function sendTo(person: Person, mail: MailSettings, now: Date, send: Send) {
  const to = mail.addresses[person.id] ?? (person.id.includes('@') ? person.id : null)
  if (!to) return
  const language = languageOf(mail.languages[person.id] ?? mail.languages['*'] ?? 'en') ?? 'en'
  await sendNotices(person, language, now, (written) => send({ from: mail.from, to, ...written }))
  const { open, tasks, newestUrgent } = await openTasksOf(person)
  if (!open) return
  const last = await readLastDigest(person.id)
  const kind = dueKind(last, newestUrgent, mail.hour, now)
  if (!kind || !(await acquireDigest(person.id, last, kind, now))) return
  const base = publicUrl()
  const link = base ? uiLinkOf({ proposal: null }, base) : null
  const { subject, text } = mailText({ open, tasks, urgent: kind === 'urgent', link }, language)
  await send({ from: mail.from, to, subject, text }).catch(async (error) => {
    await releaseDigest(person.id, last)
    throw error
  })
}

type OpenTask = Pick<Task, 'localId' | 'proposal' | 'priority' | 'createdAt' | 'orderBy' | 'place'>

/** The open tasks of a person that nobody else has claimed: their number, and those that cost most to wait for. */
export async function openTasksOf(person: Person, most = SHOWN_TASKS) {
  const isOpen = cds.parse.expr(
    `status = 'READY' or (status = 'RESERVED' and processor = '${person.id.replaceAll("'", "''")}')`,
  )
  const isInInbox = await inboxOf(person)
  const ofPerson = (...columns: string[]) =>
    SELECT.from(Tasks)
      .columns(...columns)
      .where(isOpen)
      .where(isInInbox)
  const open = await readAs<OpenTask>(
    ofPerson('localId', 'proposal', 'priority', 'createdAt', 'orderBy', 'place'),
  )
  const urgent = open.filter(({ priority }) => priority === 'VERY_HIGH').map((t) => t.createdAt)
  const newestUrgent = urgent.sort().at(-1) ?? null
  const costOf = await readCostsOfWaiting(ofPerson)
  const first = open
    .sort((a, b) => costOf(b) - costOf(a) || byText(a.orderBy ?? '9', b.orderBy ?? '9'))
    .slice(0, most)
    .map(({ localId }) => localId)
  const rows = await readAs<TaskRow>(SELECT.from(Tasks).where({ localId: { in: first } }))
  const tasks = rows.map((row) => ({ ...toTask(row), costOfWaiting: costOf(row) }))
  tasks.sort((a, b) => first.indexOf(a.localId) - first.indexOf(b.localId))
  return { open: open.length, tasks, newestUrgent }
}

type Subject = Pick<OpenTask, 'localId' | 'proposal'>

/** What waiting with a task costs: with a proposal, or with the lines of a whole order. */
async function readCostsOfWaiting(ofPerson: (column: string) => object) {
  const isIncluded = { excluded: false, task: { in: ofPerson('localId') } }
  const lines = await readAs<Pick<Line, 'task' | 'proposal'>>(
    SELECT.from(TaskLines).columns('task', 'proposal').where(isIncluded),
  )
  const isMeant = [
    { ID: { in: ofPerson('proposal') } },
    { ID: { in: SELECT.from(TaskLines).columns('proposal').where(isIncluded) } },
  ]
  const costs = new Map<number, number>()
  for (const where of isMeant) {
    const rows = await readAs<{ ID: number; valueAtRisk: number | string | null }>(
      SELECT.from(Proposals).columns('ID', 'valueAtRisk').where(where),
    )
    for (const { ID, valueAtRisk } of rows) costs.set(ID, Number(valueAtRisk ?? 0))
  }
  const byTask = Map.groupBy(lines, ({ task }) => task)
  return ({ localId, proposal }: Subject) =>
    proposal === null
      ? (byTask.get(localId) ?? []).reduce((sum, line) => sum + (costs.get(line.proposal) ?? 0), 0)
      : (costs.get(proposal) ?? 0)
}

interface LastDigest {
  day: string | null
  sentAt: string | null
  urgentAt: string | null
}

/** The last mail to a user; inserts the row that `acquireDigest` updates if it is missing. */
async function readLastDigest(user: string): Promise<LastDigest> {
  await insertIfAbsent(TaskDigests, { user })
  return (await readAs<LastDigest>(SELECT.one.from(TaskDigests).where({ user })))!
}

const dayOf = (now: Date) => dayIn(settings().timeZone, now)

/** The mail that is due: the daily one, an urgent one, or none. */
function dueKind(
  { day, sentAt, urgentAt }: LastDigest,
  urgent: string | null,
  hour: number,
  now: Date,
) {
  const clock = new Date(wallClock(settings().timeZone, now.getTime()))
  if (day !== dayOf(now) && clock.getUTCHours() >= hour) return 'daily'
  if (!urgent || !sentAt || urgent <= sentAt) return null
  const rested = !urgentAt || Date.parse(urgentAt) + URGENT_MS <= now.getTime()
  return rested ? 'urgent' : null
}

/** Acquires the right to send a mail, which one instance gets. */
async function acquireDigest(
  user: string,
  { sentAt }: LastDigest,
  kind: 'daily' | 'urgent',
  now: Date,
) {
  const at = now.toISOString()
  const set = {
    sentAt: at,
    ...(kind === 'daily' ? { day: dayOf(now) } : { urgentAt: at }),
  }
  const acquired: unknown = await UPDATE.entity(TaskDigests).set(set).where({ user, sentAt })
  return acquired === 1
}

const releaseDigest = (user: string, { day, sentAt, urgentAt }: LastDigest) =>
  UPDATE.entity(TaskDigests).set({ day, sentAt, urgentAt }).where({ user })

interface Content {
  open: number
  /** What costs most to wait for first. */
  tasks: (Task & { costOfWaiting: number })[]
  urgent: boolean
  /** The address at which the tasks are worked on; null if it is not configured. */
  link: string | null
}

function mailText({ open, tasks, urgent, link }: Content, language: Language) {
  const say = (key: string, args = {}) => message(`mail_${key}`, args, language)
  const lines = tasks.map((task) => {
    const money = (amount: number) =>
      `${writtenMoney(amount, language)} ${task.currency ?? ''}`.trimEnd()
    const due = task.orderBy ? say('due', { day: writtenDay(task.orderBy, language) }) : ''
    const waiting =
      task.costOfWaiting > 0 ? say('waiting', { cost: money(task.costOfWaiting) }) : ''
    const notes = [waiting, due].filter(Boolean).join(', ')
    const value = task.value ? `, ${money(Number(task.value))}` : ''
    return `- ${oneLine(subjectOf(task, language))}${value}${notes && ` (${notes})`}`
  })
  const more = open - tasks.length
  const text = [
    ...[say('intro', { open }), '', ...lines, ...(more > 0 ? [say('more', { more })] : []), ''],
    ...(link ? [say('where', { link }), ''] : []),
    say('end'),
  ]
  const subject = say(open === 1 ? 'subject_one' : 'subject', { open })
  return { subject: urgent ? say('urgent', { subject }) : subject, text: text.join('\n') }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

// Mails about what somebody is told of proposals: asked by a colleague, handed over, escalated.

/** Who was told before mails were on, or long ago, finds it in the app. */
const OLDEST_MS = 2 * DAY_MS
const SHOWN_NOTICES = 20

interface Written {
  subject: string
  text: string
}

/** Sends somebody what they are told and have not been written about; nobody else sends it meanwhile. */
async function sendNotices(
  person: Person,
  language: Language,
  now: Date,
  send: (mail: Written) => Promise<unknown>,
) {
  const since = new Date(now.getTime() - OLDEST_MS).toISOString()
  const notices: UnsentNotice[] = []
  for (const notice of await unsentNotices(person, since))
    if (await take(notice, now)) notices.push(notice)
  if (!notices.length) return
  await send(written(notices, language)).catch(async (error) => {
    for (const { ID } of notices) await UPDATE.entity(Notices).set({ mailedAt: null }).where({ ID })
    throw error
  })
}

async function take({ ID }: UnsentNotice, now: Date) {
  const taken: unknown = await UPDATE.entity(Notices)
    .set({ mailedAt: now.toISOString() })
    .where({ ID, mailedAt: null })
  return taken === 1
}

function written(notices: UnsentNotice[], language: Language): Written {
  const say = (key: string, args = {}) => message(key, args, language)
  const base = publicUrl()
  const lines = notices.slice(0, SHOWN_NOTICES).map(({ kind, fromUser: by, text, ...about }) => {
    const { sku, location, value, currency, proposal } = about
    const what = say('notice_line', { sku: plainCode(sku), location: plainCode(location) })
    const key = kind === 'passed_on' && text ? 'notice_passed_on_with' : `notice_${kind}`
    const sentence = say(key, { by, what, text: (text ?? '').replace(/\s+/g, ' ') })
    const worth = value ? `, ${writtenMoney(Number(value), language)} ${currency ?? ''}` : ''
    return `- ${sentence}${worth.trimEnd()}${base ? `\n  ${uiLinkOf({ proposal }, base)}` : ''}`
  })
  const more = notices.length - SHOWN_NOTICES
  const rest = more > 0 ? [say('mail_more', { more })] : []
  const text = [say('mail_notices_intro'), '', ...lines, ...rest, '', say('mail_end')].join('\n')
  return { subject: say('mail_notices_subject', { count: notices.length }), text }
}
