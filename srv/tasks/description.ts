// What a task is about, in words.
import cds from '@sap/cds'
import { linesOf } from './feed/orders.ts'
import { type Language, subjectOf } from './texts.ts'
import type { Task } from './task.ts'

const { SELECT } = cds.ql

interface Row {
  ID: number
  sku: string
  location: string
  quantity: number | string
  rationale: string
  onHand: number
  p50: number | string
  horizonDays: number
  leadTimeDays: number
}

/** Plain text: the subject, then why; of an order line by line. */
export async function descriptionOf(task: Task, language: Language): Promise<string> {
  const lines = task.proposal === null ? await linesOf({ task: task.localId, excluded: false }) : []
  const ids = task.proposal === null ? lines.map(({ proposal }) => proposal) : [task.proposal]
  const rows: Row[] = await SELECT.from('restock.Proposals')
    .columns(
      ...['ID', 'sku', 'location', 'quantity', 'rationale', 'calculation_onHand as onHand'],
      ...['calculation_p50 as p50', 'calculation_horizonDays as horizonDays'],
      'calculation_leadTimeDays as leadTimeDays',
    )
    .where({ ID: { in: ids } })
    .orderBy('ID')
  const why = rows.map((row) => {
    const quantity = lines.find(({ proposal }) => proposal === row.ID)?.quantity ?? row.quantity
    const head = task.proposal === null ? `${quantity} × ${row.sku} (${row.location}): ` : ''
    return head + (language === 'en' ? row.rationale : inGerman(row))
  })
  return [subjectOf(task, language), '', ...why].join('\n')
}

const inGerman = ({ onHand, p50, horizonDays, leadTimeDays }: Row) =>
  `In den nächsten ${horizonDays} Tagen werden voraussichtlich ${p50} gebraucht (P50), ` +
  `auf Lager sind ${onHand}; die Lieferzeit beträgt ${leadTimeDays} Tage.`
