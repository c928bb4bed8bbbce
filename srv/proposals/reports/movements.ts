import type { Movement } from '#cds-models/ProposalsService'
import { byText } from '../../../engine/index.ts'
import { addDays } from '../../../engine/proposal/index.ts'
import {
  CurrentCustomerOrders,
  CurrentOpenOrders,
  CurrentReservations,
  readAs,
  Receipts,
} from '../../store/entities.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { readLocalDays } from '../../store/local-days.ts'
import { readProposal } from '../lifecycle/transition.ts'

const PAST_DAYS = 90
/** Of each kind. */
const MOST = 100

type Row = Omit<ServiceRow<Movement>, 'kind'> & { supplier?: string | null }

/** What has come of a proposal's pair in the last 90 days, and what is to come or to go, by day; 100 of each kind at most. */
export async function movementsOfProposal(ID: number): Promise<ServiceRow<Movement>[]> {
  const { source, sku, location } = await readProposal(ID)
  const of = { source_ID: source, sku, location }
  const since = addDays((await readLocalDays(source)).of(location), -PAST_DAYS)
  const [received, ordered, wanted, reserved] = [
    await readAs<Row>(
      SELECT.from(Receipts)
        .columns('document', 'supplier', 'receivedOn as date', 'due', 'quantity')
        .where({ ...of, receivedOn: { '>=': since } })
        .orderBy('receivedOn desc')
        .limit(MOST),
    ),
    await readAs<Row>(
      SELECT.from(CurrentOpenOrders)
        .columns('document', 'supplier', 'due as date', 'due', 'quantity')
        .where(of)
        .orderBy('due')
        .limit(MOST),
    ),
    await readAs<Row>(openOf(CurrentCustomerOrders, of)),
    await readAs<Row>(openOf(CurrentReservations, of)),
  ]
  const named = (kind: string, rows: Row[], sign = 1) =>
    rows.map(({ document, supplier = null, date, due, quantity }) => ({
      ...{ kind, document, supplier, date, due: due ?? null, quantity: sign * Number(quantity) },
    }))
  return [
    ...named('receipt', received),
    ...named('open_order', ordered),
    ...named('customer_order', wanted, -1),
    ...named('reservation', reserved, -1),
  ].sort((a, b) => byText(a.date ?? '', b.date ?? '') || byText(a.document, b.document))
}

const openOf = (
  entity: typeof CurrentCustomerOrders | typeof CurrentReservations,
  of: { source_ID: number; sku: string; location: string },
) =>
  SELECT.from(entity)
    .columns('document', 'due as date', 'due', 'quantity')
    .where(of)
    .orderBy('due')
    .limit(MOST)
