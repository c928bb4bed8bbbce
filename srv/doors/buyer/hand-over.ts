// Files of the app: approved lines for the ERP's own import, and quantities changed in the exported list.
import cds, { type Request } from '@sap/cds'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { hasMessage, message, written, writtenDay, writtenPrice } from '../../base/texts/texts.ts'
import {
  type CallOff,
  fileOfHandOver,
  handOver,
  initialStatus,
  readEditedFile,
  TAKEN_BEFORE,
  type ValueContract,
  withCallOffs,
  withOrderUnits,
} from '../../domain/proposals/index.ts'
import type { ShownProposal } from './computed-elements.ts'
import { rejectParameter } from './refusals.ts'
import { numbersIn } from './visible-proposal.ts'

interface Input {
  proposals?: string | null
  perSupplier?: boolean | null
  takenBefore?: string | null
}

const MOST = 1_000

export function handleHandOver(service: cds.ApplicationService) {
  service.on('handOver', (req: Request<Input>) => take(req))
  service.on('readEdits', (req: Request<{ file?: string | null }>) => readEdits(service, req))
}

interface EditedProposal {
  ID: number
  version: number
  status: string
  quantity: number | string
}

const EDITED = [
  ...['ID', 'number', 'version', 'status', 'sku', 'skuName', 'location', 'quantity'],
  ...['moq', 'lotSize', 'calculatedQuantity'],
]

/** What a file would change. Nothing is changed, and nothing approved. */
async function readEdits(service: cds.ApplicationService, req: Request<{ file?: string | null }>) {
  const named = (key: string) =>
    ['en', 'de'].map((language) => (cds.i18n.labels.at(key, language) ?? key).toLowerCase())
  try {
    const columns = { quantity: named('quantity'), version: named('version') }
    const rows = await readEditedFile(Buffer.from(req.data.file ?? '', 'base64'), columns)
    const known = (await service.run(
      SELECT.from('BuyerService.Proposals')
        .columns(...EDITED)
        .where({ ID: { in: rows.map(({ ID }) => ID) } }),
    )) as EditedProposal[]
    const byID = new Map(known.map((row) => [Number(row.ID), row]))
    const edits = rows.flatMap(({ ID, version, quantity }) => {
      const now = byID.get(ID)
      if (now && quantity === String(now.quantity)) return []
      return {
        ...{ number: `prop_${ID}`, ...now, ID, before: now?.quantity ?? null, quantity },
        fault: faultOf(now, version),
      }
    })
    return { unchanged: rows.length - edits.length, edits }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { key, args } = error.options.sentence!
    return rejectParameter(req, 'file', message(key, args))
  }
}

/** Why a row of the file does not count; null where it does. */
function faultOf(now: EditedProposal | undefined, version: number | null): string | null {
  if (!now) return message('proposal_not_found')
  if (now.status !== initialStatus()) return message('edits_decided')
  if (version === null) return message('edits_no_version')
  return version === Number(now.version) ? null : message('edits_changed')
}

async function take(req: Request<Input>) {
  const { proposals: text, perSupplier, takenBefore: given } = req.data
  const proposals = numbersIn(text)
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

/** The contract that the order is called off from, and what that has left for it; null where there is none. */
export async function addContracts(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (!requested?.has('contract') || !rows.length) return
  const known = rows.map(({ ID, kind, status, sku, location, source, supplier, quantity }) => ({
    ...{ ID: ID!, kind: kind!, status: status!, flag: null, source: Number(source) },
    ...{ sku: sku!, location: location!, supplier: supplier ?? null, quantity: Number(quantity) },
  }))
  for (const [at, { callOff, valueContract }] of (await withCallOffs(known)).entries())
    rows[at]!.contract = callOff
      ? contractText(callOff, rows[at]!)
      : valueContract && valueText(valueContract, rows[at]!)
}

/** `4600000012/10 · 12,400.00 of 50,000.00 EUR left · until 31 Jan 2027`. */
function valueText(contract: ValueContract, { currency }: ShownProposal): string {
  const { document, line, due, currency: own } = contract
  const [left, agreed] = [contract.remainingValue, contract.agreedValue].map((value) =>
    writtenPrice(Number(value)),
  )
  return [
    `${document}/${line}`,
    message('contract_value_left', { left, agreed, currency: own ?? currency ?? '' }),
    due && message('contract_until', { day: writtenDay(due) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** `4600000012/10 · 380 of 500 left · until 31 Jan 2027 · 2.10 EUR a unit · 20 of 400 are more than it has left`. */
function contractText({ contract, left, over }: CallOff, { quantity, currency }: ShownProposal) {
  const { document, line, due, unitCost, currency: own } = contract
  return [
    `${document}/${line}`,
    message('contract_left', { left, agreed: contract.quantity }),
    due && message('contract_until', { day: writtenDay(due) }),
    unitCost &&
      message('contract_price', {
        price: writtenPrice(Number(unitCost)),
        currency: own ?? currency ?? '',
      }),
    over > 0 && message('contract_over', { over, quantity: Number(quantity) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The first line that was taken before, or cannot be taken, stands for the others. */
function textOf(refusal: Refusal): string {
  const { code, options } = refusal
  if (!hasMessage(code)) return refusal.message
  const { handed_over: count } = options.members ?? {}
  return message(code, { count: count ?? options.details?.length, first: refusal.message })
}
