// What a mail about open tasks says, in plain text.
import { type Language, message } from '../../texts.ts'
import { subjectOf } from '../subject.ts'
import type { Task } from '../task.ts'

interface Content {
  open: number
  /** The most urgent ones. */
  tasks: Task[]
  urgent: boolean
  /** Where the tasks are worked on; null where that is not configured. */
  link: string | null
}

export function mailText({ open, tasks, urgent, link }: Content, language: Language) {
  const say = (key: string, places = {}) => message(`mail_${key}`, places, language)
  const lines = tasks.map((task) => {
    const due = task.orderBy ? ` (${say('due', { day: task.orderBy })})` : ''
    const value = task.value ? `, ${task.value} ${task.currency ?? ''}`.trimEnd() : ''
    return `- ${oneLine(subjectOf(task, language))}${value}${due}`
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
