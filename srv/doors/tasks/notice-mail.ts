// Mails about what somebody is told of proposals: asked by a colleague, handed over, escalated.
import { Notices } from '../../base/database/entities.ts'
import { DAY_MS } from '../../base/time/days.ts'
import type { Language } from '../../base/texts/texts.ts'
import { message, writtenMoney } from '../../base/texts/texts.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { type UnsentNotice, unsentNotices } from '../../domain/proposals/index.ts'
import type { Person } from './person.ts'
import { publicUrl, uiLinkOf } from './texts.ts'

/** Who was told before mails were on, or long ago, finds it in the app. */
const OLDEST_MS = 2 * DAY_MS
const SHOWN = 20

interface Written {
  subject: string
  text: string
}

/** Sends somebody what they are told and have not been written about; nobody else sends it meanwhile. */
export async function sendNotices(
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
  const lines = notices.slice(0, SHOWN).map(({ kind, fromUser: by, text, ...about }) => {
    const { sku, location, value, currency, proposal } = about
    const what = say('notice_line', { sku: plainCode(sku), location: plainCode(location) })
    const key = kind === 'passed_on' && text ? 'notice_passed_on_with' : `notice_${kind}`
    const sentence = say(key, { by, what, text: (text ?? '').replace(/\s+/g, ' ') })
    const worth = value ? `, ${writtenMoney(Number(value), language)} ${currency ?? ''}` : ''
    return `- ${sentence}${worth.trimEnd()}${base ? `\n  ${uiLinkOf({ proposal }, base)}` : ''}`
  })
  const more = notices.length - SHOWN
  const rest = more > 0 ? [say('mail_more', { more })] : []
  const text = [say('mail_notices_intro'), '', ...lines, ...rest, '', say('mail_end')].join('\n')
  return { subject: say('mail_notices_subject', { count: notices.length }), text }
}
