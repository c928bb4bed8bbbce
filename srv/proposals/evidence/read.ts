import type { Evidence, StoredEvidence } from '../../store/proposal.ts'
import { readProposal } from '../lifecycle/transition.ts'
import { formulaOf } from './formula.ts'
import { replayEvidence } from './replay.ts'

/** The sum of a proposal as it stands, and every decision about it with its sum of then. */
export async function readEvidence(ID: number): Promise<Evidence> {
  const proposal = await readProposal(ID)
  const rows = (await SELECT.from('restock.Evidence')
    .columns('content')
    .where({ proposal: ID })
    .orderBy('version')) as { content: string }[]
  const decisions = rows.map(({ content }) => {
    const kept = JSON.parse(content) as StoredEvidence
    const { lines, quantity } = replayEvidence(kept)
    return { ...kept, lines, replayedQuantity: quantity }
  })
  const lines = formulaOf(proposal.calculation)
  return { proposal, basis: parse(proposal.basis), lines, decisions }
}

const parse = (json: string | null) => (json ? (JSON.parse(json) as Evidence['basis']) : null)
