// Approved lines of the app as files of the ERP's own import.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { hasMessage, message, written } from '../../base/texts/texts.ts'
import {
  fileOfHandOver,
  handOver,
  TAKEN_BEFORE,
  withOrderUnits,
} from '../../domain/proposals/index.ts'
import type { ShownProposal } from './computed-elements.ts'
import { rejectParameter } from './refusals.ts'

interface Input {
  proposals?: string | null
  perSupplier?: boolean | null
  takenBefore?: string | null
}

const NUMBERS = /^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/
const MOST = 1_000

export function handleHandOver(service: cds.ApplicationService) {
  service.on('handOver', (req: Request<Input>) => take(req))
}

async function take(req: Request<Input>) {
  const { proposals: text, perSupplier, takenBefore: given } = req.data
  const proposals = NUMBERS.test(text ?? '') ? text!.split(',').map(Number) : []
  if (!proposals.length || proposals.length > MOST)
    return rejectParameter(req, 'proposals', message('handover_numbers_invalid', { most: MOST }))
  const takenBefore = TAKEN_BEFORE.find((each) => each === (given || 'refuse'))
  if (!takenBefore) return rejectParameter(req, 'takenBefore', TAKEN_BEFORE.join(', '))
  try {
    const taken = await handOver({ proposals, perSupplier: perSupplier ?? false, takenBefore })
    const files = []
    for (const { ID, lines } of taken) {
      const { bytes, name, type } = await fileOfHandOver(ID)
      const content = bytes.toString('base64')
      files.push({ number: `ho_${ID}`, fileName: name, mimeType: type, lines, content })
    }
    return files
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw toODataError(error, textOf(error))
  }
}

/** The quantity in the unit of the supplier, such as `2 CAR`; null where it is ordered in base units. */
export async function addOrderUnits(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (!requested?.has('orderedAs') || !rows.length) return
  const known = rows.map(({ source, sku, location, supplier, quantity, unitCost }) => ({
    ...{ source: Number(source), sku: sku!, location: location!, supplier: supplier ?? null },
    ...{ quantity: Number(quantity), unitCost: unitCost == null ? null : String(unitCost) },
  }))
  for (const [at, { orderUnits }] of (await withOrderUnits(known)).entries()) {
    const { orderUnit, orderQuantity } = orderUnits
    rows[at]!.orderedAs = orderUnit && `${written(Number(orderQuantity))} ${orderUnit}`
  }
}

/** The first line that was taken before, or cannot be taken, stands for the others. */
function textOf(refusal: Refusal): string {
  const { code, options } = refusal
  if (!hasMessage(code)) return refusal.message
  const { handed_over: count } = options.members ?? {}
  return message(code, { count: count ?? options.details?.length, first: refusal.message })
}
