// What a task is about, in words.
import cds from '@sap/cds'
import { type Explained, rationaleIn } from '../rationale.ts'
import type { Language } from '../texts.ts'
import { linesOf } from './feed/orders.ts'
import { subjectOf } from './subject.ts'
import type { Task } from './task.ts'

/** As ProposalsService answers it. */
interface Proposal extends Explained {
  ID: number
  sku: string
  location: string
  quantity: number
}

/** Plain text: the subject, then why; of an order line by line. */
export async function descriptionOf(task: Task, language: Language): Promise<string> {
  const lines = task.proposal === null ? await linesOf({ task: task.localId, excluded: false }) : []
  const ids = task.proposal === null ? lines.map(({ proposal }) => proposal) : [task.proposal]
  const service = await cds.connect.to('ProposalsService')
  const why: string[] = []
  for (const ID of ids.toSorted((a, b) => a - b)) {
    const proposal: Proposal = await service.send('find', { ID })
    const { sku, location } = proposal
    const quantity = lines.find(({ proposal: of }) => of === ID)?.quantity ?? proposal.quantity
    const head = task.proposal === null ? `${quantity} × ${sku} (${location}): ` : ''
    why.push(head + rationaleIn(language, proposal))
  }
  return [subjectOf(task, language), '', ...why].join('\n')
}
