// What a mail about open tasks says; plain text, in English and German.
import { type Language, subjectOf } from '../texts.ts'
import type { Task } from '../task.ts'

interface Content {
  open: number
  /** The most urgent ones. */
  tasks: Task[]
  urgent: boolean
  /** Where the tasks are worked on; null where that is not configured. */
  link: string | null
}

const WORDS = {
  en: {
    subject: (open: number) => `${open} order ${open === 1 ? 'proposal waits' : 'proposals wait'}`,
    urgent: 'Urgent: ',
    intro: (open: number) => `Waiting for your decision: ${open}. The most urgent:`,
    due: 'order by',
    more: (more: number) => `… and ${more} more.`,
    where: 'You decide in your task list, or here: ',
    end: 'Your administrator can turn these mails off.',
  },
  de: {
    subject: (open: number) =>
      `${open} ${open === 1 ? 'Bestellvorschlag wartet' : 'Bestellvorschläge warten'}`,
    urgent: 'Eilig: ',
    intro: (open: number) => `Auf Ihre Entscheidung warten: ${open}. Die eiligsten:`,
    due: 'bestellen bis',
    more: (more: number) => `… und ${more} weitere.`,
    where: 'Sie entscheiden in Ihrer Aufgabenliste oder hier: ',
    end: 'Ihr Administrator kann diese Mails abschalten.',
  },
}

export function mailText({ open, tasks, urgent, link }: Content, language: Language) {
  const words = WORDS[language]
  const lines = tasks.map((task) => {
    const due = task.orderBy ? ` (${words.due} ${task.orderBy})` : ''
    const value = task.value ? `, ${task.value} ${task.currency ?? ''}`.trimEnd() : ''
    return `- ${oneLine(subjectOf(task, language))}${value}${due}`
  })
  const more = open - tasks.length
  const text = [
    ...[words.intro(open), '', ...lines, ...(more > 0 ? [words.more(more)] : []), ''],
    ...(link ? [words.where + link, ''] : []),
    words.end,
  ]
  return { subject: (urgent ? words.urgent : '') + words.subject(open), text: text.join('\n') }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
