// What is promised to production, projects and cost centres: reservations.
import { names } from '../rows/names.ts'
import type { RecordOf } from '../records.ts'
import { isUnreadable } from '../errors.ts'
import { type Exact, toThreePlaces } from '../rows/decimals.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import {
  codeOf,
  dayOf,
  exactOf,
  instantOf,
  mapAbout,
  numberOf,
  orBad,
  unitsOf,
} from '../rows/values.ts'
import type { ReservationRow, StockRow } from './entities.ts'
import { withRemedy } from './optional.ts'
import { readProducts } from './scope.ts'
import { RESERVATION } from './services.ts'
import { keyOf, STOCK_ROWS } from './stock/rows.ts'
import type { System } from './system.ts'

export const RESERVATIONS = {
  service: RESERVATION,
  set: 'A_ReservationDocumentItem',
  key: ['Reservation', 'ReservationItem', 'RecordType'],
  select: names(
    `Reservation ReservationItem RecordType Product Plant GoodsMovementType RequirementType
     IssuingOrReceivingPlant MatlCompRequirementDate ResvnItmRequiredQtyInBaseUnit
     ResvnItmWithdrawnQtyInBaseUnit`,
  ),
  // H: an issue.
  filter:
    'ReservationItemIsFinallyIssued eq false and ReservationItmIsMarkedForDeltn eq false and ' +
    "DebitCreditCode eq 'H'",
}

const placeOf = ({ Reservation, ReservationItem, RecordType }: ReservationRow) =>
  `${RESERVATIONS.set}('${Reservation}','${ReservationItem}','${RecordType}')`

/** @throws Fatal that says what is not known without reservations */
export async function* readReservations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'reservations'>> {
  const found = system.pages<ReservationRow>(RESERVATIONS, {}, signal)
  const components: ReservationRow[] = []
  try {
    yield* pagesOf<'reservations', ReservationRow>(found, (page, rows) => {
      components.push(...rows.filter(isUsedElsewhere))
      const others = rows.filter((row) => !isUsedElsewhere(row))
      addRecords(page, others, (row) => toReservation(row), placeOf)
    })
  } catch (error) {
    throw withRemedy(error, 'reservations')
  }
  if (components.length) yield await reserveComponents(system, components, signal)
}

/** What subcontractors use. */
const isUsedElsewhere = ({ GoodsMovementType: type }: ReservationRow) => type === '543'

/** Less what lies at subcontractors, which has left the plant: they use it first. */
async function reserveComponents(
  system: System,
  rows: ReservationRow[],
  signal: AbortSignal,
): Promise<SnapshotPage<'reservations'>> {
  const there = await readStockElsewhere(system, rows, signal)
  const take = ({ Product, Plant }: ReservationRow, open: Exact): Exact => {
    const key = keyOf(Product!, Plant!)
    const left = there.get(key) ?? 0n
    const taken = left <= 0n ? 0n : left < open ? left : open
    there.set(key, left - taken)
    return open - taken
  }
  const dueOf = ({ MatlCompRequirementDate: due }: ReservationRow) => {
    const at = orBad(() => instantOf(due))
    return typeof at === 'number' ? at : 0
  }
  const page: SnapshotPage<'reservations'> = {
    ...{ records: [], quarantined: [], done: rows.length, total: null },
  }
  const map = (row: ReservationRow) => toReservation(row, (open) => take(row, open))
  addRecords(
    page,
    rows.sort((a, b) => dueOf(a) - dueOf(b)),
    map,
    placeOf,
  )
  return page
}

const AT_SUBCONTRACTORS = {
  ...STOCK_ROWS,
  filter: "InventorySpecialStockType eq 'O' and InventoryStockType eq '01'",
}

/** By pair, over all subcontractors; nothing where stock may not be read, or of rows that cannot be used. */
async function readStockElsewhere(
  system: System,
  rows: readonly ReservationRow[],
  signal: AbortSignal,
): Promise<Map<string, Exact>> {
  const products = new Set(rows.flatMap(({ Product }) => Product || []))
  const there = new Map<string, Exact>()
  try {
    const query = [AT_SUBCONTRACTORS, 'Material', products, signal] as const
    for (const row of await readProducts<StockRow>(system, ...query)) {
      const units = orBad(() => exactOf(row[QUANTITY], QUANTITY))
      const key = keyOf(row.Material, row.Plant)
      if (typeof units === 'bigint') there.set(key, (there.get(key) ?? 0n) + units)
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
  }
  return there
}

const QUANTITY = 'MatlWrhsStkQtyInMatlBaseUnit'

const REQUIRED = 'ResvnItmRequiredQtyInBaseUnit'
const WITHDRAWN = 'ResvnItmWithdrawnQtyInBaseUnit'

/** A component of a planned order, which nobody has released. */
const PLANNED = 'SB'

/**
 * What is not withdrawn yet; null where nothing is, and where it does not leave the plant's stock.
 * @param rest what of it is still in the plant
 */
export const toReservation = (
  row: ReservationRow,
  rest = (open: Exact): Exact => open,
): RecordOf<'reservations'> | null =>
  mapAbout(row.Product, row.Plant, () => reservationOf(row, rest))

function reservationOf(
  row: ReservationRow,
  rest: (open: Exact) => Exact,
): RecordOf<'reservations'> | null {
  if (!row.Product || !row.Plant || row.RequirementType === PLANNED || staysInPlant(row))
    return null
  const needed = unitsOf(row[REQUIRED], REQUIRED) - unitsOf(row[WITHDRAWN], WITHDRAWN)
  const open = needed > 0n ? rest(needed) : 0n
  const quantity = open > 0n ? numberOf(toThreePlaces(open), REQUIRED) : 0
  if (quantity === 0) return null
  const { Reservation, ReservationItem, RecordType } = row
  return {
    document: codeOf(Reservation, 'Reservation'),
    line: codeOf([ReservationItem, RecordType].filter(Boolean).join('/'), 'ReservationItem'),
    sku: codeOf(row.Product, 'Product'),
    location: codeOf(row.Plant, 'Plant'),
    quantity,
    due: dayOf(row.MatlCompRequirementDate, 'MatlCompRequirementDate'),
  }
}

/** Transfer postings (3xx) between storage locations of one plant. */
const staysInPlant = ({
  GoodsMovementType: type,
  IssuingOrReceivingPlant: to,
  Plant,
}: ReservationRow) => Boolean(type?.startsWith('3')) && (!to || to === Plant)
